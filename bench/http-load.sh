#!/usr/bin/env bash
# Many agents on one `gatehouse serve`: 1,000 sessions, 200 of them calling `status` for two minutes with
# limits raised by configuration; then the same with the limits as they are, to see them work. Prints a row for each figure
# that is asked for, and ends with 1 when one is missed. `BENCH_ONLY=http ./dev bench` runs it.
# Usage: bench/http-load.sh [SECONDS [SESSIONS [CALLERS]]]; BUILD names the build folder.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
build=$(readlink -f "${BUILD:-$root/build}")
seconds=${1:-120} sessions=${2:-1000} callers=${3:-200}
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null LC_ALL=C
scratch=$(mktemp -d)
server=
at_exit() {
  [[ -z $server ]] || kill "$server" 2>/dev/null || true
  rm -rf "$scratch"
}
trap at_exit EXIT

cd "$scratch"
git init -q
printf 'def f(a):\n    return a\n' >a.py
git add a.py
git -c user.name=b -c user.email=b@example.com commit -qm first

# serve: starts the server with the configuration that is there; sets `server` and `port`
serve() {
  "$build/gatehouse" serve --listen 127.0.0.1:0 >"$scratch/out" 2>"$scratch/log" &
  server=$!
  until grep -q http "$scratch/out"; do
    kill -0 "$server" || { cat "$scratch/log" >&2; exit 1; }
    read -rt 0.05 <> <(:) || true
  done
  port=$(grep -o '[0-9]*/mcp' "$scratch/out" | cut -d/ -f1)
}
# stop: asks it to stop, which is no failure
stop() {
  kill "$server"
  wait "$server"
  server=
}

missed=0
# row NAME VALUE RELATION LIMIT: no value is missed, too
row() {
  local verdict=ok
  awk -v v="$2" -v l="$4" -v r="$3" 'BEGIN {exit !(v != "" && (r == "<=" ? v + 0 <= l + 0 : v + 0 >= l + 0))}' || { verdict=MISSED; missed=1; }
  printf '| %-66s | %10s %-9s | %s %-8s | %s |\n' "$1" "$2" '' "$3" "$4" "$verdict"
}
# figure NAME: a number of what the last load told
figure() { grep -o "\"$1\":[0-9]*" "$scratch/told" | cut -d: -f2; }
# load WORD...: tells what it saw, on standard error too; its exit status is in `clean`
load() {
  clean=0
  "$build/bench/bench_http_load" "$port" "$@" "$server" >"$scratch/told" || clean=$?
  sed 's/^/  /' "$scratch/told" >&2
}
share() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.2f", (b > 0 ? a / b : 999)}'; }

cat >gatehouse.yaml <<'Y'
server:
  mcp_max_sessions: 2000
  read_rps: 100000
  read_burst: 100000
Y
serve
echo "limits raised by configuration: $sessions sessions, $callers of them calling for $seconds s" >&2
sed 's/^/  /' "$scratch/log" >&2
load "$sessions" "$callers" "$seconds" status
row 'http: sessions that could be opened' "$(figure sessions)" '>=' "$sessions"
row 'http: other answers than 200 and 202, lost connections (0: none)' "$clean" '<=' 0
row 'http: memory at the end, of that after a quarter of the time' "$(share "$(figure end_rss_kb)" "$(figure warm_rss_kb)")" '<=' 1.10
row 'http: the slowest of a hundred calls, of the median' "$(share "$(figure p99_us)" "$(figure p50_us)")" '<=' 3
stop

rm gatehouse.yaml
serve
echo 'limits as they are: 400 sessions' >&2
EXPECT_LIMITS=1 load 400 "$callers" 10 status
row 'http: answers 429 where the limits are as they are' "$(figure 429)" '>=' 1
row 'http: sessions that were evicted for newer ones' "$(grep -c session_evicted "$scratch/log" || true)" '>=' 1
row 'http: lost connections' "$(figure lost)" '<=' 0
stop
exit "$missed"
