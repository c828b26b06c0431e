"""What `just lineage` says, and what it says of wrong input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.lineage.show import MOST_REASONS
from tests.lineage.planted import planted_models
from tests.sql.lakes import write_lake


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("written") / "data"
    write_lake(data / "planted", planted_models())
    return data


@pytest.fixture
def lake(written: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("NORMHOUSE_DATA", str(written))
    return "planted"


@pytest.mark.slow
def test_a_pair_is_answered_in_words_with_the_limits_of_the_test(
    lake: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lineage", "base", "child", "--lake", lake, "--permutations", "500"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("base and child: share weight history")
    assert "threshold 5.0 (1 in 3 million" in out
    assert "no direction" in out
    assert "altered norms can evade it" in out
    assert "derived" not in out
    assert len(out.splitlines()) <= 4
    assert max(map(len, out.splitlines())) <= 80
    assert f"lake planted: {len(planted_models())} models" in err


@pytest.mark.slow
def test_details_have_every_figure_and_layers_only_of_relatives(
    lake: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--lake", lake, "--permutations", "500", "--details"]
    assert main(["lineage", "base", "child", *asked]) == 0
    out = capsys.readouterr().out
    assert "of 500 joint permutations" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80
    assert main(["lineage", "base", "pruned", *asked]) == 0
    assert "nearest layers" in capsys.readouterr().out
    assert main(["lineage", "base", "short_stranger", *asked]) == 0
    assert "nearest layers" not in capsys.readouterr().out


@pytest.mark.slow
def test_the_replica_is_said_to_be_no_evidence(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lake(
        data / "replica", {"one": planted_models()["base"], "two": planted_models()["child"]}, "replica"
    )
    assert main(["lineage", "one", "two", "--lake", "replica", "--permutations", "10"]) == 0
    out, err = capsys.readouterr()
    assert "caution: synthetic replica" in out
    assert "caution" not in err  # once, beside the answer
    assert main(["lineage", "one", "two", "--lake", "replica", "--permutations", "10", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["caution"].startswith("synthetic replica")
    assert told["pair"]["verdict"] == "share weight history"
    assert main(["lineage", "--lake", "replica"]) == 0
    assert "caution: synthetic replica" in capsys.readouterr().out


@pytest.mark.slow
def test_without_models_all_pairs_are_listed_related_ones_first(
    lake: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lineage", "--lake", lake]) == 0
    lines = capsys.readouterr().out.splitlines()
    pairs = lines[1 : lines.index("")]
    assert "share weight history" in pairs[0]
    pruned = next(line for line in pairs if line.startswith("base ") and " pruned " in line)
    assert pruned.endswith("share weight history")
    not_compared = [line for line in pairs if " more pair" in line and ": cannot tell" in line]
    assert len({line.partition(": ")[2] for line in not_compared}) == len(not_compared)
    listed = [line for line in pairs if " more pair" not in line]
    told = sum(int(line.split()[0].replace(",", "")) for line in pairs if " more pair" in line)
    assert not [line for line in pairs if line.startswith("1 more pairs")]
    assert len(not_compared) <= MOST_REASONS + 1
    assert len(listed) + told == len(planted_models()) * (len(planted_models()) - 1) // 2


@pytest.mark.slow
def test_nearest_lists_relatives_first_and_the_same_for_machines(
    lake: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["nearest", "base", "--lake", lake]) == 0
    first = capsys.readouterr().out.splitlines()[3]
    assert first.endswith("share weight history")
    assert main(["nearest", "base", "--lake", lake, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["nearest"][0]["model"] == first.split()[1]
    assert (told["lake"], told["model"]) == ("planted", "base")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lineage", "base", "nobody"], "no model 'nobody' in lake 'planted': "),
        (["lineage", "bose", "child"], "no model 'bose' in lake 'planted': did you mean base"),
        (["nearest", "bose"], "no model 'bose' in lake 'planted': did you mean base"),
        (["lineage", "base", "base"], "'base' twice"),
        (["lineage", "base"], "takes two models or none, not 1"),
        (["lineage", "base", "child", "--permutations", "0"], "at least 1 is needed"),
        (["calibrate"], "does not say who descends from whom"),
    ],
)
def test_wrong_input_is_one_line(
    lake: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main([*arguments, "--lake", lake]) == 1
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err
