#!/usr/bin/env python3
"""The checker of the torture finds what it is there for: small histories, each with one fault, and one without."""
import sys
import time

import torture_check as check
from torture_check import SECOND

CLOCK = check.Clock([(0, 1_000_000 * SECOND, 1000)])  # a second is a second


def utc(at):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_000_000 + at))


# --- rows of a chain: event, intent, and what differs from the usual ---

def row(seq, event, intent, at=0, **more):
    payload = {"status": "active", "fence": 0, "agent_pid": ord(intent[0]), "lease_renewed_at_utc": utc(at), "lease_seconds": 60,
               **more}
    if "files" in payload:
        payload["scope"] = {"allowed_files": payload.pop("files")}
        payload["expires_at_utc"] = utc(at + 3600)
    return {"seq": seq, "event": event, "subject": {"intent_id": intent}, "payload": payload}


def chain(*rows):
    return [row(seq, *words, **more) for seq, (*words, more) in enumerate(rows, 1)]


DECLARED, RENEWED, PASSED, CLEARED = "intent.declared", "intent.renewed", "intent.passed", "intent.cleared"
EXPIRED, QUEUED = "intent.expired", "intent.queued"
A_HOLDS = (DECLARED, "a1", 0, {"fence": 1, "files": ["f"]})
B_TAKES = (DECLARED, "b1", 80, {"fence": 2, "files": ["f"]})
A_PASSED = (PASSED, "a1", 0, {"fence": 1, "passed_by": 2})

CHAINS = [
    ("one after the other", chain(A_HOLDS, (CLEARED, "a1", 5, {"fence": 1}), (DECLARED, "b1", 6, {"fence": 2, "files": ["f"]})), ""),
    ("other files", chain(A_HOLDS, (DECLARED, "b1", 1, {"fence": 2, "files": ["g"]})), ""),
    ("taken after lease and grace", chain(A_HOLDS, A_PASSED, B_TAKES), ""),
    ("let go after that", chain(A_HOLDS, A_PASSED, B_TAKES, (CLEARED, "a1", 90, {"fence": 1, "verified": False})), ""),
    ("taken while it lives, and said so", chain(A_HOLDS, A_PASSED, (DECLARED, "b1", 74, {"fence": 2, "files": ["f"]})), "was alive"),
    ("the clock jumped back", chain(A_HOLDS, A_PASSED, B_TAKES, (CLEARED, "b1", 81, {"fence": 2}),
                                    (DECLARED, "c1", 10, {"fence": 3, "files": ["f"]})), ""),
    ("taken in the same second", chain(A_HOLDS, (DECLARED, "b1", 0, {"fence": 2, "files": ["f"]})), "was alive"),
    ("taken before its grace is over", chain(A_HOLDS, (DECLARED, "b1", 74, {"fence": 2, "files": ["f"]})), "was alive"),
    ("a folder above", chain(A_HOLDS, (DECLARED, "b1", 0, {"fence": 2, "files": ["f/x"]})), "was alive"),
    ("taken after a renewal", chain(A_HOLDS, (RENEWED, "a1", 30, {"fence": 1, "status": "renewed"}), B_TAKES), "was alive"),
    ("taken without a word", chain(A_HOLDS, B_TAKES), "no row says"),
    ("renewed after that", chain(A_HOLDS, A_PASSED, B_TAKES, (RENEWED, "a1", 81, {"fence": 1, "status": "renewed"})), "honoured"),
    ("checked after that", chain(A_HOLDS, A_PASSED, B_TAKES, ("intent.checked", "a1", 81, {"fence": 1})), "honoured"),
    ("finished after that", chain(A_HOLDS, A_PASSED, B_TAKES, (CLEARED, "a1", 81, {"fence": 1, "verified": True})), "was finished"),
    ("refused after that", chain(A_HOLDS, A_PASSED, B_TAKES, (RENEWED, "a1", 81, {"fence": 1, "status": "ownership_lost"})), ""),
    ("the same fence twice", chain(A_HOLDS, (DECLARED, "b1", 0, {"fence": 1, "files": ["g"]})), "fence 1"),
    ("a write under an old fence", chain(A_HOLDS, ("intent.checked", "a1", 1, {"fence": 0})), "under fence 0"),
    ("its time ran out", chain(A_HOLDS, (EXPIRED, "a1", 0, {"fence": 1, "closed_at_utc": utc(3600)})), ""),
    ("expired before its time", chain(A_HOLDS, (EXPIRED, "a1", 0, {"fence": 1, "closed_at_utc": utc(3599)})), "was its end"),
    ("expired, whatever the row says", chain(A_HOLDS, (EXPIRED, "a1", 0, {"fence": 1, "closed_at_utc": utc(10),
                                                                          "expires_at_utc": utc(9)})), "was its end"),
    ("expired for another cause", chain(A_HOLDS, (EXPIRED, "a1", 4000, {"fence": 1})), "not because"),
    ("a row of nobody", chain(("intent.checked", "z1", 1, {"fence": 1})), "does not know"),
]


# --- entries of logs: session, what, asked, told, answer ---

def entry(session, what, asked, told, **answer):
    answer = {"intent_id": session + "1", "files": ["f"], "status": "active", **answer}
    return {"session": session, "what": what, "asked": asked * SECOND, "told": told * SECOND, "intent": answer["intent_id"],
            "answer": answer}


