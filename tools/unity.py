#!/usr/bin/env python3
"""Joins source files into few translation units: unity.py [--rename] OUT SIZE ROOT FILE...

Most of a compiler's time goes into headers and templates that every file reads anew. Names of unnamed namespaces and
macros are private to a file only as long as it is compiled alone; so files come together only where none of them
mentions a private name of another. With --rename, which is for tests, a private name that another file mentions has the
name of its file as an ending instead, wherever that cannot touch a name of somebody else. Writes OUT/unity_N.cc, which
include their files by paths below ROOT, and prints their paths; a file that is unchanged keeps its time.
"""
import functools
import pathlib
import re
import sys

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    r'|^[ \t]*#[^\n]*(?:\\\n[^\n]*)*|[A-Za-z_]\w*|::|[^\s\w]',
    re.S | re.M)
WORD = re.compile(r'[A-Za-z_]')
DECLARES = {'(', '{', '=', '[', ';', ':', ','}
KEYWORDS = {'if', 'for', 'while', 'switch', 'return', 'sizeof', 'decltype', 'alignas', 'noexcept', 'requires', 'operator',
            'const', 'override', 'default', 'delete', 'static_assert', 'TEST', 'TEST_P', 'TEST_F', 'INSTANTIATE_TEST_SUITE_P'}


def tokens(text):
    for match in TOKEN.finditer(text):
        token = match.group(0)
        if token[0] in '"\'' or token.startswith(('//', '/*', 'R"')):
            continue
        yield token.lstrip()


def words(text):
    """Every word that is looked up where it stands; what follows a dot or an arrow is looked up elsewhere."""
    names, before = set(), ''
    for token in tokens(text):
        if WORD.match(token) and before not in ('.', '>'):
            names.add(token)
        before = token
    return names


PLAIN = {'int', 'nullptr', 'enum', 'auto', 'bool', 'char', 'double'}
BORROWS = re.compile(r'^(?:using [\w:]+|namespace \w+ = [\w:]+);', re.M)
TYPES = {'class', 'struct', 'enum'}
SUITES = {'TEST_F', 'TEST_P', 'TYPED_TEST', 'INSTANTIATE_TEST_SUITE_P'}
FOLDERS = ('', 'src')  # of headers, below the root
CONFIGURES = re.compile(r'^#\s*define.*\n(?:.*\n)*?#include', re.M)  # headers come first in a unit: a macro for them too late
INCLUDED = re.compile(r'^#include "([^"]+)"', re.M)


@functools.cache
def header(path, home):
    """What a header of ours declares in the namespace `home` or around it, and what it includes."""
    text = path.read_text(encoding='utf-8') if path.is_file() else ''
    return declared_names(text, functools.partial(is_public, home)), INCLUDED.findall(text)


def found(name, root):
    return next((root / below / name for below in FOLDERS if (root / below / name).is_file()), root)


def public_names(text, folder, root, home):
    """What the headers that a file sees declare in its own namespace or around it."""
    names, seen, waiting = set(), set(), INCLUDED.findall(text)
    while waiting:
        name = waiting.pop()
        if name not in seen and name.startswith((folder, 'base/', 'model/')):
            seen.add(name)
            declared, includes = header(found(name, root), home)
            names |= declared
            waiting += includes
    return names


def declared_names(text, is_wanted):
    """What a file declares where `is_wanted` holds, and a few words more: too many names only cost a neighbour."""
    names, scopes, before = set(), [], []  # scopes: True for an unnamed namespace, a name for others, False for what is none
    rounds = 0
    for token in tokens(text):
        if token.startswith('#'):
            macro = re.match(r'#\s*define\s+(\w+)', token)
            if macro:
                names.add(macro.group(1))
            continue
        if token in '()':
            if token == '(' and rounds == 0:
                note(names, is_wanted(scopes, before), before)
            rounds += 1 if token == '(' else -1
            before.append(token)
        elif rounds > 0:
            pass
        elif token == '{':
            statement = before[-8:]
            note(names, is_wanted(scopes, before), before)
            if 'namespace' in statement:
                scopes.append(''.join(statement[statement.index('namespace') + 1:]) or True)
            else:
                scopes.append(False)
            before = []
        elif token == '}':
            if scopes:
                scopes.pop()
            before = []
        else:
            if token in DECLARES:
                note(names, is_wanted(scopes, before), before)
            before.append(token)
            if token == ';':
                before = []
    return names


def note(names, is_wanted, before):
    is_qualified = before[-2:-1] == ['::'] and before[0] != 'using'
    if is_wanted and before and WORD.match(before[-1]) and before[-1] not in KEYWORDS and not is_qualified:
        names.add(before[-1])


def is_private(scopes, before):
    if before[:1] == ['using']:
        return False not in scopes and len(before) == 2  # another name for a type
    return False not in scopes and (True in scopes or 'static' in before)


def is_borrowed(scopes, before):
    """A name of another namespace, which several files may borrow."""
    return False not in scopes and before[:1] == ['using'] and '=' not in before


