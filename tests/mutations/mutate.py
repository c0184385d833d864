"""Counts the bugs of one line that tests find: see scripts/mutate, which starts this."""
import argparse
import collections
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import mutants

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = {'test_unit_solvers': 'tests/unit/solvers', 'test_conformance': 'tests/conformance'}
# What has a clock says nothing: a slow machine fails it too. Of thousands of tests alike those that
# take long are left out, and what many threads or another caller repeat.
CLOCKS = '*Time*:*Clock*:*Seconds*'
LEFT_OUT = f'-{CLOCKS}:*/jacobi_prox*:*.MoreThreads*:*.CallerWithoutRowStates*'
QUICK_MS = 100
ROUNDS_S = (1, 5, 1e9)  # the quickest tests first: most bugs are found by them


def parse():
    parser = argparse.ArgumentParser(prog='scripts/mutate', description=__doc__)
    parser.add_argument('--count', type=int, default=200, help='bugs (200)')
    parser.add_argument('--seed', type=int, default=1, help='of the choice of lines (1)')
    parser.add_argument('--jobs', type=int, default=2, help='of the build (2)')
    parser.add_argument('--only', type=int, nargs='*', help='numbers of bugs to run again')
    parser.add_argument('--folder', default='solvers', help='whose lines are changed (solvers)')
    return parser.parse_args()


