// Draws charts when they come near the screen, filters the ledger, and makes links to folded claims land.
"use strict";

const views = new Map(); // figure name → Vega view, for tests and for the curious

function draw(chart) {
  const name = chart.dataset.figure;
  const spec = JSON.parse(document.getElementById(`spec-${name}`).textContent);
  // The heading above the chart has its title; the line below it, which data this is, stays.
  if (spec.title?.subtitle) spec.title = { ...spec.title, text: spec.title.subtitle, subtitle: [], fontSize: 12 };
  const options = { actions: false, renderer: chart.dataset.renderer };
  return vegaEmbed(chart, spec, options).then(
    (result) => {
      views.set(name, result.view);
      chart.style.minHeight = "";
      chart.parentElement.classList.add("is-drawn");
    },
    (error) => {
      const line = document.createElement("p");
      line.className = "failed";
      line.textContent = `This chart could not be drawn (${error.message}); the picture shows it without its controls.`;
      chart.parentElement.append(line);
      console.error(name, error);
    },
  );
}

function drawWhenNear() {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        seen.unobserve(entry.target);
        draw(entry.target.querySelector(".chart"));
      }
    },
    { rootMargin: "300px 0px" },
  );
  for (const chart of document.querySelectorAll(".chart")) seen.observe(chart.parentElement);
}

function filterLedger() {
  const form = document.querySelector(".filters");
  if (!form) return;
  const claims = [...document.querySelectorAll("#ledger .claim")];
  let texts = null; // read when somebody searches: it takes longer than the rest of this script
  const shown = document.getElementById("shown");
  const choices = ["document", "verdict", "evidence", "model"];

  function apply() {
    const words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) texts ??= claims.map((claim) => `${claim.textContent} ${claim.id}`.toLowerCase());
    let count = 0;
    claims.forEach((claim, n) => {
      const fits =
        words.every((word) => texts[n].includes(word)) &&
        choices.every((key) => {
          const wanted = form.elements[key].value;
          return !wanted || claim.dataset[key].split(" ").includes(wanted);
        });
      claim.hidden = !fits;
      count += fits;
    });
    shown.textContent = count === claims.length ? `${count} claims` : `${count} of ${claims.length} claims`;
  }

  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  for (const link of document.querySelectorAll("[data-verdict]:not(.claim)")) {
    link.addEventListener("click", () => {
      form.reset();
      form.elements.verdict.value = link.dataset.verdict;
      apply();
    });
  }
  // A browser that comes back to the page fills the form as it was left.
  apply();
}

function land() {
  const target = document.getElementById(location.hash.slice(1)); // ids here are plain, never percent-encoded
  if (!target) return;
  if (target.hidden) {
    document.querySelector(".filters").reset();
    for (const claim of document.querySelectorAll("#ledger .claim")) claim.hidden = false;
  }
  for (let box = target; box; box = box.parentElement?.closest("details")) {
    if (box instanceof HTMLDetailsElement) box.open = true;
  }
  target.scrollIntoView({ behavior: "instant" });
}

drawWhenNear();
filterLedger();
addEventListener("hashchange", land);
if (location.hash) land();
window.normhouse = { views };
