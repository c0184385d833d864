"""Pictures of worlds as arrays, drawn without a window. OpenGL is looked for by the first one."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ._drystone import InputError

# An OpenGL context is of one thread; to make one takes as long as several pictures.
_kept = threading.local()
_MOST_KEPT = 4  # sizes a thread


def _open(width: int, height: int) -> Any:
    try:
        from . import _render
    except ModuleNotFoundError as error:
        raise RuntimeError(
            "this package cannot draw: it was built without the viewer. Run scripts/setup, and build "
            "with -D DRYSTONE_BUILD_VIEWER=ON"
        ) from error
    except ImportError as error:
        raise RuntimeError(
            f"pictures need a library that is missing: {error}; apt install libepoxy0 libpng16-16 "
            "libegl1 libopengl0 libegl-mesa0 libgl1-mesa-dri"
        ) from error
    return _render.Renderer(width, height)


def renderer(width: int, height: int) -> Any:
    """This thread's renderer for pictures of that size [pixels]. RuntimeError names what is missing
    where nothing can be drawn."""
    sizes = _kept.__dict__.setdefault("sizes", {})
    if (width, height) not in sizes:
        made = _open(width, height)
        while len(sizes) >= _MOST_KEPT:
            del sizes[next(iter(sizes))]
        sizes[width, height] = made
    return sizes[width, height]


def picture(
    drawing: Any,
    width: int,
    height: int,
    position: Any,
    target: Any,
    field_of_view: Any,
    contacts: bool,
) -> np.ndarray:
    """Pixels of a world: World.render()."""
    for name, size in (("width", width), ("height", height)):
        if not hasattr(size, "__index__"):
            raise InputError(f"render: {name} must be a whole number of pixels, got {size!r}")
    if not isinstance(contacts, (bool, np.bool_)):
        raise InputError(f"render: contacts must be True or False, got {contacts!r}")
    drawn = renderer(width, height)
    return drawn.draw(*drawing.draw(width / height, position, target, field_of_view, contacts))
