// Draws charts when they come near the screen, filters the ledger, explains words, makes links to folded claims land.
"use strict";

const views = new Map(); // figure name → Vega view, for the tests and for readers who open the console
const dark = matchMedia("(prefers-color-scheme: dark)");

function parsed(id) {
  let text = document.getElementById(id)?.textContent;
  if (!text) return null;
  const colours = document.getElementById("dark-colours");
  if (dark.matches && colours)
    for (const [light, seen] of Object.entries(JSON.parse(colours.textContent))) text = text.replaceAll(`"${light}"`, `"${seen}"`);
  return JSON.parse(text);
}

// The chart as it is drawn here: on a phone the one made for phones, or else the wide one with smaller panels.
function specOf(name, room) {
  let spec = parsed(`spec-${name}`);
  const narrow = NARROW.matches ? parsed(`narrow-${name}`) : null;
  if (narrow) spec = { ...narrow, datasets: { ...spec.datasets, ...narrow.datasets } };
  else if (NARROW.matches && !spec.usermeta?.isFixed) {
    spec = narrowed(spec, Math.max(room - SIDE, 200));
    spec.config.legend = { ...spec.config.legend, columns: 2, labelLimit: 130 };
  }
  spec.background = null;
  if (dark.matches) {
    const ink = { labelColor: "#C6CBD1", titleColor: "#C6CBD1" };
    const config = spec.config;
    spec.config = { ...config, axis: { ...config.axis, ...ink, domainColor: "#6C747D", tickColor: "#6C747D" } };
    spec.config.legend = { ...config.legend, ...ink };
    spec.config.header = ink;
    spec.config.title = { ...config.title, color: "#E6E8EA", subtitleColor: "#C6CBD1" };
    spec.config.view = { stroke: "#3A4048" };
    spec.config.text = { color: "#E6E8EA" };
  }
  return spec;
}

// A chart for a phone: panels below each other, as wide as the screen, their titles in several lines.
const NARROW = matchMedia("(max-width: 50rem)");
const SIDE = 110; // px beside a panel, for its axis

function narrowed(node, room) {
  if (Array.isArray(node)) return node.map((below) => narrowed(below, room));
  if (node === null || typeof node !== "object") return node;
  const done = {};
  for (const [key, value] of Object.entries(node)) done[key] = key === "datasets" ? value : narrowed(value, room);
  if (done.hconcat) {
    done.vconcat = done.hconcat;
    delete done.hconcat;
  }
  if (done.concat) done.columns = 1;
  if (typeof done.width === "number" && done.width > room) {
    const square = typeof done.height === "number" && Math.abs(done.height - done.width) < 0.2 * done.width;
    if (square) done.height = room * (done.height / done.width);
    done.width = room;
  }
  if (done.gradientLength > room) done.gradientLength = room;
  if (typeof done.title === "string" && !done.field) done.title = lines(done.title);
  else if (Array.isArray(done.title)) done.title = done.title.flatMap(lines);
  return done;
}

function lines(text) {
  const found = [""];
  for (const word of text.split(" ")) {
    const last = found[found.length - 1];
    if (last && last.length + word.length > 44) found.push(word);
    else found[found.length - 1] = last ? `${last} ${word}` : word;
  }
  return found.length > 1 ? found : text;
}

