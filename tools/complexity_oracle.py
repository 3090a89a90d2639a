#!/usr/bin/env python3
"""Cyclomatic complexity from a control-flow graph that is really built, on Python's own ast.

    tools/complexity_oracle.py FILE...
    tools/complexity_oracle.py --against GATEHOUSE [--at-least N] [--library] FOLDER...

The judge of src/analysis/complexity.cc, with which it shares nothing. With files (or a list of them
on standard input) it prints one line for each function: path, line, name, complexity, nesting. With
--against it lets the product analyse each folder (--library: that of this Python's own library) and
compares every function of every Python file; the exit status is 1 when one differs, is missing or is too much, or when there were fewer than N.
"""
import argparse
import ast
import collections
import json
import os
import subprocess
import sys
import sysconfig

JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match) + (
    (ast.TryStar,) if hasattr(ast, "TryStar") else ())
TRIES = tuple(t for t in COMPOUND if t.__name__ in ("Try", "TryStar"))
MAY_RAISE = (ast.Call, ast.Attribute, ast.Subscript, ast.Await, ast.YieldFrom)


def may_raise(statement):
    return isinstance(statement, ast.Raise) or any(isinstance(n, MAY_RAISE) for n in ast.walk(statement))


class Graph:
    """Nodes are numbers; every list of statements is threaded through the current node."""

    def __init__(self):
        self.nodes = 0
        self.edges = 0
        self.exit = self.node()
        self.loops = []

    def node(self):
        self.nodes += 1
        return self.nodes

    def edge(self, _from, _to):
        self.edges += 1

    def complexity(self, body):
        last = self.run(body, self.node())
        if last is not None:
            self.edge(last, self.exit)
        return max(1, self.edges - self.nodes + 2)

    def run(self, statements, at):
        """Returns the node that goes on, or None when nothing does."""
        for statement in statements:
            if isinstance(statement, JUMPS):
                self.edge(at, self.exit)
                return None
            at = self.statement(statement, at)
        return at

    def arm(self, statements, after):
        first = self.node()
        last = self.run(statements, first)
        if last is not None:
            self.edge(last, after)
        return first

    def test(self, test, at, then, otherwise):
        operands = test.values if isinstance(test, ast.BoolOp) else [test]
        for i, _ in enumerate(operands):
            self.edge(at, otherwise)
            if i + 1 < len(operands):
                following = self.node()
                self.edge(at, following)
                at = following
            else:
                self.edge(at, then)

    def statement(self, s, at):
        if isinstance(s, ast.If):
            after = self.node()
            then = self.arm(s.body, after)
            otherwise = self.arm(s.orelse, after) if s.orelse else after
            self.test(s.test, at, then, otherwise)
            return after
        if isinstance(s, ast.While):
            head, after = self.node(), self.node()
            self.edge(at, head)
            body = self.arm(s.body, head)
            self.test(s.test, head, body, self.arm(s.orelse, after) if s.orelse else after)
            return after
        if isinstance(s, (ast.For, ast.AsyncFor)):
            head, after = self.node(), self.node()
            self.edge(at, head)
            self.edge(head, self.arm(s.body, head))
            self.edge(head, self.arm(s.orelse, after) if s.orelse else after)
            return after
        if isinstance(s, (ast.With, ast.AsyncWith)):
            after = self.node()
            self.edge(at, self.arm(s.body, after))
            return after
        if isinstance(s, ast.Match):
            after = self.node()
            for case in s.cases:
                following = self.node()
                self.edge(at, self.arm(case.body, after))
                self.edge(at, following)
                at = following
            self.edge(at, after)
            return after
        if isinstance(s, TRIES):
            return self.attempt(s, at)
        return at

    def attempt(self, s, at):
        after = self.node()
        catcher = self.node() if s.handlers else None
        first = catcher
        for handler in s.handlers:
            following = self.node()
            self.edge(catcher, self.arm(handler.body, after))
            self.edge(catcher, following)
            catcher = following
        if s.handlers:
            self.edge(catcher, self.exit)
        seen = False
        ended = False
        for statement in s.body:
            if first is not None and not seen and may_raise(statement):
                self.edge(at, first)
                seen = True
            if isinstance(statement, JUMPS):
                self.edge(at, self.exit)
                ended = True
                break
            at = self.statement(statement, at)
            if isinstance(statement, COMPOUND):
                seen = False
        if ended:
            at = self.node()
        at = self.after(s.orelse, at)
        self.edge(at, after)
        done = self.node()
        self.edge(after, self.arm(s.finalbody, done) if s.finalbody else done)
        return done

    def after(self, statements, at):
        last = self.run(statements, at)
        return last if last is not None else self.node()


