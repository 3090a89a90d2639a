# What an agent waits before each of its steps: the hook of a host beside an empty process, and beside the start of an
# interpreter that has read nothing but its JSON library. A thousand intents are open. Sourced by bench/run: uses its
# functions and variables.
# behind_hooks FOLDER SETTINGS: a repository with a thousand open intents, and a session that may edit d0/f1.txt
behind_hooks() {
  hooked=$1
  repository "$hooked" 100
  printf 'hooks:\n  mode: enforce\n%s' "$2" >"$hooked/gatehouse.yaml"
  printf 'def one():\n    return 1\n' >"$hooked/one.py"
  git -C "$hooked" add gatehouse.yaml one.py
  git -C "$hooked" -c user.name=Bench -c user.email=bench@example.invalid commit -qm gate
  git -C "$hooked" checkout -q -- .
  "$build/bench/bench_registry" declare "$hooked" 1000 >/dev/null
  cd "$hooked"
  "$gatehouse" analyze >/dev/null
  "$gatehouse" change start --goal bench --allow d0/f1.txt --session agent >/dev/null
  printf '{"session_id":"agent","cwd":"%s","hook_event_name":"SessionStart"}' "$hooked" | "$gatehouse" hook claude
  # Every step is looked at afterwards. What a ledger says is filed when it was left alone for a tick of the file system's
  # clock: the first looks are too close to the start above.
  event PostToolUse Bash '{"command":"make"}' >"$scratch/event"
  for _ in {1..100}; do
    "$gatehouse" hook claude --budget-ms 60000 <"$scratch/event" >/dev/null
    [[ ! -e $hooked/.git/gatehouse/cache/intents ]] || break
  done
  [[ -e $hooked/.git/gatehouse/cache/intents ]] || { echo 'bench: the open intents were not filed' >&2; exit 1; }
  [[ -z $(said Write '{"file_path":"d0/f1.txt","content":"x"}') ]] || { echo 'bench: the edit does not pass' >&2; exit 1; }
  [[ -n $(said Write '{"file_path":"d0/f2.txt","content":"x"}') ]] || { echo 'bench: the edit is not stopped' >&2; exit 1; }
}
event() { printf '{"session_id":"agent","cwd":"%s","hook_event_name":"%s","tool_use_id":"t","tool_name":"%s","tool_input":%s}' "$hooked" "$1" "$2" "$3"; }
said() { event PreToolUse "$1" "$2" | "$gatehouse" hook claude; }

# hooked_by NAME TOOL INPUT: median beside an empty process in $a and $b
hooked_by() {
  event PreToolUse "$2" "$3" >"$scratch/event"
  export SPAWN_INPUT=$scratch/event
  turns "$gatehouse" hook claude --- "$build/bench/ref_empty"
  row "hook before $1 / empty process ($b us)" "$(ratio "$a" "$b")" '<=' 3 times
  export SPAWN_CPU=1
  turns "$gatehouse" hook claude --- "$build/bench/ref_empty"
  unset SPAWN_INPUT SPAWN_CPU
  row "  the same by processor time ($a us, $b us)" "$(ratio "$a" "$b")" '<=' 3 times
}

# With the ledger on a server the hook reads a file of its registry, and asks nobody.
[[ -n $server ]] || start_postgres
behind_hooks "$scratch/far" "$(printf 'store:\n  url: "%s"\n' "$url")"
hooked_by 'an edit that passes, ledger in PostgreSQL' Write '{"file_path":"d0/f1.txt","content":"x"}'
hooked_by 'an edit that is stopped, ledger in PostgreSQL' Write '{"file_path":"d0/f2.txt","content":"x"}'

behind_hooks "$scratch/hooked" ''
hooked_by 'an edit that passes' Write '{"file_path":"d0/f1.txt","content":"x"}'
passes=$a  # by processor time
hooked_by 'an edit that is stopped' Write '{"file_path":"d0/f2.txt","content":"x"}'
hooked_by 'a command that reads' Bash '{"command":"git status && ls -la src | head"}'
hooked_by 'a command that writes' Bash '{"command":"sed -i s/a/b/ d0/f1.txt && echo x >> d0/f1.txt"}'

