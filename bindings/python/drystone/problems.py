"""Contact problems without a world, from arrays and files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Union

import numpy as np

from . import _drystone
from ._drystone import InputError


def _vector(value: Any, name: str, size: Optional[int] = None) -> np.ndarray:
    try:
        array = np.atleast_1d(np.asarray(value, dtype=float))
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be numbers: {error}") from error
    if array.ndim != 1 or (size is not None and array.size != size):
        wanted = "one dimension" if size is None else f"the shape ({size},)"
        raise InputError(f"{name} must have {wanted}, got {array.shape}")
    if not np.isfinite(array).all():
        raise InputError(f"{name} must be finite, is not at {np.flatnonzero(~np.isfinite(array))[0]}")
    return array


def _entries(value: Any, name: str, shape: tuple[int, int]):
    """Rows, columns and values of a dense array or a matrix of scipy.sparse."""
    if hasattr(value, "tocoo"):
        matrix = value.tocoo()
        rows, columns, numbers = matrix.row, matrix.col, matrix.data
        found = matrix.shape
    else:
        try:
            matrix = np.asarray(value, dtype=float)
        except (TypeError, ValueError) as error:
            raise InputError(f"{name} must be numbers: {error}") from error
        found = matrix.shape
        rows, columns = np.nonzero(matrix) if matrix.ndim == 2 else ((), ())
        numbers = matrix[rows, columns] if matrix.ndim == 2 else ()
    if tuple(found) != shape:
        raise InputError(f"{name} must have the shape {shape}, got {tuple(found)}")
    if not np.isfinite(numbers).all():
        raise InputError(f"{name} must be finite")
    return (np.asarray(rows, np.int32), np.asarray(columns, np.int32), np.asarray(numbers, float))


class Problem(_drystone.StoredProblem):
    """A contact problem w = A λ + b. Each contact has a normal and two tangents, or one in the
    plane; impulses are in [N s], velocities in [m/s]. Friction is that of Coulomb's cone."""

    @staticmethod
    def delassus(W: Any, q: Any, mu: Any) -> _drystone.StoredProblem:
        """u = W r + q. W is (n, n) [1/kg], dense or of scipy.sparse and symmetric; q is (n,) [m/s];
        mu is (contacts,)."""
        offset = _vector(q, "q")
        matrix = _entries(W, "W", (offset.size, offset.size))
        return _drystone.StoredProblem._delassus(matrix, offset, _vector(mu, "mu"))

    @staticmethod
    def bodies(M: Any, H: Any, f: Any, mu: Any, w: Any = None) -> _drystone.StoredProblem:
        """M v = f + H r, u = Hᵀ v + w, as FCLIB's global form. M is (m, m) [kg], H is (m, n), f is
        (m,) [N s]: of bodies that move at v0, M v0 and the impulses of forces; w is (n,) [m/s], 0
        unless given; mu is (contacts,). v is eliminated."""
        force = _vector(f, "f")
        found = tuple(np.shape(H))
        if len(found) != 2 or found[0] != force.size:
            raise InputError(f"H must have {force.size} rows, as f has, got the shape {found}")
        rows = found[1]
        offset = np.zeros(rows) if w is None else _vector(w, "w", rows)
        mass = _entries(M, "M", (force.size, force.size))
        jacobian = _entries(H, "H", (force.size, rows))
        return _drystone.StoredProblem._bodies(mass, jacobian, force, offset, _vector(mu, "mu"))


@dataclass
class Solution:
    """The answer of a solver, as the judge measures it."""

    impulses: np.ndarray  # (rows,) [N s]; three a contact, in the plane too: normal, tangents
    velocities: np.ndarray  # w = A λ + b, (rows,) [m/s]
    status: str  # as the solver sees it: converged, iteration_limit, ...
    reason: str  # why this is the answer: asked, trivial, ...
    within_tolerance: bool  # natural_map is within the tolerance
    natural_map: float  # residual [m/s]
    relative: float  # relative error
    energy_error: float  # largest of a row [J]
    cone_excess: float  # impulse by which friction leaves its cone [N s]
    iterations: int
    time_ms: float


def read_problem(path: Any) -> _drystone.StoredProblem:
    """A stored contact problem, from JSON, HDF5 or FCLIB."""
    return _drystone.read_problem(str(path))


def solve(
    problem: _drystone.StoredProblem,
    solver: str = "auto",
    tolerance: float = 1e-6,
    *,
    settings: Optional[Mapping[str, Any]] = None,
    max_iterations: Optional[int] = None,
    time_limit_s: float = 1e9,
    start: Union[np.ndarray, None] = None,
) -> Solution:
    """Solves a problem until its natural map is within the tolerance [m/s]. `settings` are those of
    the solver; `start` holds impulses to start from, (rows,) [N s]."""
    if not isinstance(problem, _drystone.StoredProblem):
        raise InputError("problem must come from Problem.delassus, Problem.bodies or read_problem")
    texts = {
        key: value if isinstance(value, str) else json.dumps(value)
        for key, value in (settings or {}).items()
    }
    return Solution(
        **problem._solve(solver, tolerance, texts, max_iterations, time_limit_s, start)
    )
