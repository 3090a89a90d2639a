#!/usr/bin/env python3
"""Joins source files into few translation units: unity.py OUT SIZE ROOT FILE...

Most of a compiler's time goes into headers and templates that every file reads anew. Names of unnamed namespaces and
macros are private to a file only as long as it is compiled alone; so files come together only where none of them
mentions a private name of another. Writes OUT/unity_N.cc, which include their files by paths below ROOT, and prints their paths;
a file that is unchanged keeps its time.
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


FOLDERS = ('', 'src')  # of headers, below the root
INCLUDED = re.compile(r'^#include "([^"]+)"', re.M)


@functools.cache
def header(path):
    """What a header of ours declares, and what it includes."""
    text = path.read_text(encoding='utf-8') if path.is_file() else ''
    return declared_names(text, is_public), INCLUDED.findall(text)


def found(name, root):
    return next((root / below / name for below in FOLDERS if (root / below / name).is_file()), root)


def public_names(text, folder, root):
    """What the headers that a file sees declare in its own namespace or around it."""
    names, seen, waiting = set(), set(), INCLUDED.findall(text)
    while waiting:
        name = waiting.pop()
        if name not in seen and name.startswith((folder, 'base/', 'model/')):
            seen.add(name)
            declared, includes = header(found(name, root))
            names |= declared
            waiting += includes
    return names


def declared_names(text, is_wanted):
    """What a file declares where `is_wanted` holds, and a few words more: too many names only cost a neighbour."""
    names, scopes, before = set(), [], []  # scopes: True for an unnamed namespace, None for a named one, False for others
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
                scopes.append(True if statement[-1] == 'namespace' else None)
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


def is_public(scopes, before):
    return False not in scopes


class Names:
    """What matters of the names of a file, or of all files of a group."""

    def __init__(self):
        self.private, self.borrowed, self.public, self.words = set(), set(), set(), set()

    @staticmethod
    def of(path, root):
        text, names = path.read_text(encoding='utf-8'), Names()
        names.private = declared_names(text, is_private)
        names.borrowed = declared_names(text, is_borrowed)
        names.public = public_names(text, f'{path.parent.name}/', root)
        names.words = words(text)
        return names

    def troubles(self, other):
        return (self.private & (other.words | other.public)) or (self.borrowed & (other.private | other.public))

    def add(self, other):
        self.private |= other.private
        self.borrowed |= other.borrowed
        self.public |= other.public
        self.words |= other.words


def joined(files, size, root):
    """Groups of at most `size` files of one folder, in order, whose names do not meet."""
    groups = []
    for path in files:
        names = Names.of(path, root)
        for members, together in groups:
            is_near = len(members) < size and members[0].parent == path.parent
            if is_near and not names.troubles(together) and not together.troubles(names):
                members.append(path)
                together.add(names)
                break
        else:
            groups.append(([path], names))
    return [members for members, _ in groups]


def main():
    out, size, root = pathlib.Path(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    for number, group in enumerate(joined([pathlib.Path(name) for name in sys.argv[4:]], size, root)):
        target = out / f'unity_{number}.cc'
        text = ''.join(f'#include "{path.relative_to(root)}"\n' for path in group)
        if not target.exists() or target.read_text(encoding='utf-8') != text:
            target.write_text(text, encoding='utf-8')
        print(target)


if __name__ == '__main__':
    main()
