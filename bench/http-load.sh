#!/usr/bin/env bash
# Many agents on one `gatehouse serve`: 1,000 sessions, 200 of them calling `status` for two minutes with
# limits raised by configuration; then the same with the limits as they are, to see them work.
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

cat >gatehouse.yaml <<'Y'
server:
  mcp_max_sessions: 2000
  read_rps: 100000
  read_burst: 100000
Y
serve
echo "limits raised by configuration:"
sed 's/^/  /' "$scratch/log"
"$build/bench/bench_http_load" "$port" "$sessions" "$callers" "$seconds" status "$server"
stop

rm gatehouse.yaml
serve
echo "limits as they are:"
EXPECT_LIMITS=1 "$build/bench/bench_http_load" "$port" 400 "$callers" 10 status "$server"
echo "  $(grep -c session_evicted "$scratch/log" || true) sessions evicted, $(grep -c rate_limited "$scratch/log" || true) times too often"
stop
