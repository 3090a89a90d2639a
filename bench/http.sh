# Many agents on one server. Sourced by bench/run: uses its variables.
BUILD=$build "$root/bench/http-load.sh" "${LOAD_SECONDS:-120}" || missed=1
