"""Bugs of one line in C++ text: finds where they fit, and writes a text that chooses among them.

A statement S with the bug M, number 17, becomes `{ if (drystoneMutant(17)) { M } else { S } }`; a
condition or a first value becomes `drystoneMutant(17) ? (M) : (S)`. Lines keep their numbers. The
text must be formatted as .clang-format says: an operator has a space on both sides.
"""
import bisect
import dataclasses
import re

_LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
                      r'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
_HEADER = re.compile(r'(?:\} )?(?:else )?(if|while|for) \(')
_SCOPE = re.compile(r'(?:template <.*> ?)?(namespace|struct|class|union|enum|extern)\b', re.S)
# What stands before a brace that statements follow, not values.
_BLOCK = re.compile(r'(?:[)\];{}:]|\b(?:else|do|try|const|noexcept|override|mutable)|-> [\w:&*<> ]+)$')
_LABEL = re.compile(r'(case\b.*|default|public|private|protected)$', re.S)
_NOT_TYPES = ('return', 'delete', 'throw', 'else', 'if', 'for', 'while', 'do', 'case', 'using', 'goto',
              'co_return', 'typedef', 'friend', 'static_assert', 'new')
_DECLARATION = re.compile(r'(?P<words>(?:(?:static|constexpr|const|inline|mutable|thread_local) )*)'
                          r'(?P<type>[A-Za-z_][\w:]*(?:<[^;=]*?>(?:::\w+)*)?(?: const)?)(?P<ref>[&*]*(?: const)?)'
                          r' \[?[A-Za-z_][\w, ]*\]?(?:<\w+>)?(?P<rest>\[[^\]]*\])*\s*(?P<how>=|\(|\{|;|,|:)', re.S)
# Messages, and what only checks.
_LEFT_OUT = re.compile(r'DRYSTONE_ASSERT|static_assert|\bthrow\b|\bfail\(|\busing\b|\btypedef\b')
_SWAPS = {'<': ('<=', '>='), '<=': ('<', '>'), '>': ('>=', '<='), '>=': ('>', '<'), '==': ('!=',),
          '!=': ('==',), '+': ('-',), '-': ('+',), '*': ('/',), '/': ('*',), '+=': ('-=',),
          '-=': ('+=',), '*=': ('/=',), '/=': ('*=',), '&&': ('||',), '||': ('&&',)}
_OPERATOR = re.compile(r'(?<= )(<=|>=|==|!=|\+=|-=|\*=|/=|&&|\|\||[<>+*/-])(?=\s)')
_NUMBER = re.compile(r'(?<![\w.\'])(\d+(?:\.\d+)?(?:e-?\d+)?)(?![\w.\'])')
_WORDS = {'std::min': 'std::max', 'std::max': 'std::min', 'minCoeff': 'maxCoeff', 'maxCoeff': 'minCoeff',
          'largerOf': 'smallerOf', 'true': 'false', 'false': 'true'}
_WORD = re.compile(r'(?<![\w:])(std::min|std::max|minCoeff|maxCoeff|true|false)(?!\w)')
_STEP = re.compile(r'\+\+|--')


@dataclasses.dataclass
class _Open:
    """A bracket that is not closed yet, or the whole file."""
    kind: str  # 'scope', 'block', 'round' or 'values'
    begin: int | None = None  # of the statement at hand
    has_block: bool = False  # that statement

    def holds_statements(self):
        return self.kind in ('scope', 'block')

    def close(self):
        self.begin, self.has_block = None, False


@dataclasses.dataclass
class Place:
    """Text from `begin` to `end` that a bug can be in."""
    kind: str  # 'statement', 'value' or 'condition'
    begin: int
    end: int
    type: str = ''  # of a value, if it has a name
    constexpr: int | None = None  # where the word is that a value with a bug cannot have


@dataclasses.dataclass
class Mutant:
    path: str
    line: int
    what: str
    place: Place
    text: str  # of the place, with the bug
    number: int = 0

    def lines(self, text):
        first = text.count('\n', 0, self.place.begin) + 1
        return range(first, first + text.count('\n', self.place.begin, self.place.end) + 1)


def _masked(text, comments_only=False):
    """The text with blanks for comments, strings and preprocessor lines, as long as before."""
    def blank(match):
        start = match.group().lstrip()[0]
        if comments_only and start != '/':
            return match.group()
        body = re.sub(r'[^\n]', ' ', match.group())
        return '"' + body[1:-1] + '"' if start in '"R' else body
    return _LITERAL.sub(blank, text)


def places(text):
    """All places of a file, in order, disjoint."""
    code = _masked(text)
    found = []
    stack = [_Open('scope')]
    for at, c in enumerate(code):
        top = stack[-1]
        if not c.isspace() and c not in ';:{})]' and top.holds_statements() and top.begin is None:
            top.begin = at
        if c in '([':
            stack.append(_Open('round'))
        elif c in ')]':
            stack.pop()
        elif c == '{':
            head = '' if top.begin is None else code[top.begin:at].rstrip()
            scope = _SCOPE.match(head) if top.holds_statements() else None
            if not (scope or not head and top.holds_statements() or _BLOCK.search(code[:at].rstrip()[-80:])):
                stack.append(_Open('values'))
                continue
            if top.kind == 'block' and head:
                found += _header_places(code, top.begin, at)
            for entry in stack:
                entry.has_block = True
            stack.append(_Open('block' if not scope else 'values' if scope[1] == 'enum' else 'scope'))
        elif c == '}':
            kind = stack.pop().kind
            top = stack[-1]
            # A statement that starts with a lambda goes on behind it.
            goes_on = top.begin is not None and re.match(r'\s*[;,.()]', code[at + 1:at + 20])
            if kind != 'values' and top.holds_statements() and not goes_on:
                top.close()
        elif c == ';' and top.holds_statements():
            if top.begin is not None and not top.has_block:
                found += _statement_places(code, top.begin, at + 1, top.kind)
            top.close()
        elif c == ':' and top.holds_statements() and top.begin is not None:
            if ':' not in (code[at - 1], code[at + 1]) and _LABEL.match(code[top.begin:at]):
                top.close()
    return found


