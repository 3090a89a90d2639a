# Change control beside one bare `git status`, and its registry beside bare SQLite. Sourced by bench/run: uses its functions
# and variables.
kept=$rounds rounds=$((rounds < 15 ? 15 : rounds))
registry=$build/bench/bench_registry
edit=0
bare_status() { "$spawn" 1 git --no-optional-locks status --porcelain=v2 -z --untracked-files=all; }

# start_change FILE: a declared change of that file, in place of those before
start_change() {
  edit=$((edit + 1))
  "$gatehouse" change abandon --all --session bench >/dev/null
  "$gatehouse" change start --goal "edit $edit" --allow "$1" --session bench >/dev/null
}
change_started() {
  edit=$((edit + 1))
  "$gatehouse" change abandon --all --session bench >/dev/null
  "$spawn" 1 "$gatehouse" change start --goal "edit $edit" --allow "$1" --session bench
}
# change_finished FILE NEW [OPTION...]: the file gets the text of NEW between start and finish
change_finished() {
  git checkout -q -- "$1"
  start_change "$1"
  cp "$2" "$1"
  "$spawn" 1 "$gatehouse" change finish --files "$1" --session bench "${@:3}"
}
# change_asked WORD...: a command of an intent that is open
change_asked() { "$spawn" 1 "$gatehouse" change "$@" --session bench; }
# beside_status NAME COMMAND...: at most twice as long as git, by the clock and by the processor
beside_status() {
  alternate "${@:2}" --- bare_status
  row "change $1 / git status ($b us)" "$(ratio "$a" "$b")" '<=' 2.0 times
  SPAWN_CPU=1 alternate "${@:2}" --- bare_status
  row "the same, processor time ($b us)" "$(ratio "$a" "$b")" '<=' 2.0 times
}
dirty_files() { for ((n = 0; n < $1; ++n)); do echo dirt >"d$((n / 20 + 2))/dirt$n.txt"; done; }

# 100,000 files, a hundred of them Python; what is changed is no source.
changing=$scratch/changing
repository "$changing" 100000
cd "$changing"
git checkout -q -f main -- .
mkdir -p pkg
for n in {1..100}; do
  printf 'import os\nfrom pkg import m%d\n\n\ndef f%d(a):\n    if a:\n        return os.path.join(a, "%d")\n    return a\n' "$((n / 2))" "$n" "$n" >"pkg/m$n.py"
done
git add -A
git -c user.name=b -c user.email=b@example.invalid commit -qm sources
"$gatehouse" analyze >/dev/null
echo edited >"$scratch/edited"
for dirty in 0 2000; do
  dirty_files "$dirty"
  beside_status "start, 100 of 100,000 files analysed, $dirty dirty" change_started d1/f150.txt
  beside_status "finish, 100 of 100,000 files analysed, $dirty dirty" change_finished d1/f150.txt "$scratch/edited"
done
cd /
rm -rf "$changing"

# 100,000 Python files, three functions in each; what is changed is one of them, and two runs are compared. Both are made
# beforehand, the one before the change last: it is the latest one.
sources=$scratch/sources
git init -q -b main "$sources"
awk -v n=100000 'BEGIN {
  print "commit refs/heads/main\ncommitter Bench <bench@example.invalid> 1700000000 +0000\ndata 5\nbase\n"
  for (i = 0; i < n; ++i) {
    m = int(i / 2)
    text = i == 0 ? "" : sprintf("from d%d.m%d import f%d_1\n\n\n", int(m / 100), m, m)
    for (k = 1; k <= 3; ++k)
      text = text sprintf("def f%d_%d(a):\n    b = f%d_%d(a)\n    if b > %d:\n        return f%d_%d(b)\n    return a\n\n\n", i, k, (i + k) % n, k % 3 + 1, k, (i * k) % n, (k + 1) % 3 + 1)
    if (i % 10 == 0) text = text sprintf("def dead%d(a):\n    return %d\n\n\n", i, i)
    text = text sprintf("print(f%d_1(1))\n", i)
    printf "M 100644 inline d%d/m%d.py\ndata %d\n%s\n", int(i / 100), i, length(text), text
  }
  print "done" }' | git -C "$sources" fast-import --quiet --done
