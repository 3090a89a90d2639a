"""The checker of torture.py. It believes nobody: what workers were told, the audit chain and the registry are three
witnesses, and each fault below is found by comparing them.

Times in logs are those of the machine's monotonic clock, in nanoseconds, and the same for all processes. Times in the
chain are those of the registry's clock, which the torture lets run and jump; `Clock` knows what it showed when.

  overlap_in_logs      somebody was let in while another, by all it was told, must have been alive
  honoured_in_logs     a holder was told yes after somebody else had been told that its files are theirs
  check_chain          the same from the chain: no two live intents overlap, fences grow, nothing after a fence is passed
  check_told           whatever a worker was told stands in the chain, and every receipt can be read again
  check_registry       the registry holds what the chain says, no more and no less
"""
import calendar
import json
import time

SECOND = 1_000_000_000
ACTIVATIONS = {"intent.declared", "intent.promoted", "intent.recovered", "intent.reset", "intent.landing"}
HOLDING = {"active", "expanded", "violated"}
# What a holder may still do after its fence was passed: let go, or be let go.
LETTING_GO = {"intent.expired", "intent.passed", "intent.queue_blocked", "workspace.conflict_detected", "intent.blocked"}

# Said also of a start that was blocked, which holds nothing.
ASKED_ONLY = {"intent.blocked", "workspace.conflict_detected", "blast_artifact.created", "blast_radius.computed",
              "patch_budget.computed"}


class Fault(Exception):
    pass


def seconds_of(text):
    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))


def overlap(one, other):
    return any(a == b or a.startswith(b + "/") or b.startswith(a + "/") for a in one for b in other)