def is_public(home, scopes, before):
    return False not in scopes and is_within(home, '::'.join(map(str, scopes)))


def is_within(home, outer):
    """A file whose namespace is unknown is within all others, and they are within it."""
    return not home or not outer or f'{home}::'.startswith(f'{outer}::')


def home_of(text):
    """The first namespace that a file opens."""
    opened = re.search(r'^namespace ([\w:]+) {', text, re.M)
    return opened.group(1) if opened else ''


def is_surely_private(scopes, before):
    """As is_private, without the few words more: the statement declares the last word."""
    if not is_private(scopes, before) or before.count('<') != before.count('>') or len(before) < 2:
        return False
    if not TYPES.isdisjoint(before):
        return before[-2] in TYPES  # and no base of it
    return before[-2] in ('>', '&', '*') or WORD.match(before[-2]) is not None


def fixed_names(text):
    """What a macro of that name could change beyond the file's own declaration: names that stand behind a dot, an arrow or
    a scope, or before a scope as those of namespaces do, suites of tests, macros."""
    names, before, call = set(KEYWORDS), ['', ''], ''
    for token in tokens(text):
        is_member = before[1] in ('.', '::', 'namespace') or (before == ['-', '>'] and token.islower())
        if token.startswith('#'):
            names.update(re.findall(r'\w+', token))
        elif WORD.match(token) and (is_member or call in SUITES):
            names.add(token)
        elif token == '::' and before[1].islower():
            names.add(before[1])
        call = before[1] if token == '(' else ''
        before = [before[1], token]
    return names


class Names:
    """What matters of the names of a file."""

    def __init__(self, path, root, is_renaming):
        text = path.read_text(encoding='utf-8')
        self.folder, self.home = path.parent, home_of(text) if is_renaming else ''
        self.is_alone = is_renaming and CONFIGURES.search(text) is not None
        self.opens_enum = is_renaming and re.search(r'^using enum ', text, re.M) is not None  # its names cannot be told from here
        self.macros = set(re.findall(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', text, re.M))
        self.words = words(text)
        self.public = public_names(text, f'{path.parent.name}/', root, self.home)
        self.private, self.movable = declared_names(text, is_private), set()
        self.borrowed = dict.fromkeys(declared_names(text, is_borrowed))
        if is_renaming:
            self.borrowed = {re.findall(r'\w+', line.split(' = ')[0])[-1]: line for line in BORROWS.findall(text)}
            self.movable = declared_names(text, is_surely_private) - fixed_names(text) - self.public
            self.private -= self.movable | self.borrowed.keys() | KEYWORDS | PLAIN

    def troubles(self, other):
        """What of this file's own would be found from the other one, by name."""
        if not is_within(other.home, self.home):
            return self.macros & other.words
        met = self.private & (other.words | other.public)
        if self.home == other.home:
            met |= {name for name, what in self.borrowed.items()
                    if name in other.private or name in other.public or other.borrowed.get(name, what) != what}
        return met

    def fits(self, other):
        if self.is_alone or other.is_alone or (self.opens_enum and other.opens_enum):
            return False
        is_near = self.folder == other.folder or not (is_within(self.home, other.home) or is_within(other.home, self.home))
        return is_near and not self.troubles(other) and not other.troubles(self)


def joined(files, size, root, is_renaming):
    """Groups of at most `size` files, in order, whose names do not meet; their folders may differ only where their
    namespaces do."""
    groups = []
    for path in files:
        names = Names(path, root, is_renaming)
        for members in groups:
            if len(members) < size and all(names.fits(other) for _, other in members):
                members.append((path, names))
                break
        else:
            groups.append([(path, names)])
    return groups


def unit(members, root, is_renaming):
    """The text that includes these files. Where names get endings, all headers come before."""
    out = []
    if is_renaming and len(members) > 1:
        for path, _ in members:
            out += re.findall(r'^#include (?:<[^>]+>|"[^"]+\.h")', path.read_text(encoding='utf-8'), re.M)
        out = list(dict.fromkeys(out))
    for path, names in members:
        others = set().union(*(other.words for _, other in members if other is not names))
        renamed = sorted(names.movable & others)
        out += [f'#define {name} {name}_in_{path.stem}' for name in renamed]
        out.append(f'#include "{path.relative_to(root)}"')
        out += [f'#undef {name}' for name in renamed]
    return ''.join(f'{line}\n' for line in out)


def main():
    is_renaming = sys.argv[1] == '--rename'
    out, size, root, *files = sys.argv[2:] if is_renaming else sys.argv[1:]
    out, root = pathlib.Path(out), pathlib.Path(root)
    out.mkdir(parents=True, exist_ok=True)
    groups = joined([pathlib.Path(name) for name in files], int(size), root, is_renaming)
    for number, members in enumerate(groups):
        target, text = out / f'unity_{number}.cc', unit(members, root, is_renaming)
        if not target.exists() or target.read_text(encoding='utf-8') != text:
            target.write_text(text, encoding='utf-8')
        print(target)


if __name__ == '__main__':
    main()
