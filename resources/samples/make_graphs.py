#!/usr/bin/env python3
"""Writes graph.json beside every sample's model.py: the module captured with symbolic sizes.

Run with an interpreter that imports torch, after a change to a model: python3 resources/samples/make_graphs.py
"""

import json
import pathlib
import sys

SAMPLES = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(SAMPLES.parent / "capture"))

from plumbline_capture import model  # noqa: E402


def main():
    for source in sorted(SAMPLES.glob("*/model.py")):
        captured = model.handle({"path": str(source), "mode": "train"})
        text = json.dumps(captured["program"], indent=1).replace(json.dumps(str(source))[1:-1], source.name)
        (source.parent / "graph.json").write_text(text + "\n")
        print(source.parent.name)


if __name__ == "__main__":
    main()
