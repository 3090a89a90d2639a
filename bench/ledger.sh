# The ledger beside bare databases. Sourced by bench/run: uses its functions and variables.

# The bare database does the same flushes in a transaction that changes a row and appends one.
[[ -n $server ]] || start_postgres
alternate fresh "$ledger" commits NEW "$commits" --- fresh "$build/bench/ref_sqlite_commits" NEW "$commits"
row "ledger commits per second / bare SQLite's ($b us)" "$(ratio "$b" "$a")" '>=' 0.5 times
alternate "$ledger" commits "$url" "$commits" --- "$build/bench/ref_postgres_commits" "$url" "$commits"
row "ledger commits per second / bare PostgreSQL's ($b us)" "$(ratio "$b" "$a")" '>=' 0.5 times
# A renewal and a bare transaction without a flush of their own; enough of them for several checkpoints.
alternate fresh "$ledger" renewals NEW $((commits * 20)) --- fresh "$build/bench/ref_sqlite_commits" NEW $((commits * 20)) soft
row "lease renewal / soft transaction of bare SQLite ($b us)" "$(ratio "$a" "$b")" '<=' 2 times
one=$(fresh "$ledger" intents NEW 1) many=$(fresh "$ledger" intents NEW 1000)
row "decision over 1000 open intents, more than over one, SQLite ($one us)" "$(awk -v a="$many" -v b="$one" 'BEGIN {print a - b}')" '<=' 5000 us
one=$("$ledger" intents "$url" 1) many=$("$ledger" intents "$url" 1000)
row "decision over 1000 open intents, more than over one, PostgreSQL ($one us)" "$(awk -v a="$many" -v b="$one" 'BEGIN {print a - b}')" '<=' 5000 us
events=${EVENTS:-100000}
row 'audit verify, SQLite' "$(fresh "$ledger" verify NEW "$events")" '>=' 100000 'per s'
row 'audit verify, PostgreSQL' "$("$ledger" verify "$url" "$events")" '>=' 100000 'per s'
row "slowest of list, filters, show; $proposals proposals, SQLite" "$(fresh "$ledger" proposals NEW "$proposals" 2>/dev/null)" '<=' 5000 us
row "slowest of list, filters, show; $proposals proposals, PostgreSQL" "$("$ledger" proposals "$url" "$proposals" 2>/dev/null)" '<=' 5000 us
