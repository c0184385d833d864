"""What draws, loaded with the first picture. World.render() is how it is used."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

class Renderer:
    def __init__(self, width: int, height: int) -> None: ...
    def draw(self, list: Any, camera: Any) -> NDArray[np.uint8]: ...
