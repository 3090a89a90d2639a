#!/usr/bin/env python3
"""Runs the analysis on folders of sources and prints one row of docs/analysis-corpora.md for each.

analysis_corpora.py GATEHOUSE NAME=FOLDER...
"""
import json
import os
import subprocess
import sys
import time


def row(program, name, folder):
    begin = time.monotonic()
    done = subprocess.run([program, "analyze", folder, "--no-store", "--json", "--jobs", "2"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        return f"| {name} | exit {done.returncode}: {done.stderr.decode()[-200:]!r} |"
    report = json.loads(done.stdout)
    files, code = report["inventory"]["files"], report["inventory"]["code"]
    families = report["findings"]["summary"]["families"]
    clones = report["findings"]["summary"]["clones"]
    units = code["functions"] + code["methods"] + code["nested_functions"]
    in_errors = sum(p["error_bytes"] for p in files["partial"])
    registry = report["inventory"]["file_registry"]["items"]
    read = sum(os.path.getsize(os.path.join(folder, path)) for path in registry)
    share = 100 * in_errors / max(1, read)
    cells = [name, files["total_found"], files["skipped"], files["by_status"].get("partial", 0),
             f"{share:.3f} %", code["parsed_lines"], units, clones["functions"],
             clones["blocks"], clones["near_miss"], clones["segments"], families["structural"], families["dead_code"],
             families["design"], f"{seconds:.1f} s"]
    return "| " + " | ".join(f"{c:,}" if isinstance(c, int) else str(c) for c in cells) + " |"


def main():
    program = sys.argv[1]
    print("| corpus | files | skipped | partial | bytes in errors | lines | functions | function clones | block clones "
          "| near misses | segments | structural | dead code | design | time |")
    print("|" + "---|" * 15)
    for word in sys.argv[2:]:
        name, folder = word.split("=", 1)
        print(row(program, name, folder), flush=True)


main()
