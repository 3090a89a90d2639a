# Many agents on one server. Sourced by bench/run: uses its variables.
"$root/bench/http-load.sh" "${LOAD_SECONDS:-120}" || missed=1