cd "$sources"
git reset -q --hard
sed 's/    if b > 1:/    if b > 100:\n        return b\n    if b > 1:/' d1/m150.py >"$scratch/m150.py"
cp "$scratch/m150.py" d1/m150.py
"$gatehouse" analyze >/dev/null
after=$("$gatehouse" runs list --json | sed -n 's/.*"run_id": *"\([0-9a-f]\{64\}\)".*/\1/p' | sed -n 1p)
git checkout -q -- d1/m150.py
"$gatehouse" analyze >/dev/null
for dirty in 0 2000; do
  dirty_files "$dirty"
  beside_status "start, 100,000 analysed files, $dirty dirty" change_started d1/m150.py
  beside_status "finish of two runs, 100,000 analysed files, $dirty dirty" change_finished d1/m150.py "$scratch/m150.py" --after-run "$after"
done
git checkout -q -- d1/m150.py
start_change d1/m150.py
for word in status list renew; do
  beside_status "$word, 100,000 analysed files, 2000 dirty" change_asked "$word"
done
cd /
rm -rf "$sources"

# The registry in a process that keeps its session open.
# registry_of WHAT N: in a repository of its own
registry_of() {
  rm -rf "$scratch/registry"
  repository "$scratch/registry" 100
  "$registry" "$1" "$scratch/registry" "$2"
}
# A transaction that writes as much: the record, its head, an audit row, and where the chain ends.
alternate registry_of renewals $((commits * 20)) --- fresh "$build/bench/ref_sqlite_commits" NEW $((commits * 20)) soft 1439 340 824
row "lease renewal of a kept session / the same rows in bare SQLite ($b us)" "$(ratio "$a" "$b")" '<=' 2 times
# The same as an agent asks for it: one MCP session over a pipe.
# calls_of WHAT N: in a repository of its own, with a run. The record of a real start is longer than that above, and so is its
# counterpart.
calls_of() {
  rm -rf "$scratch/calls"
  repository "$scratch/calls" 100
  git -C "$scratch/calls" checkout -q -f main -- .
  (cd "$scratch/calls" && printf 'def f(a):\n    return a\n' >f.py && "$gatehouse" analyze >/dev/null)
  "$build/bench/bench_mcp_calls" "$1" "$gatehouse" "$scratch/calls" "$2"
}
alternate calls_of renew $((commits * 20)) --- fresh "$build/bench/ref_sqlite_commits" NEW $((commits * 20)) soft 3590 390 870
row "lease renewal in one MCP session over stdio / the same rows in bare SQLite ($b us)" "$(ratio "$a" "$b")" '<=' 2 times
alternate calls_of ping $((commits * 20)) --- calls_of ping $((commits * 20))
told "a ping in that session, of which the pipe is the most" "$a" us
alternate registry_of decisions 1000 --- registry_of decisions 1
row "decision of a start in a kept session, 1000 intents of 50 paths, more than one ($b us)" "$(awk -v a="$a" -v b="$b" 'BEGIN {print a - b}')" '<=' 5000 us
alternate registry_of first 1000 --- registry_of first 1
row "the same where no record was read before ($b us)" "$(awk -v a="$a" -v b="$b" 'BEGIN {print a - b}')" '<=' 5000 us
alternate registry_of holders 1000 --- registry_of holders 1
row "who holds a path, 1000 intents of 50 paths, more than one ($b us)" "$(awk -v a="$a" -v b="$b" 'BEGIN {print a - b}')" '<=' 1000 us

# The same by a whole command.
# crowded N: a repository with a run and N open intents
crowded() {
  repository "$scratch/crowd$1" 100
  git -C "$scratch/crowd$1" checkout -q -f main -- .
  (cd "$scratch/crowd$1" && printf 'def f(a):\n    return a\n' >f.py && "$gatehouse" analyze >/dev/null)
  "$registry" declare "$scratch/crowd$1" "$1"
}
start_in_crowd() { (cd "$scratch/crowd$1" && change_started d0/f50.txt); }
crowded 1000
crowded 1
alternate start_in_crowd 1000 --- start_in_crowd 1
told "change start among 1000 open intents, more than among one ($b us)" "$(awk -v a="$a" -v b="$b" 'BEGIN {print a - b}')" us
SPAWN_CPU=1 alternate start_in_crowd 1000 --- start_in_crowd 1
told "the same, processor time ($b us)" "$(awk -v a="$a" -v b="$b" 'BEGIN {print a - b}')" us
rounds=$kept
