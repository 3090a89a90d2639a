#!/usr/bin/env python3
"""Clones made on purpose: functions of the Python standard library, each changed in one way.

    tools/mutate_clones.py BINARY [--count N] [--root FOLDER] [--keep FOLDER]

Writes pairs of files (a function and its mutant) into a temporary folder, one folder per way,
analyses each folder with the product and checks that every pair is told as it must be:
rename, literal, comment, layout: one function clone group; insert, delete: one near miss;
callee: not one function clone group. Which functions are taken depends on their names alone.
"""
import argparse
import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import textwrap

MIN_LINES, MIN_DIRECT, MIN_ALL = 10, 6, 10
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Assert, ast.Delete)


def lists_of(statement):
    """The lists of statements directly below one, in the order of the source."""
    if isinstance(statement, SCOPES):
        return
    for field in ("body", "orelse", "finalbody"):
        if getattr(statement, field, None):
            yield getattr(statement, field)
    for part in getattr(statement, "handlers", []) + getattr(statement, "cases", []):
        yield part.body


def is_docstring(statement):
    return (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            and isinstance(statement.value.value, str))


class Function:
    """One function, its text moved to the left margin."""

    def __init__(self, text):
        self.text = text
        self.lines = text.splitlines(keepends=True)
        self.node = ast.parse(text).body[0]
        body = self.node.body
        self.direct = body[1:] if is_docstring(body[0]) else body
        self.lists, self.unread = [], set()
        open_lists = [self.direct]
        while open_lists:
            statements = open_lists.pop()
            reached = []
            for statement in statements:
                reached.append(statement)
                if isinstance(statement, ENDS):
                    break
            for statement in statements[len(reached):]:
                self.unread.update(ast.walk(statement))
            self.lists.append(reached)
            for statement in reached:
                open_lists.extend(lists_of(statement))
        self.inside_strings = {n for s in ast.walk(self.node) if isinstance(s, ast.JoinedStr) for n in ast.walk(s)}

    def statements(self):
        return [s for reached in self.lists for s in reached
                if not (isinstance(s, ast.AnnAssign) and s.value is None)]

    def is_taken(self):
        return (len(self.lines) >= MIN_LINES and len(self.direct) >= MIN_DIRECT
                and len(self.statements()) >= MIN_ALL)

    def body_nodes(self):
        """What is read of the body: no annotations, no patterns, nothing unreachable."""
        out = []
        open_nodes = list(self.direct)
        while open_nodes:
            node = open_nodes.pop()
            if node in self.unread or node in self.inside_strings or isinstance(node, ast.pattern):
                continue
            out.append(node)
            for name, value in ast.iter_fields(node):
                if name in ("annotation", "returns") or (isinstance(node, ast.ExceptHandler) and name == "type"):
                    continue
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        open_nodes.append(child)
        return sorted((n for n in out if hasattr(n, "lineno")), key=lambda n: (n.lineno, n.col_offset))

    def replaced(self, edits):
        """`edits`: (line, byte from, end line, byte to, text), none inside another."""
        lines = [line.encode() for line in self.lines]
        for line, start, end_line, end, text in sorted(edits, reverse=True):
            head, tail = lines[line - 1][:start], lines[end_line - 1][end:]
            lines[line - 1:end_line] = [head + text.encode() + tail]
            lines[line:line] = [b""] * (end_line - line)
        return b"".join(lines).decode()


def called_roots(tree):
    roots = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            root = node.func
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name):
                roots.add(root.id)
    return roots


