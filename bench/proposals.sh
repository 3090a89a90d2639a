# The commands of proposals as whole processes. Sourced by bench/run: uses its functions and variables.

# proposing_repository FOLDER [STORE-URL]: 100 files and a policy under which the gate promotes
proposing_repository() {
  repository "$1" 100
  {
    printf 'proposals:\n  promotion:\n    requires: gate\n  max_base_age_days: 36500\n'
    [[ -z ${2-} ]] || printf 'store:\n  url: %s\n' "$2"
  } >"$1/gatehouse.yaml"
  git -C "$1" add gatehouse.yaml
  git -C "$1" -c user.name=bench -c user.email=bench@example.invalid commit -q -m policy
}

# propose REPO N: a proposal for file N of the repository, submitted and reviewed twice
propose() {
  local repo=$1 n=$2 box=$scratch/box who
  rm -rf "$box"
  mkdir "$box"
  printf 'diff --git a/d0/f%s.txt b/d0/f%s.txt\n--- a/d0/f%s.txt\n+++ b/d0/f%s.txt\n@@ -1,3 +1,4 @@\n+line 0\n line 1\n line 2\n line 3\n' "$n" "$n" "$n" "$n" >"$box/bench-$n.patch.diff"
  cat >"$box/bench-$n.patch.meta.yaml" <<YAML
patch_id: bench-$n
author_agent: "bench / drafter"
trust_level: untrusted
source_gap: "kb:1"
affected_files: [d0/f$n.txt]
base_commit: "$(git -C "$repo" rev-list --max-count=1 --grep=policy main)"
tests_added: []
commands_run: []
risk_notes: "failure: the line may be wrong; blast_radius: readers of d0/f$n.txt; data: none touched; idempotent: yes"
review_status: pending
promotion_status: proposed
rollback_notes: "git revert of the promotion commit"
created_utc: "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
YAML
  "$gatehouse" -C "$repo" proposal submit -q "$box" >/dev/null
  for who in gemini codex; do "$gatehouse" -C "$repo" proposal review "bench-$n" --as "$who" --verdict ok -q >/dev/null; done
}

# git_inside LOG: how many git processes strace saw, and the milliseconds between their start and end;
# the reader of objects stays open for the whole command and is counted apart
git_inside() {
  awk '
    /execve\(.*\/git"/ && !/cat-file/ {start[$1] = $2; ++n}
    /\+\+\+ (exited|killed)/ && ($1 in start) {sum += $2 - start[$1]; delete start[$1]}
    END {printf "%d %.1f\n", n, sum * 1000}' "$1"
}

# promotions REPO NAME COUNT: complete promotions per second, and what git takes of each
promotions() {
  local repo=$1 name=$2 count=$3 n began ended inside
  for ((n = 1; n <= count + 5; ++n)); do propose "$repo" "$n"; done
  began=$(date +%s%N)
  for ((n = 1; n <= count; ++n)); do "$gatehouse" -C "$repo" proposal promote "bench-$n" -q >/dev/null; done
  ended=$(date +%s%N)
  for ((n = count + 1; n <= count + 5; ++n)); do
    strace -f --seccomp-bpf -ttt -e trace=execve -e signal=none -o "$scratch/traced.$n" "$gatehouse" -C "$repo" proposal promote "bench-$n" -q >/dev/null
  done
  inside=$(for ((n = count + 1; n <= count + 5; ++n)); do git_inside "$scratch/traced.$n"; done | sort -k2n | sed -n 3p)
  [[ $(git -C "$repo" rev-list --count --grep='^Gatehouse-Decision: promoted' --first-parent main) == "$((count + 5))" ]] || { echo "bench: not every promotion landed" >&2; exit 1; }
  printf '| %-66s | %10s %-9s | %-11s | %s |\n' "complete promotions, $name (${inside% *} git processes, ${inside#* } ms of each)" \
    "$(awk -v n="$count" -v t="$((ended - began))" 'BEGIN {printf "%.1f", n / (t / 1e9)}')" 'per s' '' ''
}

# questions REPO NAME PLACE COUNT: list and show beside an empty process
questions() {
  local repo=$1 name=$2 place=$3 count=$4 what
  "$build/bench/bench_ledger" copies "$place" "$count" bench-1 "$(git -C "$repo" rev-list --max-parents=0 main)"
  for what in 'list' 'list --status proposed' 'list --author' 'show'; do
    local words=($what)
    [[ $what != 'list --author' ]] || words+=('agent-7 / drafter')
    [[ $what != show ]] || words+=("copy-$(printf %06d $((count / 2)))")
    "$gatehouse" -C "$repo" proposal "${words[@]}" >/dev/null # it answers at all
    alternate "$spawn" 5 "$gatehouse" -C "$repo" proposal "${words[@]}" --- "$spawn" 5 "$build/bench/ref_empty"
    row "proposal $what, $count proposals, $name (empty process $b us)" "$(awk -v a="$a" 'BEGIN {printf "%.1f", a / 1000}')" '<=' 50 ms
  done
}

proposing_repository "$scratch/proposing"
promotions "$scratch/proposing" SQLite "${PROMOTIONS:-15}"
questions "$scratch/proposing" SQLite "$scratch/proposing/.git/gatehouse/ledger.db" "$proposals"
[[ -n $server ]] || start_postgres
proposing_repository "$scratch/proposing-pg" "$url"
promotions "$scratch/proposing-pg" PostgreSQL "${PROMOTIONS:-15}"
questions "$scratch/proposing-pg" PostgreSQL "$url" "$proposals"
