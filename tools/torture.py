#!/usr/bin/env python3
"""Many agents on one repository, killed at random; then a checker that believes nobody.

Every worker is a process of its own that declares, renews, finishes, promotes and gives up changes through the
command line, and writes down what it was told and when. The parent kills workers and the commands they run
(kill -9), stops some past their lease (SIGSTOP) and starts others. The checker reads the workers' logs and the audit
chain, which it exports with the program, and compares them:

  1. no two intents that were active at the same time shared a file
  2. whatever a worker was told stands in the audit chain
  3. fences only grow, and nothing happens under a fence that was passed
  4. every receipt that was told can be read again
  5. the audit chain holds

usage: torture.py GATEHOUSE [--seconds N] [--workers N] [--ledger sqlite|postgres] [--seed N]
"""
import argparse
import glob
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

FILES = [f"src/f{n}.txt" for n in range(12)]
ACTIVE = {"intent.declared", "intent.promoted", "intent.recovered", "intent.reset"}
CLOSED = {"intent.cleared", "intent.expired"}


def ask(gatehouse, repo, session, words, timeout=60):
    """The answer as a document; None when the command was killed or did not answer."""
    try:
        ran = subprocess.run(
            [gatehouse, "-C", repo, *words, "--session", session, "--json"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None
    if ran.returncode < 0:
        return None
    try:
        return json.loads(ran.stdout)
    except ValueError:
        return {"error": ran.stderr.decode(errors="replace")[-400:], "code": ran.returncode}


def worker(gatehouse, repo, number, log, seed, end):
    """Acts at random until its time is over or it is killed."""
    chance = random.Random(seed)
    generation = 0
    with open(log, "a", encoding="utf-8", buffering=1) as told:
        def note(what, answer):
            told.write(json.dumps({"at": time.time(), "what": what, "session": session, "answer": answer}) + "\n")
            told.flush()
            os.fsync(told.fileno())

        session = f"w{number}-{os.getpid()}"
        while time.time() < end:
            generation += 1
            files = chance.sample(FILES, chance.randint(1, 3))
            words = ["change", "start", "--goal", f"{session} {generation}", "--allow", *files, "--continue-own-wip"]
            if chance.random() < 0.4:
                words += ["--on-conflict", "queue"]
            answer = ask(gatehouse, repo, session, words)
            if answer is None:
                continue
            keep = {k: answer.get(k) for k in ("intent_id", "status", "edit_allowed", "error", "code")}
            note("start", {**keep, "files": files})
            intent = answer.get("intent_id")
            if answer.get("status") == "queued":
                for _ in range(chance.randint(1, 4)):
                    promoted = ask(gatehouse, repo, session, ["change", "promote", intent])
                    if promoted is None:
                        continue
                    note("promote", {k: promoted.get(k) for k in ("intent_id", "status", "edit_allowed", "error")})
                    if promoted.get("status") == "active":
                        break
                    time.sleep(chance.random() * 0.2)
            if chance.random() < 0.5:
                renewed = ask(gatehouse, repo, session, ["change", "renew"])
                if renewed is not None:
                    note("renew", {k: renewed.get(k) for k in ("intent_id", "lease_renewed", "error")})
            if chance.random() < 0.5:
                done = ask(gatehouse, repo, session, ["change", "finish", "--files", files[0]])
                if done is not None:
                    receipt = (done.get("receipt") or {}).get("receipt_digest") or {}
                    note("finish", {"intent_id": done.get("intent_id"), "status": done.get("status"),
                                    "reason": done.get("reason"), "cleared": done.get("intent_cleared"),
                                    "receipt": receipt.get("value"), "error": done.get("error")})
            if chance.random() < 0.8:
                gone = ask(gatehouse, repo, session, ["change", "abandon", "--all"])
                if gone is not None:
                    note("abandon", {"ids": gone.get("cleared_intent_ids"), "error": gone.get("error")})


def make_repository(folder, url):
    git = lambda *words: subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True)
    os.makedirs(os.path.join(folder, "src"))
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    for name in FILES:
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(name + "\n")
    with open(os.path.join(folder, "gatehouse.yaml"), "w", encoding="utf-8") as out:
        out.write("change_control:\n  lease_seconds: 60\n  session_grace_seconds: 0\n")
        if url:
            out.write(f'store:\n  url: "{url}"\n')
    with open(os.path.join(folder, "id.txt"), "w", encoding="utf-8") as out:
        out.write(os.urandom(16).hex())
    git("add", "-A")
    git("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "base")


def start_postgres(place):
    """A server of our own on a free port of loopback: the process and its address."""
    tools = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
    folder = os.path.join(place, "postgres")
    os.makedirs(folder)
    user = []
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        user = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        os.chmod(place, 0o755)
        shutil.chown(folder, "nobody", "nogroup")
    subprocess.run([*user, f"{tools}/initdb", "-D", "data", "-U", "gatehouse", "--auth=trust", "--no-sync"],
                   cwd=folder, check=True, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([*user, f"{tools}/postgres", "-D", "data", "-k", folder, "-h", "127.0.0.1", "-p", str(port),
                               "-c", "max_connections=400"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        if subprocess.run([f"{tools}/pg_isready", "-q", "-h", folder, "-p", str(port)], check=False).returncode == 0:
            return server, f"postgres://gatehouse@127.0.0.1:{port}/postgres"
        time.sleep(0.1)
    raise Fault("PostgreSQL does not start")


class Fault(Exception):
    pass


def rows_of(gatehouse, repo):
    out = subprocess.run([gatehouse, "-C", repo, "audit", "export"], check=True, capture_output=True).stdout
    return [json.loads(line) for line in out.splitlines() if line.strip()]


def overlaps(one, other):
    return any(a == b or a.startswith(b + "/") or b.startswith(a + "/") for a in one for b in other)


def check_history(rows):
    """Replays the chain: who held what when. Returns the ids that were ever active."""
    held, ever, last_fence = {}, {}, 0
    for row in rows:
        intent = (row.get("subject") or {}).get("intent_id")
        payload = row.get("payload") or {}
        if isinstance(payload, str):
            payload = json.loads(payload)
        event = row["event"]
        if event in ACTIVE and payload.get("status") == "active":
            files = (payload.get("scope") or {}).get("allowed_files", [])
            fence = payload.get("fence", 0)
            if event != "intent.declared" or fence not in {f for _, f in held.values()}:
                if fence <= last_fence and intent not in held:
                    raise Fault(f"row {row['seq']}: fence {fence} of {intent} after {last_fence}")
                last_fence = max(last_fence, fence)
            for other, (theirs, _) in held.items():
                if other != intent and overlaps(files, theirs):
                    raise Fault(f"row {row['seq']}: {intent} and {other} both hold {sorted(set(files) & set(theirs))}")
            held[intent] = (files, fence)
            ever[intent] = row["seq"]
        elif event in CLOSED or payload.get("status") == "removed":
            held.pop(intent, None)
        elif event == "workspace.gc_completed":
            for gone in payload.get("removed_intent_ids", []):
                held.pop(gone, None)
    return ever


def check_told(logs, rows, ever, gatehouse, repo):
    """What workers were told against what the chain says."""
    seen = {}
    for row in rows:
        intent = (row.get("subject") or {}).get("intent_id")
        seen.setdefault(intent, set()).add(row["event"])
    told = receipts = 0
    for log in logs:
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                if not line.endswith("\n"):
                    continue  # killed while it wrote
                entry = json.loads(line)
                answer, what = entry["answer"], entry["what"]
                intent = answer.get("intent_id")
                told += 1
                if what == "start" and answer.get("status") == "active" and intent not in ever:
                    raise Fault(f"{intent} was told to be active and the chain does not know it")
                if what == "start" and answer.get("status") == "queued" and "intent.queued" not in seen.get(intent, ()):
                    raise Fault(f"{intent} was told to be queued and the chain does not know it")
                if what == "promote" and answer.get("status") == "active" and "intent.promoted" not in seen.get(intent, ()):
                    raise Fault(f"{intent} was told to be promoted and the chain does not know it")
                if what == "finish" and answer.get("cleared") and "intent.cleared" not in seen.get(intent, ()):
                    raise Fault(f"{intent} was told to be finished and the chain does not know it")
                for gone in answer.get("ids") or []:
                    if "intent.cleared" not in seen.get(gone, ()):
                        raise Fault(f"{gone} was told to be given up and the chain does not know it")
                if answer.get("receipt") and receipts < 50:
                    receipts += 1
                    shown = subprocess.run([gatehouse, "-C", repo, "receipt", "show", "sha256:" + answer["receipt"]],
                                           capture_output=True, check=False)
                    if shown.returncode != 0:
                        raise Fault(f"receipt {answer['receipt']} was told and cannot be read")
    return told, receipts


def main():
    options = argparse.ArgumentParser()
    options.add_argument("gatehouse")
    options.add_argument("--seconds", type=int, default=600)
    options.add_argument("--workers", type=int, default=100)
    options.add_argument("--ledger", choices=("sqlite", "postgres"), default="sqlite")
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--worker", nargs=4, metavar=("REPO", "NUMBER", "LOG", "END"), help=argparse.SUPPRESS)
    chosen = options.parse_args()
    gatehouse = os.path.abspath(chosen.gatehouse)
    if chosen.worker:
        repo, number, log, end = chosen.worker
        worker(gatehouse, repo, int(number), log, chosen.seed, float(end))
        return 0

    chance = random.Random(chosen.seed)
    place = tempfile.mkdtemp(prefix="gatehouse-torture.")
    repo = os.path.join(place, "repo")
    server = None
    try:
        url = ""
        if chosen.ledger == "postgres":
            server, url = start_postgres(place)
        make_repository(repo, url)
        subprocess.run([gatehouse, "-C", repo, "analyze"], check=True, capture_output=True)
        end = time.time() + chosen.seconds
        logs, alive, kills, stops, started = [], {}, 0, [], 0

        def launch(number):
            nonlocal started
            started += 1
            log = os.path.join(place, f"log-{started}.jsonl")
            logs.append(log)
            open(log, "w", encoding="utf-8").close()
            alive[subprocess.Popen(
                [sys.executable, __file__, gatehouse, "--seed", str(chosen.seed * 1000 + started),
                 "--worker", repo, str(number), log, str(end)], start_new_session=True)] = number

        for number in range(chosen.workers):
            launch(number)
        while time.time() < end:
            time.sleep(chance.random() * 0.2)
            for process in [p for p in alive if p.poll() is not None]:
                number = alive.pop(process)
                if time.time() < end - 1:
                    launch(number)
            if alive and chance.random() < 0.7:
                victim = chance.choice(list(alive))
                if chance.random() < 0.15 and chosen.seconds > 120:
                    os.killpg(victim.pid, signal.SIGSTOP)
                    stops.append((time.time() + 70, victim))
                else:
                    os.killpg(victim.pid, signal.SIGKILL)
                    kills += 1
            for due, victim in [s for s in stops if s[0] < time.time()]:
                stops.remove((due, victim))
                if victim.poll() is None:
                    os.killpg(victim.pid, signal.SIGCONT)
        for process in alive:
            try:
                os.killpg(process.pid, signal.SIGCONT)
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        # Commands that outlived their worker may still be at it.
        time.sleep(2)
        verified = subprocess.run([gatehouse, "-C", repo, "audit", "verify"], capture_output=True, check=False)
        if verified.returncode != 0:
            raise Fault("the audit chain is broken: " + verified.stderr.decode(errors="replace"))
        rows = rows_of(gatehouse, repo)
        ever = check_history(rows)
        told, receipts = check_told(logs, rows, ever, gatehouse, repo)
        if not ever:
            raise Fault("nothing was ever active: this proves nothing")
        print(f"{started} workers, {kills} killed, {told} answers, {len(ever)} intents active, {receipts} receipts read "
              f"again, {len(rows)} audit rows: no overlap, nothing lost")
        return 0
    except Fault as fault:
        print(f"FAULT (seed {chosen.seed}): {fault}")
        return 1
    finally:
        if server is not None:
            server.send_signal(signal.SIGQUIT)
            server.wait()
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