def rename(f, pick):
    names = {a.arg for a in ast.walk(f.node.args) if isinstance(a, ast.arg)}
    names |= {n.id for n in ast.walk(f.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names -= called_roots(f.node)
    for node in ast.walk(f.node):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            names -= set(node.names)
        if node is not f.node and isinstance(node, SCOPES + (ast.Lambda,)):
            names -= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            names -= {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)}
        if isinstance(node, ast.pattern) or (isinstance(node, ast.ExceptHandler) and node.type):
            names -= {n.id for n in ast.walk(node if isinstance(node, ast.pattern) else node.type)
                      if isinstance(n, ast.Name)}
    names -= {n.id for n in f.inside_strings if isinstance(n, ast.Name)}
    edits = []
    for node in ast.walk(f.node):
        name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else None
        if name in names:
            edits.append((node.lineno, node.col_offset, node.lineno,
                          node.col_offset + len(name.encode()), name + "_renamed"))
    return f.replaced(edits) if edits else None


def literal(f, pick):
    edits = []
    bare = {n.value for n in f.body_nodes() if isinstance(n, ast.Expr)}
    for node in f.body_nodes():
        if not isinstance(node, ast.Constant) or node in bare or node.value is Ellipsis:
            continue
        text = {bytes: "b'changed'", str: "'changed'"}.get(type(node.value), "7654321")
        edits.append((node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, " " + text + " "))
    return f.replaced(edits) if edits else None


def own_lines(f):
    """Statements that begin and end lines of their own, with their list."""
    out = []
    for reached in f.lists:
        for statement in reached:
            first, last = f.lines[statement.lineno - 1], f.lines[statement.end_lineno - 1]
            starts = not first.encode()[:statement.col_offset].strip()
            rest = last.encode()[statement.end_col_offset:].strip()
            if starts and (not rest or rest.startswith(b"#")):
                out.append((statement, reached))
    return sorted(out, key=lambda pair: pair[0].lineno)


def comment(f, pick):
    statement = pick([s for s, _ in own_lines(f)])
    if statement is None:
        return None
    lines = list(f.lines)
    lines.insert(statement.lineno - 1, " " * statement.col_offset + "# a comment that was not here\n")
    return "".join(lines)


def says_more_than_layout(node):
    """What Python's own printer writes in another way: patterns, the order of arguments, {x=}."""
    if isinstance(node, ast.Match):
        return True
    if not isinstance(node, ast.Call) or not node.keywords:
        return False
    first = min((k.value.lineno, k.value.col_offset) for k in node.keywords)
    return any(isinstance(a, ast.Starred) and (a.lineno, a.col_offset) > first for a in node.args)


def layout(f, pick):
    if re.search(r"=\s*(![rsa])?(:[^{}]*)?\}", f.text) or any(map(says_more_than_layout, ast.walk(f.node))):
        return None
    return ast.unparse(f.node) + "\n"


def insert(f, pick):
    statement = pick([s for s, _ in own_lines(f) if not isinstance(s, SCOPES)])
    if statement is None:
        return None
    lines = list(f.lines)
    lines.insert(statement.lineno - 1, " " * statement.col_offset + "inserted_by_mutation(1)\n")
    return "".join(lines)


def delete(f, pick):
    def is_plain(pair):
        statement, reached = pair
        return len(reached) > 1 and isinstance(statement, SIMPLE)
    pair = pick([p for p in own_lines(f) if is_plain(p)])
    if pair is None:
        return None
    lines = list(f.lines)
    del lines[pair[0].lineno - 1:pair[0].end_lineno]
    return "".join(lines)


def callee(f, pick):
    calls = [n.func for n in f.body_nodes()
             if isinstance(n, ast.Call) and isinstance(n.func, (ast.Name, ast.Attribute))]
    func = pick(calls)
    if func is None:
        return None
    return f.replaced([(func.end_lineno, func.end_col_offset, func.end_lineno, func.end_col_offset, "_other")])


# way: mutation, family of the report, must the pair be together there?
WAYS = {
    "rename": (rename, "functions", True),
    "literal": (literal, "functions", True),
    "comment": (comment, "functions", True),
    "layout": (layout, "functions", True),
    "insert": (insert, "near_miss", True),
    "delete": (delete, "near_miss", True),
    "callee": (callee, "functions", False),
}


def number_of(*words):
    return int.from_bytes(hashlib.sha256("|".join(words).encode()).digest()[:8], "big")


def functions_of(root):
    """Every function that takes part, in an order that depends on names alone."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(d for d in folders if d not in ("site-packages", "dist-packages", "__pycache__"))
        for file in sorted(files):
            if not file.endswith(".py"):
                continue
            path = os.path.join(folder, file)
            try:
                text = open(path, encoding="utf-8", newline="").read()
                tree = ast.parse(text)
            except (SyntaxError, ValueError, RecursionError):
                continue
            lines = text.splitlines(keepends=True)
            if "\r" in text or "\f" in text:
                continue
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    name = f"{os.path.relpath(path, root)}:{node.lineno}:{node.name}"
                    found.append((name, lines[node.lineno - 1:node.end_lineno]))
    found.sort(key=lambda pair: number_of(pair[0]))
    for name, lines in found:
        try:
            function = Function(textwrap.dedent("".join(lines)).rstrip("\n") + "\n")
        except (SyntaxError, IndexError):
            continue
        if function.is_taken():
            yield name, function


def write_pairs(functions, way, folder, count):
    mutate = WAYS[way][0]
    names = []
    for name, function in functions:
        if len(names) == count:
            break

        def pick(choices):
            return choices[number_of(way, name) % len(choices)] if choices else None
        mutant = mutate(function, pick)
        try:
            if mutant is None or mutant == function.text:
                continue
            ast.parse(mutant)
        except SyntaxError:
            continue
        for side, text in (("a", function.text), ("b", mutant)):
            # A second function of the same name would be another finding: each file holds one.
            with open(os.path.join(folder, f"{side}{len(names)}.py"), "w", encoding="utf-8") as out:
                out.write(text)
        names.append(name)
    return names


def groups_of(binary, folder, family):
    answer = subprocess.run([binary, "analyze", folder, "--json"], stdout=subprocess.PIPE, check=True)
    document = json.loads(answer.stdout)
    document = document if "findings" in document else document["document"]
    groups = {}
    for number, group in enumerate(document["findings"]["groups"]["clones"][family]):
        for item in group["items"]:
            first_line = item["start_line"] == 1  # the function itself, none inside it
            if first_line:
                groups.setdefault(item["relative_path"], set()).add(number)
    return groups


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--root", default=sysconfig.get_paths()["stdlib"])
    parser.add_argument("--keep", help="write the pairs here and leave them")
    options = parser.parse_args()
    functions = list(functions_of(options.root))
    print(f"{len(functions)} functions of {options.root} take part")
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        for way, (_, family, together) in WAYS.items():
            folder = os.path.join(options.keep or temporary, way)
            os.makedirs(folder, exist_ok=True)
            names = write_pairs(functions, way, folder, options.count)
            groups = groups_of(os.path.abspath(options.binary), folder, family)
            wrong = [i for i in range(len(names))
                     if bool(groups.get(f"a{i}.py", set()) & groups.get(f"b{i}.py", set())) != together]
            failed += len(wrong)
            short = "" if len(names) == options.count else "  (no more functions fit)"
            print(f"{way:8} {len(names):5} pairs, {len(wrong)} wrong{short}")
            for i in wrong[:10]:
                print(f"         a{i}.py b{i}.py  {names[i]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