def never_answered(session, what, asked):
    return {"session": session, "what": what, "asked": asked * SECOND, "intent": session + "1"}


A_STARTS = entry("a", "start", 0, 1, lease_until=utc(60), expires=utc(3600))

LOGS = [
    ("after lease and grace", [A_STARTS, entry("b", "start", 74, 76)], ""),
    ("perhaps after it", [A_STARTS, entry("b", "start", 60, 80)], ""),
    ("while it lives", [A_STARTS, entry("b", "start", 10, 11)], "let in"),
    ("other files", [A_STARTS, entry("b", "start", 10, 11, files=["g"])], ""),
    ("while it gives up", [A_STARTS, never_answered("a", "abandon", 9), entry("b", "start", 10, 11)], ""),
    ("after a renewal", [A_STARTS, entry("a", "renew", 50, 51, lease_renewed=True, lease_until=utc(111)), entry("b", "start", 80, 90)],
     "let in"),
    ("a yes after it was taken", [A_STARTS, entry("b", "start", 76, 77), entry("a", "check", 78, 79)], "got a yes"),
    ("also when the taker is gone", [A_STARTS, entry("b", "start", 76, 77), entry("b", "abandon", 78, 79, status="clean"),
                                     entry("a", "renew", 80, 81, lease_renewed=True)], "got a yes"),
    ("a no after it was taken", [A_STARTS, entry("b", "start", 76, 77), entry("a", "check", 78, 79, error="ownership_lost")], ""),
    ("taken anew", [A_STARTS, entry("b", "start", 76, 77), entry("a", "reset", 78, 79, action_taken="reset"), entry("a", "check", 80, 81)],
     ""),
    ("after its life, which a renewal does not tell",
     [entry("a", "start", 0, 1, lease_until=utc(60), expires=utc(65)),
      entry("a", "renew", 50, 51, lease_renewed=True, lease_until=utc(111)), entry("b", "start", 70, 71)], ""),
    ("before the end of its life",
     [entry("a", "start", 0, 1, lease_until=utc(60), expires=utc(75)),
      entry("a", "renew", 50, 51, lease_renewed=True, lease_until=utc(111)), entry("b", "start", 70, 71)], "let in"),
    ("a life of which nobody was told the end",
     [entry("a", "renew", 50, 51, lease_renewed=True, lease_until=utc(111)), entry("b", "start", 70, 71)], ""),
    ("one that waits is taken over", [A_STARTS, entry("b", "recover", 10, 11, action_taken="recovered", status="queued")], ""),
    ("one that waits begins anew", [A_STARTS, entry("b", "reset", 10, 11, action_taken="reset", status="queued")], ""),
    ("one that holds is taken over", [A_STARTS, entry("b", "recover", 10, 11, action_taken="recovered")], "let in"),
]


def fault_in(run):
    try:
        run()
        return ""
    except check.Fault as fault:
        return str(fault)


def weigh(entries):
    check.overlap_in_logs(entries, CLOCK, 15)
    check.honoured_in_logs(entries)


def told_but_not_written():
    check.check_told([A_STARTS], [], {}, lambda digest: True)


def receipt_lost():
    check.check_told([entry("a", "finish", 0, 1, status="accepted", receipt="d")], [], {}, lambda digest: False)


def only_in_the_registry():
    check.check_registry([{"intent_id": "a1", "status": "active", "fence": 1}], {}, {})


def only_in_the_chain():
    held, waiting, _, _ = check.check_chain(chain(A_HOLDS), 15)
    check.check_registry([], held, waiting)


def waiting_only_in_the_chain():
    held, waiting, _, _ = check.check_chain(chain((QUEUED, "a1", 0, {"files": ["f"], "status": "queued"})), 15)
    check.check_registry([], held, waiting)


COMPARED = [(told_but_not_written, "does not know"), (receipt_lost, "cannot be read"), (only_in_the_registry, "does not know"),
            (only_in_the_chain, "has lost"), (waiting_only_in_the_chain, "has lost")]


def main():
    failed = 0

    def expect(name, said, wanted):
        nonlocal failed
        if bool(said) != bool(wanted) or wanted not in said:
            failed += 1
            print(f"{name}: {said!r}, not {wanted!r}")

    for name, rows, wanted in CHAINS:
        expect(name, fault_in(lambda: check.check_chain(rows, 15)), wanted)
    for name, entries, wanted in LOGS:
        expect(name, fault_in(lambda: weigh(entries)), wanted)
    for run, wanted in COMPARED:
        expect(run.__name__, fault_in(run), wanted)
    jumped = check.Clock([(0, 0, 1000), (10, 100, 2000), (20, 50, 1000)])
    expect("before the jump", "" if jumped.first_at(0, 5) == 5 else "wrong", "")
    expect("by the jump", "" if jumped.first_at(0, 60) == 10 else "wrong", "")
    expect("after it", "" if jumped.first_at(0, 110) == 15 else "wrong", "")
    expect("after the jump back", "" if jumped.first_at(20, 100) == 70 else "wrong", "")
    print(f"{len(CHAINS)} chains, {len(LOGS)} logs, {failed} not as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