def _value_places(code, begin, end):
    """The first value of a declaration."""
    match = _DECLARATION.match(code, begin, end)
    if not match or match['how'] != '=' or match['rest']:
        return []
    start = match.end()
    if '{' in code[start:end] or re.search(r',(?![^(]*\))', code[start:end]):
        return []
    explicit = match['type'] if not match['ref'] and match['type'] != 'auto' else ''
    word = match['words'].find('constexpr')
    return [Place('value', start + 1, end - 1, explicit, begin + word if word >= 0 else None)]


def _statement_places(code, begin, end, kind):
    statement = code[begin:end]
    if _LEFT_OUT.search(statement) or kind == 'scope' and not statement.startswith(
            ('constexpr', 'inline constexpr')):
        return []
    while statement.startswith('else '):
        begin += 5
        statement = code[begin:end]
    match = _DECLARATION.match(statement)
    if match and match['type'] not in _NOT_TYPES:
        return _value_places(code, begin, end)
    return [Place('statement', begin, end)] if kind == 'block' else []


def _header_places(code, begin, end):
    match = _HEADER.match(code, begin, end)
    if not match or _LEFT_OUT.search(code[begin:end]):
        return []
    start, stop = match.end(), code[begin:end].rstrip()
    stop = begin + len(stop) - 1
    inside = code[start:stop]
    if match[1] == 'for':
        parts = inside.split(';')
        if len(parts) != 3 or not parts[1].strip():
            return []
        start += len(parts[0]) + 2
        stop = start + len(parts[1]) - 1
    elif ';' in inside or re.search(r' = ', inside):
        return []
    return [Place('condition', start, stop)]


def mutants(path, text):
    """All bugs of a file."""
    code = _masked(text)
    text = _masked(text, comments_only=True)
    starts = [match.end() for match in re.finditer(r'^|\n', text)]
    result = []

    def add(place, begin, end, new):
        line = bisect.bisect_right(starts, begin)
        old = text[begin:end]
        what = f'{old} -> {new}' if new else 'dropped'
        result.append(Mutant(path, line, what, place,
                             text[place.begin:begin] + new + text[end:place.end]))

    for place in places(text):
        begin, end = place.begin, place.end
        negated = re.compile(r'if \(').match(code, begin, end) if place.kind == 'statement' else None
        if negated:
            start, stop = negated.end(), _closing(code, negated.end())
            if not re.search(r' = |;', code[start:stop]):
                add(place, start, stop, f'!({text[start:stop]})')
        if '"' in code[begin:end]:
            continue  # a message
        for match in _OPERATOR.finditer(code, begin, end):
            for new in _SWAPS[match[1]]:
                add(place, match.start(1), match.end(1), new)
        for match in _NUMBER.finditer(code, begin, end):
            add(place, match.start(1), match.end(1), f'({match[1]} + 1)')
            add(place, match.start(1), match.end(1), f'({match[1]} - 1)')
        for match in _WORD.finditer(code, begin, end):
            add(place, match.start(1), match.end(1), _WORDS[match[1]])
        for match in _STEP.finditer(code, begin, end):
            add(place, match.start(), match.end(), '--' if match[0] == '++' else '++')
        if place.kind == 'condition':
            add(place, begin, end, f'!({text[begin:end]})')
        elif place.kind == 'statement' and _may_go(code[begin:end]):
            add(place, begin, end, '')
    return result


def _may_go(statement):
    return not re.match(r'return\b(?!;)|while\b', statement)


def _closing(code, at):
    depth = 1
    while depth:
        depth += {'(': 1, ')': -1}.get(code[at], 0)
        at += 1
    return at - 1


def choose(found, count, random):
    """`count` bugs, at most one a line and a place, each line as likely as any other."""
    lines = {}
    for mutant in found:
        lines.setdefault((mutant.path, mutant.line), []).append(mutant)
    order = sorted(lines)
    random.shuffle(order)
    taken, chosen = set(), []
    for line in order:
        mutant = random.choice(lines[line])
        where = (mutant.path, mutant.place.begin)
        if where not in taken:
            taken.add(where)
            chosen.append(mutant)
        if len(chosen) == count:
            break
    for number, mutant in enumerate(chosen, 1):
        mutant.number = number
    return chosen


def planted(text, chosen):
    """The text of a file with its bugs to choose from."""
    text = _masked(text, comments_only=True)
    for mutant in sorted(chosen, key=lambda one: -one.place.begin):
        place = mutant.place
        old, test = text[place.begin:place.end], f'drystoneMutant({mutant.number})'
        if place.kind == 'statement':
            new = f'{{ if ({test}) {{ {mutant.text} }} else {{ {old} }} }}'
        else:
            cast = 'bool' if place.kind == 'condition' else place.type
            new = f'{test} ? {cast}({mutant.text}) : {cast}({old})'
        if '\n' in old:
            new = new.replace('\n', ' ') + '\n' * old.count('\n')
        text = text[:place.begin] + new + text[place.end:]
        if place.constexpr is not None:
            text = text[:place.constexpr] + 'const' + text[place.constexpr + len('constexpr'):]
    if chosen:
        text = '#include "solvers/mutant.h"\n#line 1\n' + text
    return text
