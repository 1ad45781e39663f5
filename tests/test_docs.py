"""The README's and the docs' commands are run, and what they print is compared."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TABLE_FILE = re.compile(r"[\w.\-]+\.(?:csv|json|jsonl\.gz)$")

_TREE = re.compile(r"inference_results_(v\d+\.\d+)")


@pytest.fixture
def shared_data_or_none() -> Path | None:
    """The folder of published tables beside the project, if there is one."""
    folder = ROOT.parent / "shared" / "data"
    return folder if (folder / "mlperf").is_dir() else None


def blocks(language: str) -> list[tuple[str, str]]:
    """The pages' code blocks of a language, with a name to show."""
    return [
        (f"{page.name}-{i}", match[2])
        for page in PAGES
        for i, match in enumerate(_BLOCK.finditer(page.read_text("utf-8")))
        if match[1] == language
    ]


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output shown for it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def as_shown(shown: str) -> re.Pattern[str]:
    """A pattern for an output in which "..." stands for anything, and whole lines of it for any lines."""
    lines = shown.rstrip("\n").split("\n")
    pattern = ""
    for i, line in enumerate(lines):
        if line == "...":
            pattern += r"(?:.*\n)*?" if i + 1 < len(lines) else r"(?:.*\n?)*"
        else:
            pattern += ".*".join(re.escape(part.rstrip()) for part in line.split("...")) + r"\s*\n"
    return re.compile(pattern)


@pytest.mark.parametrize(("name", "block"), blocks("console"), ids=lambda value: value if len(value) < 40 else "")
def test_the_commands_print_what_is_shown(name, block, tmp_path, shared_data_or_none):
    for command, shown in commands(block):
        program, *arguments = shlex.split(command)
        assert program == "groundspeed"
        for argument in arguments:
            if (
                not (_TABLE_FILE.match(argument) or _TREE.fullmatch(argument))
                or arguments[arguments.index(argument) - 1] == "--output"
            ):
                continue
            if shared_data_or_none is None:
                pytest.skip(f"{argument} is published, and ../shared/data is not here")
            tree = _TREE.fullmatch(argument)
            table = shared_data_or_none / "mlperf" / (f"trees/{tree[1]}" if tree else argument)
            if not (tmp_path / argument).exists():
                (tmp_path / argument).symlink_to(table)
        done = subprocess.run(
            [sys.executable, "-m", "groundspeed", *arguments], capture_output=True, text=True, cwd=tmp_path, check=False, encoding="utf-8",
            env={**os.environ, "COLUMNS": "", "NO_COLOR": "1"},
        )  # fmt: skip
        assert done.returncode == 0, f"{command}: {done.stderr}"
        if shown.strip():
            assert as_shown(shown).fullmatch(done.stdout), f"{command} prints:\n{done.stdout[:3000]}"


@pytest.mark.parametrize(("name", "block"), blocks("pycon"), ids=lambda value: value if len(value) < 40 else "")
def test_the_python_examples_give_what_is_shown(name, block):
    examples = doctest.DocTestParser().get_doctest(block, {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(examples).failed == 0


def test_every_page_has_something_to_run():
    assert len(blocks("console")) >= 8
    assert len(blocks("pycon")) >= 2


def test_links_between_the_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_readme_names_the_two_commands_that_the_makefile_has():
    text = (ROOT / "README.md").read_text("utf-8")
    assert "```sh\nmake audit\nmake test\n```" in text
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^audit:", makefile, re.MULTILINE)
    assert re.search(r"^test:", makefile, re.MULTILINE)
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8")