class Clock:
    """What the registry's clock showed: pieces of (monotonic, shown, rate in thousandths), in order."""

    def __init__(self, pieces):
        self.pieces = pieces

    def first_at(self, since, shown):
        """The first moment from `since` on at which it shows `shown` or more."""
        for n, (begin, base, rate) in enumerate(self.pieces):
            end = self.pieces[n + 1][0] if n + 1 < len(self.pieces) else None
            if end is not None and end <= since:
                continue
            at = max(since, begin, begin + (shown - base) * 1000 // rate)
            if end is None or at < end:
                return at
        raise AssertionError("a clock has a last piece")


# --- the logs of the workers ---------------------------------------------------------------------

def read_logs(paths):
    """Entries of all workers; one that was asked and never answered has no `answer`."""
    out = []
    for path in paths:
        asked = None
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                if not line.endswith("\n"):
                    break  # killed while it wrote
                entry = json.loads(line)
                if "answer" in entry:
                    asked.update(entry)
                    asked = None
                else:
                    asked = entry
                    out.append(asked)
    out.sort(key=lambda entry: entry["asked"])
    return out


def is_activation(entry):
    """Did the answer say that the files are theirs now?"""
    answer = entry.get("answer") or {}
    if entry["what"] in ("recover", "reset"):  # one that waits is given over or begins anew, and waits on
        return answer.get("action_taken") in ("recovered", "reset") and answer.get("status") in HOLDING
    if entry["what"] == "extend":
        return answer.get("extended") is True and answer.get("status") in HOLDING
    if answer.get("replay"):
        return False
    return entry["what"] in ("start", "promote") and answer.get("status") == "active"


def is_honoured(entry):
    """Did the answer treat the asker as the holder?"""
    answer = entry.get("answer") or {}
    if answer.get("error"):
        return False
    if entry["what"] == "renew":
        return answer.get("lease_renewed") is True
    if entry["what"] == "finish":
        return answer.get("status") is not None and answer.get("reason") != "intent_not_active"
    return entry["what"] in ("check", "status", "verify") and answer.get("status") in HOLDING | {"clean", "accepted"}


ENDS = {"start", "abandon", "finish", "reset", "extend", "recover", "reap"}  # of what was known about a session's intents


def certainties(entries, clock, grace):
    """Stretches of time in which an intent was alive by what its owner had been told."""
    by_session, lives = {}, {}
    for entry in entries:
        by_session.setdefault(entry["session"], []).append(entry)
        answer = entry.get("answer") or {}
        if answer.get("expires"):
            lives.setdefault(answer["intent_id"], []).append((entry["told"], answer["expires"]))

    def end_of_life(intent, told):
        """As it was told last, to anybody: a renewal does not repeat it."""
        known = [expires for at, expires in lives.get(intent, ()) if at <= told]
        return known[-1] if known else None

    for session, own in by_session.items():
        for n, entry in enumerate(own):
            answer = entry.get("answer") or {}
            until = answer.get("lease_until")
            if until is None or answer.get("error") or not (is_activation(entry) or is_honoured(entry)):
                continue
            files, expires = answer.get("files"), end_of_life(answer["intent_id"], entry["told"])
            if not files or expires is None:
                continue
            end = clock.first_at(entry["told"], (seconds_of(until) + grace) * SECOND)
            end = min(end, clock.first_at(entry["told"], seconds_of(expires) * SECOND))
            # `reap` of anybody may close what is dead, never what is alive: only own commands end a certainty.
            after = [other["asked"] for other in own[n + 1:] if other["what"] in ENDS]
            yield session, answer["intent_id"], files, entry["told"], min([end, *after])


def overlap_in_logs(entries, clock, grace):
    known = sorted(certainties(entries, clock, grace), key=lambda c: c[3])
    for entry in entries:
        if not is_activation(entry):
            continue
        answer = entry["answer"]
        for session, intent, files, begin, end in known:
            if begin > entry["asked"]:
                break
            if session != entry["session"] and intent != answer["intent_id"] and entry["told"] < end \
                    and overlap(files, answer["files"]):
                raise Fault(f"{answer['intent_id']} was let in at {entry['told']} while {intent} was alive "
                            f"from {begin} to {end}: {sorted(set(files) & set(answer['files']))}")
    return len(known)


def honoured_in_logs(entries):
    """A yes to whoever was overtaken. Fences are not looked at: who asked when is enough."""
    taken = {}  # intent -> its last activation that was told
    unsure = set()
    activations = [e for e in entries if is_activation(e)]
    judged = 0
    for entry in entries:
        answer = entry.get("answer")
        intent = (answer or {}).get("intent_id") or entry.get("intent")
        if answer is None and entry["what"] in ("reset", "recover", "promote", "extend"):
            unsure.add(entry.get("intent"))  # it may have got a new fence
            continue
        if is_activation(entry):
            taken[intent] = entry
            unsure.discard(intent)
            continue
        if not is_honoured(entry) or intent not in taken or intent in unsure:
            continue
        judged += 1
        own = taken[intent]
        for other in activations:
            if other["told"] >= entry["asked"]:
                continue
            theirs = other["answer"]
            if other["session"] != entry["session"] and theirs["intent_id"] != intent \
                    and other["asked"] > own["told"] and overlap(theirs["files"], own["answer"]["files"]):
                raise Fault(f"{intent} got a yes to {entry['what']} at {entry['asked']}, after {theirs['intent_id']} "
                            f"had taken its files at {other['told']}")
    return judged


# --- the audit chain -----------------------------------------------------------------------------

def payload_of(row):
    payload = row.get("payload") or {}
    return json.loads(payload) if isinstance(payload, str) else payload


class Record:
    def __init__(self, files, fence, agent):
        self.files, self.fence, self.agent = files, fence, agent
        self.lease_end = self.expires = 0
        self.passed = 0  # the fence that passed it

    def is_alive(self, now, grace, fence):
        """Whether it was when `fence` was given away; it may have been passed by that one, and not by an earlier one."""
        return self.passed in (0, fence) and now < self.lease_end + grace and now < self.expires


def check_expiry(seq, intent, payload, ends):
    """Nobody's time is over before the end that the chain was told when it began, whatever the row itself says of it."""
    if "closed_at_utc" not in payload:
        raise Fault(f"row {seq}: {intent} expired, and not because its time ran out")
    if intent in ends and seconds_of(payload["closed_at_utc"]) < ends[intent]:
        raise Fault(f"row {seq}: {intent} expired at {payload['closed_at_utc']}, {ends[intent]} was its end")


def check_chain(rows, grace):
    """Replays the chain: who held what when. Gives the records that it leaves open, and who was ever active."""
    held, waiting, ever, ends, last_fence, passed = {}, {}, {}, {}, 0, 0
    for row in rows:
        intent = (row.get("subject") or {}).get("intent_id")
        payload, event, seq = payload_of(row), row["event"], row["seq"]
        if event == "workspace.gc_completed":
            for gone in payload.get("removed_intent_ids", []) + payload.get("corrupted_filenames", []):
                held.pop(gone, None)
                waiting.pop(gone, None)
            continue
        if intent is None:
            continue
        if event == "intent.expired":
            check_expiry(seq, intent, payload, ends)
        elif "expires_at_utc" in payload:
            ends[intent] = seconds_of(payload["expires_at_utc"])
        is_taking = event in ACTIVATIONS and payload.get("status") in HOLDING and payload.get("extended") is not False
        if is_taking:
            fence, files = payload["fence"], payload["scope"]["allowed_files"]
            now = seconds_of(payload["lease_renewed_at_utc"])
            if fence <= last_fence:
                raise Fault(f"row {seq}: fence {fence} of {intent} after {last_fence}")
            last_fence = fence
            record = Record(files, fence, payload["agent_pid"])
            record.lease_end = now + payload["lease_seconds"]
            before = held.get(intent)
            record.expires = seconds_of(payload["expires_at_utc"]) if "expires_at_utc" in payload else before.expires
            for other, theirs in held.items():
                if other == intent or theirs.agent == record.agent or not overlap(files, theirs.files):
                    continue
                if theirs.is_alive(now, grace, fence):
                    raise Fault(f"row {seq}: {intent} took {sorted(set(files) & set(theirs.files))} at {now} while {other} "
                                f"was alive until {theirs.lease_end + grace}")
                if not theirs.passed:
                    raise Fault(f"row {seq}: {intent} took files of {other}, and no row says that its fence was passed")
            held[intent] = record
            waiting.pop(intent, None)
            ever[intent] = seq
        elif event == "intent.passed":
            if intent not in held:
                raise Fault(f"row {seq}: {intent} was passed and held nothing")
            held[intent].passed = payload["passed_by"]
            passed += 1
            if payload["passed_by"] <= held[intent].fence:
                raise Fault(f"row {seq}: {intent} was passed by a lower fence")
        elif event == "intent.queued":
            waiting[intent] = seq
        elif event == "intent.cleared" or event == "intent.expired" or payload.get("status") == "removed":
            record = held.pop(intent, None)
            waiting.pop(intent, None)
            if record is not None and record.passed and payload.get("verified"):
                raise Fault(f"row {seq}: {intent} was finished after fence {record.passed} had passed its own")
        elif intent in held:
            record = held[intent]
            is_refusal = event == "intent.renewed" and payload.get("status") not in ("renewed", "active")
            if record.passed and event not in LETTING_GO and not is_refusal:
                raise Fault(f"row {seq}: {event} of {intent} was honoured after fence {record.passed} had passed "
                            f"{record.fence}")
            if payload.get("fence") != record.fence:
                raise Fault(f"row {seq}: {event} of {intent} under fence {payload.get('fence')}, not {record.fence}")
            record.lease_end = seconds_of(payload["lease_renewed_at_utc"]) + payload["lease_seconds"]
        elif event not in ASKED_ONLY and intent not in waiting and intent not in ever:
            raise Fault(f"row {seq}: {event} of {intent}, which the chain does not know")
    return held, waiting, ever, passed


def check_told(entries, rows, ever, read_receipt):
    """What workers were told against what the chain says. Gives how many answers and receipts there were."""
    events, leases = {}, set()
    for row in rows:
        intent = (row.get("subject") or {}).get("intent_id")
        payload = payload_of(row)
        events.setdefault(intent, set()).add(row["event"])
        if "lease_seconds" in payload:
            leases.add((intent, seconds_of(payload["lease_renewed_at_utc"]) + payload["lease_seconds"]))
    wanted = {("start", "queued"): "intent.queued", ("promote", "active"): "intent.promoted"}
    told = receipts = 0

    def must(intent, event):
        if event not in events.get(intent, ()):
            raise Fault(f"{intent} was told of {event} and the chain does not know it")

    for entry in entries:
        answer, what = entry.get("answer"), entry["what"]
        if answer is None:
            continue
        told += 1
        intent = answer.get("intent_id")
        if is_activation(entry) and intent not in ever:
            raise Fault(f"{intent} was told to be active and the chain does not know it")
        if (what, answer.get("status")) in wanted:
            must(intent, wanted[what, answer["status"]])
        if what == "finish" and answer.get("cleared"):
            must(intent, "intent.cleared")
        for gone in answer.get("ids") or []:
            must(gone, "intent.cleared")
        if answer.get("lease_until") and (is_activation(entry) or is_honoured(entry)) \
                and (intent, seconds_of(answer["lease_until"])) not in leases:
            raise Fault(f"{intent} was told a lease until {answer['lease_until']} and the chain does not know it")
        if answer.get("receipt"):
            receipts += 1
            if not read_receipt(answer["receipt"]):
                raise Fault(f"receipt {answer['receipt']} was told and cannot be read")
    return told, receipts


def check_registry(listed, held, waiting):
    """`listed`: the open records as `change list` shows them."""
    shown = {record["intent_id"]: record for record in listed}
    for intent, record in shown.items():
        if record["status"] == "queued":
            if intent not in waiting:
                raise Fault(f"the registry has {intent} waiting and the chain does not know it")
        elif intent not in held:
            raise Fault(f"the registry has {intent} open and the chain does not know it")
        elif record["fence"] != held[intent].fence or record.get("passed_by", 0) != held[intent].passed:
            raise Fault(f"the registry has {intent} with fence {record['fence']}, the chain with {held[intent].fence}")
    for intent in {**held, **waiting}:
        if intent not in shown:
            raise Fault(f"the chain leaves {intent} open and the registry has lost it")
