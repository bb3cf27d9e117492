"""How alike texts are by vectors that were learnt: means of word vectors, or sentence embeddings."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.explore.documents import cosines
from attnviewer.core.explore.findings import Alike
from attnviewer.core.explore.requests import AlikeRequest
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study
from attnviewer.core.trace import frozen
from attnviewer.runs.keys import library_of


def alike(engine: Any, request: AlikeRequest) -> Study:
    """Cosines between texts; vectors are kept as long as the engine lives."""
    if not request.texts:
        raise UserError(tr("there are no documents; give at least one text."))
    index = yield from library_of(engine.zoo).index(request.keys, request.texts)
    vectors: Any = index.items.vectors
    dense = vectors.toarray() if hasattr(vectors, "toarray") else np.asarray(vectors)
    found = Alike(request.keys, frozen(cosines(dense)))
    yield found
    return found
