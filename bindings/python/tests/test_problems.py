"""Contact problems as arrays."""

import math

import numpy as np
import pytest

import drystone

MASS, H, G, MU = 2.0, 0.01, 9.81, 0.5


def point_on_plane(push):
    """A point of 2 kg on the plane z = 0 with mu = 0.5, pushed along x by an impulse: H has the
    columns normal, tangent x, tangent y."""
    mass = MASS * np.eye(3)
    jacobian = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
    force = np.array([push, 0, -MASS * G * H])
    return mass, jacobian, force


def test_a_push_within_friction_sticks():
    answer = drystone.solve(drystone.Problem.bodies(*point_on_plane(0.05), mu=[MU]), tolerance=1e-12)
    assert answer.within_tolerance and answer.natural_map <= 1e-12
    assert answer.impulses == pytest.approx([MASS * G * H, -0.05, 0], abs=1e-11)
    assert answer.velocities == pytest.approx([0, 0, 0], abs=1e-11)


@pytest.mark.parametrize("solver", ["auto", "nsgs", "sor-prox"])
def test_a_push_beyond_friction_slides(solver):
    push = 0.3
    answer = drystone.solve(
        drystone.Problem.bodies(*point_on_plane(push), mu=[MU]), solver, tolerance=1e-10
    )
    normal = MASS * G * H
    assert answer.status == "converged"
    assert answer.impulses == pytest.approx([normal, -MU * normal, 0], abs=1e-9)
    assert answer.velocities == pytest.approx([0, (push - MU * normal) / MASS, 0], abs=1e-9)


def test_both_forms_and_kinds_of_matrix_agree():
    mass, jacobian, force = point_on_plane(0.3)
    inverse = np.linalg.inv(mass)
    delassus, q = jacobian.T @ inverse @ jacobian, jacobian.T @ inverse @ force
    one = drystone.solve(drystone.Problem.bodies(mass, jacobian, force, mu=[MU]))
    two = drystone.solve(drystone.Problem.delassus(delassus, q, [MU]))
    assert one.impulses == pytest.approx(two.impulses, abs=1e-9)
    sparse = pytest.importorskip("scipy.sparse")
    three = drystone.solve(drystone.Problem.delassus(sparse.csr_matrix(delassus), q, [MU]))
    assert np.array_equal(two.impulses, three.impulses)
    warm = drystone.solve(
        drystone.Problem.delassus(delassus, q, [MU]), start=two.impulses, tolerance=1e-3
    )
    assert warm.iterations == 0 and warm.reason == "warm_start"


def test_limits_and_settings_reach_the_solver():
    problem = drystone.Problem.delassus(np.array([[2.0, 1, 0], [1, 2, 0], [0, 0, 2]]), [-1, 2, 1], [MU])
    answer = drystone.solve(problem, "sor-prox", 1e-14, max_iterations=1)
    assert answer.iterations == 1 and not answer.within_tolerance
    with pytest.raises(drystone.InputError, match="no_such"):
        drystone.solve(problem, "sor-prox", settings={"no_such": 1})


def test_contacts_in_the_plane_have_two_rows():
    problem = drystone.Problem.delassus(np.eye(2) / MASS, [-G * H, 0.01], [MU])
    assert problem.contacts == 1 and problem.friction_model == "cone"
    answer = drystone.solve(problem, tolerance=1e-12)
    assert answer.impulses[:2] == pytest.approx([MASS * G * H, -MASS * 0.01], abs=1e-11)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((np.eye(2), [0, 0, 0], [MU]), r"W must have the shape \(3, 3\), got \(2, 2\)"),
        ((np.eye(3), [0, 0, 0], [-1]), "mu must be at least 0"),
        ((np.eye(3), [0, 0, math.nan], [MU]), "q must be finite"),
        ((np.eye(4), [0, 0, 0, 0], [MU]), "mu must have one entry a contact"),
        ((np.full((3, 3), math.inf), [0, 0, 0], [MU]), "W must be finite"),
        (("abc", [0, 0, 0], [MU]), "W must be numbers"),
    ],
)
def test_bad_arrays_are_named(arguments, message):
    with pytest.raises(drystone.InputError, match=message):
        drystone.Problem.delassus(*arguments)


def test_bad_bodies_and_questions_are_named():
    mass, jacobian, force = point_on_plane(0)
    with pytest.raises(drystone.InputError, match="singular"):
        drystone.Problem.bodies(0 * mass, jacobian, force, mu=[MU])
    with pytest.raises(drystone.InputError, match="H must have 3 rows"):
        drystone.Problem.bodies(mass, jacobian[:2], force, mu=[MU])
    problem = drystone.Problem.bodies(mass, jacobian, force, mu=[MU])
    with pytest.raises(drystone.InputError, match="tolerance"):
        drystone.solve(problem, tolerance=math.nan)
    with pytest.raises(drystone.InputError, match=r"start must have the shape \(3,\)"):
        drystone.solve(problem, start=[0, 0])
    with pytest.raises(drystone.InputError, match="no_such"):
        drystone.solve(problem, "no_such")
    with pytest.raises(drystone.InputError, match="problem must come from"):
        drystone.solve(mass)
    with pytest.raises(drystone.InputError, match="missing.json"):
        drystone.read_problem("missing.json")


def test_files_are_read(tmp_path):
    path = tmp_path / "block.json"
    path.write_text("{}")
    with pytest.raises(drystone.InputError, match="block.json"):
        drystone.read_problem(path)


def test_solvers_say_what_they_are():
    solvers = {entry["name"]: entry for entry in drystone.solvers()}
    assert {"auto", "nsgs", "sor-prox", "bpp"} <= set(solvers)
    assert all(entry["summary"] for entry in solvers.values())


def test_matrices_that_no_bodies_have_are_refused():
    W, M, H = np.eye(3), np.eye(3), np.eye(3)
    W[0, 1] = 0.5
    with pytest.raises(drystone.InputError, match="W must be symmetric, differs .* 0.5"):
        drystone.Problem.delassus(W, np.zeros(3), [0.5])
    W[1, 0] = 0.5 + 1e-8  # as of single precision
    assert drystone.Problem.delassus(W, np.zeros(3), [0.5]).rows == 3
    with pytest.raises(drystone.InputError, match="W must be at least 0 on its diagonal, is -1.* at 2"):
        drystone.Problem.delassus(np.diag([1, 1, -1]), np.zeros(3), [0.5])
    with pytest.raises(drystone.InputError, match="M must be at least 0 on its diagonal, is -2.* at 0"):
        drystone.Problem.bodies(-2 * M, H, np.zeros(3), [0.5])
    M[0, 1] = 0.1
    with pytest.raises(drystone.InputError, match="M must be symmetric"):
        drystone.Problem.bodies(M, H, np.zeros(3), [0.5])
    M[0, 1] = M[1, 0] = 2  # indefinite, with a diagonal of 1
    with pytest.raises(drystone.InputError, match="H must be at least 0 on its diagonal"):
        drystone.Problem.bodies(M, H, np.zeros(3), [0.5])