def nesting(statements, depth=0, source=None):
    deepest = depth
    for s in statements:
        if not isinstance(s, COMPOUND):
            continue
        deepest = max(deepest, depth + 1)
        arms = [s.body] if hasattr(s, "body") else [c.body for c in s.cases]
        arms += [getattr(s, "finalbody", [])] + [h.body for h in getattr(s, "handlers", [])]
        for arm in arms:
            deepest = max(deepest, nesting(arm, depth + 1, source))
        orelse = getattr(s, "orelse", [])
        is_elif = (isinstance(s, ast.If) and len(orelse) == 1 and isinstance(orelse[0], ast.If)
                   and source[orelse[0].lineno - 1].encode()[orelse[0].col_offset:].startswith(b"elif"))
        deepest = max(deepest, nesting(orelse, depth if is_elif else depth + 1, source))
    return deepest


def functions(tree):
    open_nodes = [(tree, "")]
    while open_nodes:
        node, prefix = open_nodes.pop()
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield child, prefix + child.name
                inner = prefix + child.name + ".<locals>."
            elif isinstance(child, ast.ClassDef):
                inner = prefix + child.name + "."
            open_nodes.append((child, inner))


def judged(path):
    """(line, name, complexity, nesting) of every function of a file; None when Python refuses it."""
    with open(path, "rb") as file:
        source = file.read()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    lines = source.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    return [(f.lineno, n, Graph().complexity(f.body), nesting(f.body, 0, lines)) for f, n in functions(tree)]


def told(program, folder):
    """The same by file, as the product says it, and the Python files that it read."""
    done = subprocess.run([program, "analyze", folder, "--no-store", "--json"], stdout=subprocess.PIPE, check=True)
    report = json.loads(done.stdout)
    units = collections.defaultdict(list)
    for item in report["metrics"]["families"]["complexity"]["items"]:
        local = item["qualname"].split(":", 1)[1]
        units[item["relative_path"]].append(
            (item["start_line"], local, item["cyclomatic_complexity"], item["nesting_depth"]))
    files = [p for p in report["inventory"]["file_registry"]["items"] if p.endswith((".py", ".pyi"))]
    return files, units


def compare(program, folder):
    """How many functions were compared, how many files Python refuses, and the differences."""
    files, units = told(program, folder)
    count, refused, wrong = 0, 0, []
    for path in files:
        expected = judged(os.path.join(folder, path))
        if expected is None:
            refused += 1
            continue
        count += len(expected)
        ours, theirs = collections.Counter(units[path]), collections.Counter(expected)
        for sign, rows in (("product says", ours - theirs), ("graph says", theirs - ours)):
            wrong += [f"{path}:{line} {name}: {sign} {cc}, nesting {depth}" for line, name, cc, depth in rows]
    return count, refused, sorted(wrong)


def against(program, folders, at_least):
    total = failures = 0
    for folder in folders:
        count, refused, wrong = compare(program, folder)
        total, failures = total + count, failures + len(wrong)
        print(f"{count:7,} functions of {folder}, {len(wrong)} differences, {refused} files that Python refuses")
        for line in wrong[:20]:
            print("        " + line)
    print(f"{total:7,} functions, {failures} differences")
    if total < at_least:
        print(f"        fewer than {at_least:,}: this proves too little")
    return 0 if failures == 0 and total >= at_least else 1


def print_functions(paths):
    for path in paths:
        rows = judged(path)
        if rows is None:
            print(path, 0, "-", "unreadable", 0, sep="\t")
        for row in rows or ():
            print(path, *row, sep="\t")
    return 0


def main():
    sys.setrecursionlimit(100000)
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", metavar="GATEHOUSE")
    parser.add_argument("--at-least", type=int, default=1, metavar="N")
    parser.add_argument("--library", action="store_true")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    if options.against:
        library = [sysconfig.get_paths()["stdlib"]] if options.library else []
        return against(options.against, library + options.paths, options.at_least)
    return print_functions(options.paths or (line.rstrip("\n") for line in sys.stdin))


if __name__ == "__main__":
    sys.exit(main())
