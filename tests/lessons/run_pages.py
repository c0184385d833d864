"""Does what pages tell their readers to do, and compares what comes out with what the pages show.

    run_pages.py FOLDER PAGE... [NAME=PROGRAM...]

A page may use files of the pages before it. Comments before its blocks say what becomes of them:

    <!-- file: NAME -->       the block becomes this file
    <!-- run -->              sh and Python run in FOLDER, which is emptied first
    <!-- run: picture -->     likewise, may end with 5 (this machine cannot draw), and is no "last run"
    <!-- output -->           what the last run printed has these lines
    <!-- output: NAME -->     what the compiled PROGRAM prints has these lines

In outputs "…" stands for anything, on a line of its own for any number of lines. Widths of columns do
not count. Numbers may be off by 1e-3 of their size, as compilers round, and by 1e-8: what is below
is round-off in metres, m/s and J.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
CANNOT_DRAW = 5  # an exit code of drystone


def blocks(page):
    """(marks, language, text) of each block that has marks: (what, name) of each comment."""
    fenced = r"((?:<!-- [a-z]+(?:: [\w. ]+)? -->\n)+)```(\w+)\n(.*?)^```$"
    for comments, language, text in re.findall(fenced, page, re.DOTALL | re.MULTILINE):
        yield re.findall(r"<!-- ([a-z]+)(?:: ([\w. ]+))? -->", comments), language, text


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    return done.returncode, done.stdout


def run_block(language, text, folder):
    if language == "sh":
        return run(["bash", "-euo", "pipefail", "-c", text], folder)
    if language == "python":
        return run([sys.executable, "-c", text], folder)
    sys.exit(f"a block of {language} cannot be run:\n{text}")


def pattern_of(line):
    """A regular expression for a line that is shown, with a group for each number."""
    def fixed(part):
        return re.sub(r"(\\ )+", " +", re.escape(part))

    pattern = ""
    for part in re.split(f"(…|{NUMBER})", line.strip()):
        is_number = re.fullmatch(NUMBER, part)
        pattern += ".*?" if part == "…" else f"({NUMBER})" if is_number else fixed(part)
    return pattern


def is_line(shown, printed):
    found = re.fullmatch(pattern_of(shown), printed.strip())
    if not found:
        return False
    numbers = [part for part in re.split(f"(…|{NUMBER})", shown) if re.fullmatch(NUMBER, part)]
    pairs = zip(map(float, numbers), map(float, found.groups()))
    return all(abs(a - b) <= 1e-3 * abs(a) + 1e-8 for a, b in pairs)


def missing_line(shown, printed):
    """The first line that is shown and was not printed where it should be, or None."""
    at, anywhere = 0, True  # before the first line, others may have been printed
    for line in shown:
        if line.strip() == "…":
            anywhere = True
            continue
        while anywhere and at < len(printed) and not is_line(line, printed[at]):
            at += 1
        if at == len(printed) or not is_line(line, printed[at]):
            return line
        at, anywhere = at + 1, False
    return None


def do_page(page, folder, programs):
    printed, compared = "", 0
    for marks, language, text in blocks(page.read_text()):
        for what, name in marks:
            if what == "file":
                (folder / name).write_text(text)
            elif what == "run":
                code, said = run_block(language, text, folder)
                if code == CANNOT_DRAW and name == "picture":
                    print(f"not drawn here: {said}")
                elif code != 0:
                    sys.exit(f"{page}: exit code {code} of\n{text}\n{said}")
                printed = printed if name == "picture" else said
            elif what == "output":
                if name:
                    code, printed = run([programs[name]], folder)
                line = missing_line(text.splitlines(), printed.splitlines())
                if line is not None:
                    sys.exit(f"{page} shows a line that was not printed there:\n{line}\n\n{printed}")
                compared += 1
            elif what != "program":
                sys.exit(f"{page}: a block is marked as {what}, which is nothing")
    if compared == 0:
        sys.exit(f"{page} shows no output: nothing was compared")


def main():
    folder = Path(sys.argv[1])
    pages = [Path(argument) for argument in sys.argv[2:] if "=" not in argument]
    programs = dict(argument.split("=", 1) for argument in sys.argv[2:] if "=" in argument)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for page in pages:
        do_page(page, folder, programs)


main()
