"""Photo after photo and sentence after sentence take no more memory: what was kept of the first ones is let go.

60 of each in the suite, 500 by `pytest --long`; in a process of its own, whose largest memory can only grow.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
GROWTH = 1.05  # of the memory after a tenth
CODE = """
import json, resource, sys
import numpy as np
import torch
torch.set_num_threads(1)
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import resources_dir
from attnviewer.core.request import CaptionRequest, TranslateRequest
from attnviewer.runs.engine import Engine

count, engine = int(sys.argv[1]), Engine(device="cpu")
photos = [load_picture(path) for path in sorted((resources_dir() / "images").glob("*.jpg"))]
words = "el perro la casa un gato negro come duerme en una mesa blanca y no quiere salir hoy porque llueve".split()
seen = []
for number in range(count):
    photo = photos[number % len(photos)]
    shifted = Picture(np.ascontiguousarray(np.roll(photo.pixels, number, axis=1)))
    outcome(engine.run(CaptionRequest(shifted, device="cpu")))
    sentence = " ".join(words[(number * step) % len(words)] for step in range(3, 3 + number % 12 + 1)) + "."
    outcome(engine.run(TranslateRequest(sentence, device="cpu")))
    if number + 1 in (max(count // 10, 12), count):
        seen.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(json.dumps(seen))
"""


def test_memory_does_not_grow_with_what_was_shown(long: bool) -> None:
    own = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    call = [sys.executable, "-c", CODE, str(500 if long else 60)]
    ended = subprocess.run(call, capture_output=True, text=True, env=own, check=True)
    early, late = json.loads(ended.stdout)
    assert late <= GROWTH * early, f"{early / 1024:.0f} MB early, {late / 1024:.0f} MB at the end"
