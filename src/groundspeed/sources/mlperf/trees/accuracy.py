"""accuracy.txt: whatever the benchmark's own script printed, of which only the metrics are wanted.

The scripts print a dictionary, "name=value%" or "name: mean = value"; each line that does is read, and the last word counts, because
intermediate figures come before the final one.
"""

from __future__ import annotations

import re

_NUMBER = r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_QUOTED = re.compile(rf"""['"]([A-Za-z][\w@]*)['"]\s*:\s*(?:np\.\w+\()?['"]?({_NUMBER})\b""")
_ASSIGNED = re.compile(rf"(?<![\w.])(accuracy|AUC|mAP)\s*=\s*({_NUMBER})%?")
_DICE = re.compile(rf"Accuracy: mean\s*=\s*({_NUMBER})")
_GAUC = re.compile(rf"metric/lifetime_(accuracy|gauc|ne)/rating: ({_NUMBER})")
# What a script's names are called in the tables and targets, by benchmark; "" where it is not the judged one.
_NAMES = {
    "resnet50": {"accuracy": "acc"},
    "rgat": {"accuracy": "acc"},
    "whisper": {"accuracy": "ACCURACY"},
    "dlrm-v2": {"accuracy": ""},
    "dlrm-v3": {"accuracy": "DLRM_ACC", "gauc": "DLRM_AUC", "ne": "DLRM_NE"},
    "mixtral-8x7b": {"gsm8k": "gsm8k_accuracy", "mbxp": "mbxp_accuracy"},
    "qwen3-vl-235b-a22b": {"f1": "F1_HIERARCHICAL"},
}


# Scripts print their result last; before it some print a line a sample.
_TAIL = 1 << 12


def metrics(text: str, benchmark: str) -> str:
    """The metrics of an accuracy file, as "name: value" pairs.

    Args:
        text: The file's text.
        benchmark: Canonical benchmark, which decides what a plain "accuracy" is called.

    Returns:
        "rouge1: 44.5302  rouge2: 22.1844"; "" if it prints none that is known.
    """
    found: dict[str, str] = {}
    text = text[-_TAIL:]
    for line in text.split("\n"):
        if "{" in line or line.lstrip().startswith(("'", '"')):
            found |= dict(_QUOTED.findall(line))
    if "=" in text:
        found |= dict(_ASSIGNED.findall(text))
    if "mean" in text and (dice := _DICE.findall(text)):
        found["DICE"] = dice[-1]
    if "lifetime" in text:
        found |= dict(_GAUC.findall(text))
    called = _NAMES.get(benchmark, {})
    pairs = ((called.get(name, name), value) for name, value in found.items())
    return "  ".join(f"{name}: {value}" for name, value in pairs if name)
