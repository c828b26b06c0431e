"""The command line of `python -m analysis`, before any command runs."""

from __future__ import annotations

import argparse

import pytest

from analysis.__main__ import main
from analysis.cli import add_parsers

Capture = pytest.CaptureFixture[str]


def commands() -> list[str]:
    parsers = argparse.ArgumentParser().add_subparsers()
    add_parsers(parsers)
    return list(parsers.choices)


@pytest.mark.parametrize("command", [command for command in commands() if command != "shell"])
def test_a_wrong_option_prints_the_usage_of_its_own_command(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--frobnicate"])
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith(f"usage: just {command} ")
    assert error.splitlines()[-1].startswith(f"just {command}: error: ")


@pytest.mark.parametrize("command", commands())
def test_every_command_has_help(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"usage: just {command} " in capsys.readouterr().out
