"""The page about Python, and the stubs of the compiled part."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import drystone
from drystone import _drystone

ROOT = Path(__file__).resolve().parents[3]


def blocks_of(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def test_programs_of_the_page_print_what_they_say(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, scale, belt, picture, recording, problem = blocks_of("docs/python.md")
    names = {}
    exec(first, names)
    # As the C++ program of docs/embedding.md: the box rests half its size above the plane, and the motor
    # holds rho V g cos(1.2) / 2 = 1000 * 0.01 * 9.81 * 0.3624 / 2 = 17.77 N m.
    height, arm = capsys.readouterr().out.splitlines()
    assert re.match(r"height 0\.(500000|499999) m", height)
    assert arm == "arm at 1.200 rad, held by 17.77 N m"
    exec(scale, names)
    capsys.readouterr()
    assert abs(names["reading"].force - [0, 0, -2 * 9.81]).max() < 1e-6
    assert abs(names["reading"].center - [0.5, 0, 0]).max() < 1e-6
    exec(belt + recording, names)
    assert capsys.readouterr().out.splitlines() == ["1.000 m/s", "(61, 2, 3)"]
    exec(problem, names)
    assert abs(names["answer"].impulses - [0.1962, -0.0981, 0]).max() < 1e-9


def test_program_of_the_readme_runs(capsys):
    (program,) = blocks_of("README.md")
    exec(program, {})
    assert capsys.readouterr().out.startswith("(26, 3) ")


def test_without_numpy_the_remedy_is_named():
    """In a Python of its own, where importing NumPy fails as where there is none."""
    program = """
import sys
sys.modules["numpy"] = None
try:
    import drystone
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"needs NumPy, which this Python lacks: {sys.executable} -m pip" in done.stdout, done


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_stubs_name_all_that_is_there():
    tree = ast.parse((Path(drystone.__file__).parent / "_drystone.pyi").read_text())
    figures = public(vars(_drystone.StepReport))
    for entry in tree.body:
        if not isinstance(entry, ast.ClassDef) or entry.name == "InputError":
            continue
        stubs = {one.name for one in entry.body if isinstance(one, ast.FunctionDef)}
        stubs |= {one.target.id for one in entry.body if isinstance(one, ast.AnnAssign)}
        there = public(vars(getattr(_drystone, entry.name)))
        if entry.name == "StepReport":
            assert public(stubs) < figures and {"natural_map", "penetration", "contacts"} < figures
        else:
            assert public(stubs) == there, entry.name
    declared = {one.name for one in tree.body if isinstance(one, (ast.ClassDef, ast.FunctionDef))}
    declared |= {one.target.id for one in tree.body if isinstance(one, ast.AnnAssign)}
    assert public(declared) == public(vars(_drystone))


def test_all_that_is_exported_has_a_text():
    for name in drystone.__all__:
        thing = getattr(drystone, name)
        assert isinstance(thing, (int, str)) or thing.__doc__, name
    report = _drystone.StepReport
    assert "[m/s]" in report.natural_map.__doc__ and "[m]" in report.penetration.__doc__