# The same when the ledger was written to since: SQLite has to be asked.
rm -f "$hooked/.git/gatehouse/cache/intents"
event PreToolUse Write '{"file_path":"d0/f1.txt","content":"x"}' >"$scratch/event"
export SPAWN_INPUT=$scratch/event
turns "$gatehouse" hook claude --- "$build/bench/ref_empty"
unset SPAWN_INPUT
row "the same from the ledger itself ($b us)" "$(ratio "$a" "$b")" '<=' 5 times

export SPAWN_CPU=1
alternate "$spawn" 5 /usr/bin/python3 -c 'import json' --- true
unset SPAWN_CPU
row "hook before an edit / python3 -c 'import json' ($a us, processor time)" "$(awk -v a="$passes" -v b="$a" 'BEGIN {printf "%.3f", a / b}')" '<=' 0.05 times

event PostToolUse Bash '{"command":"make"}' >"$scratch/event"
export SPAWN_INPUT=$scratch/event
alternate "$spawn" 5 "$gatehouse" hook claude --- true
unset SPAWN_INPUT
row 'hook after a command, 100 files' "$(awk -v a="$a" 'BEGIN {printf "%.0f", a / 1000}')" '<=' 150 ms

# The hooks of git, with one file staged; their budgets are in docs/setup.md.
"$gatehouse" hook install --absolute >/dev/null
cp d0/f2.txt "$scratch/f2" && echo more >>d0/f2.txt && git add d0/f2.txt
printf 'a change\n' >"$scratch/message"
# git_hook NAME BUDGET ARG...: the median of a hook of git against its budget
git_hook() {
  local name=$1 budget=$2
  shift 2
  alternate "$spawn" 5 "$gatehouse" hook git "$name" "$@" --- true
  row "hook git $name" "$(awk -v a="$a" 'BEGIN {printf "%.0f", a / 1000}')" '<=' "$budget" ms
}
git_hook pre-commit 150
git_hook prepare-commit-msg 20 "$scratch/message"
git_hook commit-msg 50 "$scratch/message"
git_hook post-commit 50
printf '%s %s refs/heads/topic\n' "$(git rev-parse HEAD)" "$(git rev-parse HEAD)" >"$scratch/refs"
export SPAWN_INPUT=$scratch/refs
git_hook reference-transaction 10 prepared
unset SPAWN_INPUT
cp "$scratch/f2" d0/f2.txt && git add d0/f2.txt

# A push of ten commits, judged before it leaves and where it arrives. The server has the objects, and no ref to them.
git clone -q --bare . "$scratch/bare.git"
git remote add origin "$scratch/bare.git"
before=$(git rev-parse HEAD)
for i in {1..10}; do
  file=d0/f$((11 + i % 5)).txt  # a change has at most five files
  echo "step $i" >>"$file"
  git -c core.hooksPath=/dev/null -c user.name=Bench -c user.email=bench@example.invalid commit -qm "step $i" "$file"
done
after=$(git rev-parse HEAD)
git -C "$scratch/bare.git" fetch -q "$hooked" main
printf 'refs/heads/main %s refs/heads/main %s\n' "$after" "$before" >"$scratch/refs"
export SPAWN_INPUT=$scratch/refs
"$gatehouse" hook git pre-push origin "$scratch/bare.git" <"$scratch/refs" || { echo 'bench: the push is refused' >&2; exit 1; }
git_hook pre-push 5000 origin "$scratch/bare.git"
cd "$scratch/bare.git"
printf '%s %s refs/heads/main\n' "$before" "$after" >"$scratch/refs"
"$gatehouse" hook git pre-receive <"$scratch/refs" || { echo 'bench: the push is not received' >&2; exit 1; }
git_hook pre-receive 30000
unset SPAWN_INPUT
cd /
