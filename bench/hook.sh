# What an agent waits before each of its steps: the hook of a host beside an empty process, and beside the start of an
# interpreter that has read nothing but its JSON library. A thousand intents are open. Sourced by bench/run: uses its
# functions and variables.
hooked=$scratch/hooked
repository "$hooked" 100
printf 'hooks:\n  mode: enforce\n' >"$hooked/gatehouse.yaml"
git -C "$hooked" add gatehouse.yaml
git -C "$hooked" -c user.name=Bench -c user.email=bench@example.invalid commit -qm gate
git -C "$hooked" checkout -q -- .
"$build/bench/bench_registry" declare "$hooked" 1000 >/dev/null
cd "$hooked"
"$gatehouse" analyze --no-store --jobs 1 >/dev/null 2>&1 || true
"$gatehouse" analyze >/dev/null
"$gatehouse" change start --goal bench --allow d0/f1.txt --session agent >/dev/null
event() { printf '{"session_id":"agent","cwd":"%s","hook_event_name":"%s","tool_use_id":"t","tool_name":"%s","tool_input":%s}' "$hooked" "$1" "$2" "$3"; }
printf '{"session_id":"agent","cwd":"%s","hook_event_name":"SessionStart"}' "$hooked" | "$gatehouse" hook claude

# hooked_by NAME TOOL INPUT: median beside an empty process in $a and $b
hooked_by() {
  event PreToolUse "$2" "$3" >"$scratch/event"
  export SPAWN_INPUT=$scratch/event
  turns "$gatehouse" hook claude --- "$build/bench/ref_empty"
  unset SPAWN_INPUT
  row "hook before $1 / empty process ($b us)" "$(ratio "$a" "$b")" '<=' 3 times
}
hooked_by 'an edit that passes' Write '{"file_path":"d0/f1.txt","content":"x"}'
passes=$a
hooked_by 'an edit that is stopped' Write '{"file_path":"d0/f2.txt","content":"x"}'
hooked_by 'a command that reads' Bash '{"command":"git status && ls -la src | head"}'
hooked_by 'a command that writes' Bash '{"command":"sed -i s/a/b/ d0/f1.txt && echo x >> d0/f1.txt"}'

alternate "$spawn" 5 /usr/bin/python3 -c 'import json' --- true
row "hook before an edit / python3 -c 'import json' ($a us)" "$(awk -v a="$passes" -v b="$a" 'BEGIN {printf "%.3f", a / b}')" '<=' 0.05 times

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
cd /