function draw(chart) {
  const name = chart.dataset.figure;
  const spec = specOf(name, chart.parentElement.clientWidth);
  // ast: expressions are interpreted, where Vega would make functions of them and the policy forbid it
  const options = { actions: false, ast: true, renderer: chart.dataset.renderer };
  return vegaEmbed(chart, spec, options).then(
    (result) => {
      views.set(name, result.view);
      chart.style.minHeight = "";
      chart.classList.toggle("is-narrow", NARROW.matches && Boolean(document.getElementById(`narrow-${name}`)));
      const card = chart.parentElement;
      card.classList.add("is-drawn");
      card.nextElementSibling.hidden = card.scrollWidth <= card.clientWidth; // nothing to scroll
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
  for (const changed of [dark, NARROW])
    changed.addEventListener("change", () => {
      for (const name of views.keys()) draw(document.querySelector(`[data-figure="${name}"]`));
    });
}

function filterLedger() {
  const form = document.querySelector(".filters");
  if (!form) return;
  const claims = [...document.querySelectorAll("#ledger .claim")];
  let texts = null; // read when somebody searches: it takes longer than the rest of this script
  const shown = document.getElementById("shown");
  const choices = ["document", "verdict", "measured", "evidence", "model"];

  function textOf(claim, withSql) {
    const parts = [claim.id, ...[...claim.children].filter((one) => withSql || !one.matches(".sql")).map((one) => one.textContent)];
    return parts.join(" ").toLowerCase().replace(/\s+/g, " ");
  }

  // The phrase as typed; if no claim has it, its words in any order.
  function matching() {
    const phrase = form.elements.search.value.toLowerCase().trim().replace(/\s+/g, " ");
    if (!phrase) return () => true;
    const withSql = form.elements.sql.checked;
    if (texts?.withSql !== withSql) texts = { withSql, of: claims.map((claim) => textOf(claim, withSql)) };
    const words = texts.of.some((text) => text.includes(phrase)) ? [phrase] : phrase.split(" ");
    return (n) => words.every((word) => texts.of[n].includes(word));
  }

  function apply() {
    const matches = matching();
    const verdict = form.elements.verdict.value;
    let count = 0;
    claims.forEach((claim, n) => {
      const fits =
        matches(n) &&
        choices.every((key) => {
          const wanted = form.elements[key].value;
          return !wanted || claim.dataset[key].split(" ").includes(wanted);
        });
      claim.hidden = !fits;
      for (const item of claim.querySelectorAll(".items > li")) item.hidden = Boolean(verdict) && item.dataset.verdict !== verdict;
      count += fits;
    });
    shown.textContent = count === claims.length ? `${count} claims` : `${count} of ${claims.length} claims`;
    remember();
  }

  // The address keeps what is chosen, so that it can be shared.
  function remember() {
    const chosen = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    const query = chosen.size ? `?${chosen}` : "";
    if (query === location.search) return;
    try {
      history.replaceState(null, "", location.pathname + query + location.hash);
    } catch {
      // a browser may refuse that for files on disk; the filters work all the same
    }
  }

  for (const [key, value] of new URLSearchParams(location.search)) {
    const field = form.elements[key];
    if (field?.type === "checkbox") field.checked = true;
    else if (field) field.value = value;
  }
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  // A browser that comes back to the page fills the form as it was left.
  apply();
}

// A word of the glossary is explained on the spot; without this script it is a link to the glossary.
function explainWords() {
  const source = document.getElementById("glossary-words");
  if (!source || !HTMLElement.prototype.showPopover) return;
  const words = JSON.parse(source.textContent);
  const popup = document.createElement("div");
  popup.className = "popup";
  popup.popover = "auto";
  popup.setAttribute("role", "note");
  document.body.append(popup);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.term");
    if (!link || event.ctrlKey || event.metaKey || !words[link.dataset.term]) return;
    event.preventDefault();
    const [word, meaning] = words[link.dataset.term];
    const title = document.createElement("strong");
    title.textContent = word;
    const text = document.createElement("p");
    text.innerHTML = meaning; // written by us, escaped when the page was made
    popup.replaceChildren(title, text);
    popup.hidePopover();
    popup.showPopover();
    const box = link.getBoundingClientRect();
    const left = Math.min(box.left, document.documentElement.clientWidth - popup.offsetWidth - 16);
    popup.style.left = `${Math.max(left, 16) + scrollX}px`;
    popup.style.top = `${box.bottom + scrollY + 6}px`;
  });
}

// Addresses from before the report had several pages.
const MOVED = { claim: "ledger.html", item: "ledger.html", figure: "figures.html" };

function land() {
  const target = document.getElementById(location.hash.slice(1)); // ids here are plain, never percent-encoded
  if (!target) {
    const page = MOVED[location.hash.slice(1).split("-")[0]];
    if (page && document.getElementById("answer")) location.replace(page + location.hash);
    return;
  }
  if (target.hidden || target.closest(".claim")?.hidden) {
    document.querySelector(".filters").reset();
    for (const one of document.querySelectorAll("#ledger .claim, #ledger .items > li")) one.hidden = false;
  }
  for (let box = target; box; box = box.parentElement?.closest("details")) {
    if (box instanceof HTMLDetailsElement) box.open = true;
  }
  target.scrollIntoView({ behavior: "instant" });
}

drawWhenNear();
filterLedger();
explainWords();
addEventListener("hashchange", land);
if (location.hash) land();
window.normhouse = { views };
