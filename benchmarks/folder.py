"""Photos a second: one by one, side by side, and encoding alone, in one run on one thread; ratios are what counts.

python benchmarks/folder.py [--photos 24]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import torch

from attnviewer.core.images import load_picture
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import resources_dir
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.runs.caption import encode_all
from attnviewer.runs.engine import Engine

TOGETHER = 8


def rate(work: Callable[[], object], count: int) -> float:
    """Photos a second of processor time."""
    began = time.process_time()
    work()
    return count / (time.process_time() - began)


def main() -> None:
    """Print the three rates and their ratios."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=24)
    parser.add_argument("--beam", type=int, default=3)
    count, beam = vars(parser.parse_args()).values()
    torch.set_num_threads(1)
    files = sorted((resources_dir() / "images").glob("*.jpg"))
    pictures = [load_picture(files[place % len(files)]) for place in range(count)]
    requests = [CaptionRequest(picture, decoding=Decoding(beam=beam)) for picture in pictures]
    engine = Engine(device="cpu")
    encoder = engine.zoo.captioner(None, "soft").encoder
    groups = [range(start, min(start + TOGETHER, count)) for start in range(0, count, TOGETHER)]
    outcome(engine.run(requests[0]))
    encoding = rate(lambda: [encode_all([pictures[i] for i in group], encoder, "cpu") for group in groups], count)
    alone = rate(lambda: [outcome(engine.run(request)) for request in requests], count)
    together = rate(lambda: [engine.caption_all([requests[i] for i in group]) for group in groups], count)
    print(f"encoding alone {encoding:.1f}/s, one by one {alone:.1f}/s, side by side {together:.1f}/s")
    print(f"side by side against one by one {together / alone:.2f}, against encoding alone {together / encoding:.2f}")


if __name__ == "__main__":
    main()