class Tree:
    """A copy of the sources with bugs, and its build."""

    def __init__(self, options):
        self.jobs = options.jobs
        self.top = ROOT / 'build/mutants'
        self.sources = self.top / 'sources'
        self.build = self.top / 'build'
        self.sources.mkdir(parents=True, exist_ok=True)
        listed = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'], cwd=ROOT, check=True,
                                capture_output=True, text=True).stdout.splitlines()
        for name in listed:
            if (ROOT / name).is_file():
                self.write(name, (ROOT / name).read_bytes())
        self.write('solvers/mutant.h', (ROOT / 'tests/mutations/mutant.h').read_bytes())
        for folder in PROGRAMS.values():
            listener = (ROOT / 'tests/mutations/mutants_reached.h').read_bytes()
            self.write(f'{folder}/mutants_reached.cpp', listener)
        self.texts = {name: (ROOT / name).read_text() for name in sorted(listed)
                      if name.startswith(options.folder + '/') and name.endswith(('.cpp', '.h'))}

    def write(self, name, content):
        """Only what changed: the rest need not be built again."""
        path = self.sources / name
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def plant(self, chosen):
        by_path = collections.defaultdict(list)
        for mutant in chosen:
            by_path[mutant.path].append(mutant)
        for name, text in self.texts.items():
            self.write(name, mutants.planted(text, by_path[name]).encode())

    def configure(self):
        subprocess.run(['cmake', '--preset', 'dev', '-S', self.sources, '-B', self.build,
                        '-DCMAKE_CXX_FLAGS=-w', '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1',
                        '-DDRYSTONE_BUILD_VIEWER=OFF', '-DDRYSTONE_BUILD_EXAMPLES=OFF'],
                       cwd=self.sources, check=True, stdout=subprocess.DEVNULL)

    def compile(self, chosen):
        """The bugs that compile, all of them in the programs at once."""
        while True:
            self.plant(chosen)
            done = subprocess.run(['ninja', '-C', self.build, '-k', '0', f'-j{self.jobs}', *PROGRAMS],
                                  capture_output=True, text=True, check=False)
            (self.top / 'build.log').write_text(done.stdout + done.stderr)
            if done.returncode == 0:
                return chosen
            wrong = self.blamed(done.stdout, chosen)
            if not wrong:
                sys.exit(f'mutate: it does not compile, and no bug is to blame: {self.top}/build.log')
            for mutant in wrong:
                print(f'{name_of(mutant)}: does not compile', flush=True)
            chosen = [mutant for mutant in chosen if mutant not in wrong]

    def blamed(self, output, chosen):
        """The bugs in a line with an error, else those in a line that an error mentions, else those
        closest above an error."""
        for kind in ('error', 'note|required'):
            named = {(path, int(line)) for path, line in re.findall(
                rf'sources/([^:\s]+):(\d+):\d+: +(?:fatal )?(?:{kind})', output)}
            wrong = [mutant for mutant in chosen
                     if any((mutant.path, line) in named for line in mutant.lines(self.texts[mutant.path]))]
            if wrong:
                return wrong
            if kind == 'error':
                above = [max((one for one in chosen if one.path == path and one.line < line),
                             key=lambda one: one.line, default=None) for path, line in named]
        return list({one.number: one for one in above if one}.values())

    def run(self, program, number, arguments, seconds, **more):
        """A test program with a bug, with so much time of a processor."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith('DRYSTONE_')}
        environment.update(DRYSTONE_MUTANT=str(number), GTEST_BRIEF='1', GTEST_FAIL_FAST='1', **more)
        limit = int(seconds) + 1

        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        return subprocess.run([self.build / 'bin' / program, *arguments], cwd=self.top, env=environment,
                              preexec_fn=limits, capture_output=True, text=True, errors='replace',
                              timeout=20 * limit, check=False)

    def tests(self):
        """Of each program (test, seconds, bugs that it reaches), the quickest first."""
        result = {}
        for program in PROGRAMS:
            table = self.top / f'{program}.txt'
            done = self.run(program, 0, ['--gtest_filter=' + LEFT_OUT], 3000,
                            DRYSTONE_MUTANTS_REACHED=str(table))
            if done.returncode != 0:
                sys.exit(f'mutate: a test fails without any bug: {done.stdout[-2000:]}')
            rows = [line.split() for line in table.read_text().splitlines()]
            result[program] = sorted(((name, int(ms) / 1000, set(map(int, reached)))
                                      for name, ms, *reached in rows if int(ms) <= QUICK_MS),
                                     key=lambda row: row[1])
        return result

    def finder(self, number, reaching, longest):
        """The first test that finds a bug, or nothing; takes those that it runs from `reaching`."""
        for program, rows in reaching.items():
            total = count = 0
            while count < len(rows) and total <= longest:
                total += rows[count][1]
                count += 1
            if count == 0:
                continue
            flags = self.top / 'flags.txt'
            flags.write_text('--gtest_filter=' + ':'.join(row[0] for row in rows[:count]) + '\n')
            del rows[:count]
            try:
                done = self.run(program, number, [f'--gtest_flagfile={flags}'], 10 + 10 * total)
            except subprocess.TimeoutExpired:
                return 'a time limit'
            if done.returncode != 0:
                return reason(done)
        return ''


def reason(done):
    failed = re.search(r'^\[  FAILED  \] ([^\s,]+)', done.stdout, re.M)
    if failed:
        return failed[1]
    said = re.search(r'Assertion .*', done.stderr)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return 'a time limit'
    return said[0][:80] if said else f'exit code {done.returncode}'


def name_of(mutant):
    return f'{mutant.number} {mutant.path}:{mutant.line}: {" ".join(mutant.what.split())}'


def main():
    options = parse()
    begin = time.time()
    tree = Tree(options)
    found = [mutant for name, text in tree.texts.items() for mutant in mutants.mutants(name, text)]
    # More than asked for: of some the types do not fit.
    chosen = mutants.choose(found, options.count * 6 // 5 + 5, random.Random(options.seed))
    tree.plant(chosen)
    tree.configure()
    chosen = tree.compile(chosen)[:options.count]
    print(f'mutate: built after {time.time() - begin:.0f} s', flush=True)
    tests = tree.tests()
    alive = [mutant for mutant in chosen if not options.only or mutant.number in options.only]
    count = len(alive)
    reaching = {mutant.number: {program: [row for row in rows if mutant.number in row[2]]
                                for program, rows in tests.items()} for mutant in alive}
    for longest in ROUNDS_S:
        for mutant in list(alive):
            finder = tree.finder(mutant.number, reaching[mutant.number], longest)
            if finder:
                alive.remove(mutant)
                print(f'{name_of(mutant)}: found by {finder}', flush=True)
        print(f'mutate: {len(alive)} are left after {time.time() - begin:.0f} s', flush=True)
    for mutant in alive:
        reached = any(mutant.number in row[2] for rows in tests.values() for row in rows)
        print(f'{name_of(mutant)}: {"SURVIVES" if reached else "NOT REACHED"}')
    print(f'mutate: {count - len(alive)} of {count} bugs are found, seed {options.seed}')


if __name__ == '__main__':
    shutil.which('ninja') or sys.exit('mutate: needs ninja')
    main()
