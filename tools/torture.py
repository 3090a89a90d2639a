#!/usr/bin/env python3
"""Many agents on one repository, killed, stopped and misled at random; then a checker that believes nobody.

crowd      Workers are processes of their own that declare, extend, renew, check, finish, promote, recover, reset and give
           up changes through the command line, and write down what they ask, what they are told, and when. The parent
           kills workers and single commands (kill -9), stops some past their lease (SIGSTOP, later SIGCONT), and lets the
           registry's clock run fast and jump both ways. On PostgreSQL that clock is the server's, and every worker has a
           wrong one of its own.
pid_reuse  A record that belongs to a process, and another process that gets its number (in a process namespace).
full_disk  The disk of the ledger is full again and again (a small file system in a mount namespace).

Afterwards torture_check.py compares what workers were told with the audit chain and the registry, and whoever is dead
must be recoverable and is recovered.

usage: torture.py GATEHOUSE [--seconds N] [--workers N] [--ledger sqlite|postgres] [--seed N] [--rate N] [--only CHAPTER]
                  [--keep FOLDER]  where the ledger and the logs go when there is a fault
"""
import argparse
import contextlib
import ctypes
import glob
import hashlib
import json
import mmap
import os
import random
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

import torture_check as check
from torture_check import Fault, SECOND

HERE = os.path.dirname(os.path.abspath(__file__))
LEASE, GRACE = 60, 15  # of the configuration below, in seconds of the registry's clock
# Of those who are hurt. On PostgreSQL one that is stopped while it waits for the lock gets it, and keeps all others
# waiting until the server ends its transaction: more of them, and nobody would do anything else.
STOPPED_SHARE = {"sqlite": 0.2, "postgres": 0.02}
CHAPTERS = ("crowd", "pid_reuse", "full_disk")


# --- the clock -----------------------------------------------------------------------------------

class ShiftedClock:
    """The clock of programs that have the library preloaded (shifted_clock.c)."""

    def __init__(self, path, rate, shift=0):
        self.path, self.rate, self.pieces, self.latest = path, rate, [], 0
        with open(path, "wb") as out:
            out.write(bytes(32))
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 32)
        self.move_to(time.time_ns() + shift * SECOND)

    def now(self):
        begin, shown, rate = self.pieces[-1]
        return shown + (time.monotonic_ns() - begin) // 1000 * rate

    def move_to(self, shown):
        count = 2 * len(self.pieces)
        struct.pack_into("<Q", self.memory, 0, count + 1)
        begin = time.monotonic_ns()
        struct.pack_into("<qqq", self.memory, 8, begin, shown, self.rate * 1000)
        struct.pack_into("<Q", self.memory, 0, count + 2)
        self.pieces.append((begin, shown, self.rate * 1000))

    def jump(self, seconds):
        self.latest = max(self.latest, self.now())
        self.move_to(self.now() + seconds * SECOND)

    def jump_past_all(self, seconds):
        """So many seconds after the latest time that it ever showed."""
        self.move_to(max(self.latest, self.now()) + seconds * SECOND)


def build_library(place):
    library = os.path.join(place, "shifted_clock.so")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "shifted_clock.c")], check=True)
    return library


def surroundings(library, clock_path):
    return {**os.environ, "LD_PRELOAD": library, "SHIFTED_CLOCK": clock_path, "ASAN_OPTIONS": "verify_asan_link_order=0",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}


# --- asking --------------------------------------------------------------------------------------

class Agent:
    """One session, and a log of what it asks and is told."""

    def __init__(self, gatehouse, repo, session, log, env):
        self.gatehouse, self.repo, self.session, self.log, self.env = gatehouse, repo, session, log, env
        self.files = {}  # of intents that it knows

    def ask(self, what, words, intent=None, files=None):
        self.note({"what": what, "session": self.session, "intent": intent, "asked": time.monotonic_ns()})
        ran = subprocess.run([self.gatehouse, "-C", self.repo, *words, "--session", self.session, "--json"], env=self.env,
                             stdin=subprocess.DEVNULL, capture_output=True, check=False)
        told = time.monotonic_ns()
        if ran.returncode < 0:
            return {}  # killed: whether it happened is not known
        try:
            document = json.loads(ran.stdout)
        except ValueError:
            document = {}
        answer = {key: document.get(key) for key in
                  ("intent_id", "status", "reason", "action_taken", "extended", "lease_renewed") if key in document}
        answer["intent_id"] = document.get("intent_id") or intent
        answer["lease_until"] = document.get("lease_expires_at_utc")
        answer["expires"] = document.get("expires_at_utc") or document.get("new_expires_at_utc")
        answer["replay"] = document.get("idempotent_replay", False)
        answer["ids"] = document.get("cleared_intent_ids")
        answer["cleared"] = document.get("intent_cleared")
        answer["receipt"] = ((document.get("receipt") or {}).get("receipt_digest") or {}).get("value")
        if ran.returncode not in (0, 1):
            answer["error"] = (ran.stderr or ran.stdout).decode(errors="replace")[-300:]
        scope = document.get("scope") or {}
        known = scope.get("allowed_files") or files or self.files.get(answer["intent_id"])
        if known and answer["intent_id"]:
            self.files[answer["intent_id"]] = answer["files"] = known
        self.note({"told": told, "answer": answer})
        return {**document, "error": answer.get("error")}

    def note(self, entry):
        with open(self.log, "a", encoding="utf-8") as out:
            out.write(json.dumps(entry) + "\n")


def act(agent, chance, names):
    """A change from its start to whatever becomes of it."""
    files = sorted(chance.sample(names, chance.randint(1, 3)))
    words = ["change", "start", "--goal", f"{agent.session} {chance.random()}", "--allow", *files, "--continue-own-wip"]
    if chance.random() < 0.4:
        words += ["--on-conflict", "queue"]
    if chance.random() < 0.3:
        words += ["--ttl", "3m"]
    answer = agent.ask("start", words, files=files)
    intent, status = answer.get("intent_id"), answer.get("status")
    for _ in range(chance.randint(1, 4)):
        if status != "queued" or not intent:
            break
        status = agent.ask("promote", ["change", "promote", intent], intent, files).get("status", status)
    if status != "active":
        if chance.random() < 0.3:
            take_over(agent, chance)
        agent.ask("abandon", ["change", "abandon", "--all"])
        return
    for _ in range(chance.randint(0, 4)):
        step = chance.choice(("renew", "status", "check", "extend", "reset"))
        if step == "check":
            agent.ask(step, ["change", "check", intent, "--files", files[0]], intent)
        elif step == "extend":
            more = sorted({*files, chance.choice(names)})
            agent.ask(step, ["change", "extend", intent, "--add", *more], intent)
        else:
            agent.ask(step, ["change", step, intent], intent, agent.files.get(intent))
    if chance.random() < 0.6:
        agent.ask("finish", ["change", "finish", intent, "--files", files[0]], intent)
    if chance.random() < 0.8:
        agent.ask("abandon", ["change", "abandon", "--all"])


def take_over(agent, chance):
    listed = agent.ask("list", ["change", "list"])
    gone = [record["intent_id"] for record in listed.get("recovery_available") or []]
    if gone and chance.random() < 0.1:
        agent.ask("reap", ["change", "reap"])
    elif gone:
        chosen = chance.choice(gone)
        if agent.ask("recover", ["change", "recover", chosen], chosen).get("action_taken") == "recovered":
            agent.ask("finish", ["change", "finish", chosen, "--files", agent.files[chosen][0]], chosen)


def work(gatehouse, repo, number, log, seed, end, names):
    chance = random.Random(seed)
    agent = Agent(gatehouse, repo, f"w{number}-{os.getpid()}", log, dict(os.environ))
    while time.monotonic() < end:
        act(agent, chance, names)


# --- places --------------------------------------------------------------------------------------

def names_of(workers):
    return [f"src/f{n}.txt" for n in range(max(12, workers * 2 // 5))]


def make_repository(folder, url, names):
    git = lambda *words: subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True)
    os.makedirs(folder)
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    for name in names:
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(name + "\n")
    with open(os.path.join(folder, "gatehouse.yaml"), "w", encoding="utf-8") as out:
        out.write(f"change_control:\n  lease_seconds: {LEASE}\n  session_grace_seconds: {GRACE}\n")
        if url:
            out.write(f'store:\n  url: "{url}"\n')
    with open(os.path.join(folder, "id.txt"), "w", encoding="utf-8") as out:
        out.write(os.urandom(16).hex())
    git("add", "-A")
    git("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "base")


class Postgres:
    """A server of our own on a free port; of loopback, unless another address is named."""

    def __init__(self, folder, env, host="127.0.0.1"):
        self.host = host
        self.tools = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.folder, self.env, self.user, self.server = folder, env, [], None
        os.makedirs(folder)
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self.user = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
            shutil.chown(folder, "nobody", "nogroup")
        subprocess.run([*self.user, f"{self.tools}/initdb", "-D", "data", "-U", "gatehouse", "--auth=trust", "--no-sync",
                        "--wal-segsize=1"], cwd=folder, check=True, capture_output=True)
        if host != "127.0.0.1":
            with open(os.path.join(folder, "data/pg_hba.conf"), "a", encoding="ascii") as rules:
                rules.write("host all all all trust\n")
        with socket.socket() as probe:
            probe.bind((host, 0))
            self.port = probe.getsockname()[1]
        self.url = f"postgres://gatehouse@{host}:{self.port}/postgres"
        self.start()

    def start(self):
        """Starts it unless it runs."""
        if self.server is not None and self.server.poll() is None and self.is_ready():
            return
        self.stop()
        self.server = subprocess.Popen(
            [*self.user, f"{self.tools}/postgres", "-D", "data", "-k", self.folder, "-h", self.host, "-p", str(self.port),
             "-c", "max_connections=400", "-c", "min_wal_size=2MB", "-c", "max_wal_size=16MB"],
            cwd=self.folder, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            if self.is_ready():
                return
            time.sleep(0.1)
        raise Fault("PostgreSQL does not start")

    def is_ready(self):
        return subprocess.run([f"{self.tools}/pg_isready", "-q", "-h", self.folder, "-p", str(self.port)],
                              check=False).returncode == 0

    def stop(self):
        if self.server is not None and self.server.poll() is None:
            self.server.send_signal(signal.SIGQUIT)
            self.server.wait()


def in_namespaces(kinds, words):
    """The command as root of namespaces of its own, also where this is no root. Fails where that is not permitted."""
    if os.geteuid() == 0:
        return ["unshare", *kinds, *words]
    return ["unshare", "--user", "--map-current-user", "--keep-caps", *kinds, *words]


def mount_small_disk(at, megabytes):
    os.makedirs(at)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"none", at.encode(), b"tmpfs", 0, f"size={megabytes}m,mode=0755".encode()) != 0:
        raise Fault(f"mount: {os.strerror(ctypes.get_errno())}")


# --- what is asked when all is over --------------------------------------------------------------

class Judge:
    def __init__(self, gatehouse, repo, env):
        self.gatehouse, self.repo, self.env = gatehouse, repo, env

    def run(self, *words):
        return subprocess.run([self.gatehouse, "-C", self.repo, *words], env=self.env, capture_output=True, check=False)

    def ask(self, *words):
        ran = self.run(*words, "--session", "judge", "--json")
        if ran.returncode not in (0, 1):
            raise Fault(f"{' '.join(words)}: {ran.stderr.decode(errors='replace')[-400:]}")
        return json.loads(ran.stdout)

    def rows(self):
        verified = self.run("audit", "verify")
        if verified.returncode != 0:
            raise Fault("the audit chain is broken: " + verified.stderr.decode(errors="replace")[-400:])
        exported = self.run("audit", "export")
        if exported.returncode != 0:
            raise Fault("the audit chain cannot be read: " + exported.stderr.decode(errors="replace")[-400:])
        return [json.loads(line) for line in exported.stdout.splitlines() if line.strip()]

    def recover_all(self, clock):
        """Everybody is dead: once their leases are over, each of them can be taken over."""
        clock.jump_past_all(LEASE + GRACE + 1)
        listed = self.ask("change", "list")
        for record in listed["workspace_intents"]:
            # expired: its life ended between the sweep of this list and its lines
            if record["ownership"] not in ("recoverable", "own_active", "expired"):
                raise Fault(f"{record['intent_id']} is {record['ownership']} although its owner is dead")
        gone, ended = [record["intent_id"] for record in listed["recovery_available"]], set()
        for intent in gone:
            answer = self.ask("change", "recover", intent)
            if answer["action_taken"] == "recovered":
                continue
            if answer["reason"] != "not_found":
                raise Fault(f"{intent} cannot be recovered: {answer['reason']}")
            ended.add(intent)
        # A hundred of them take a while: the life of one may have ended since the list, and then the chain says so;
        # check_chain holds that row against the end that was told when the life began.
        if ended:
            ended -= {row["subject"].get("intent_id") for row in self.rows() if row["event"] == "intent.expired"}
        if ended:
            raise Fault(f"{', '.join(sorted(ended))}: gone, and nobody said that its time ran out")
        return len(gone)

    def weigh(self, logs, clock):
        """All comparisons; what they were made on, in words. First those that need nobody else's word."""
        entries = check.read_logs(logs)
        known = check.overlap_in_logs(entries, check.Clock(list(clock.pieces)), GRACE)
        honoured = check.honoured_in_logs(entries)
        recovered = self.recover_all(clock)
        listed = self.ask("change", "list")["workspace_intents"]
        rows = self.rows()
        held, waiting, ever, passed = check.check_chain(rows, GRACE)
        check.check_registry(listed, held, waiting)
        told, receipts = check.check_told(
            entries, rows, ever, lambda digest: self.run("receipt", "show", "sha256:" + digest).returncode == 0)
        if not ever or not told:
            raise Fault("nothing was ever active: this proves nothing")
        lost = sum("ownership_lost" in json.dumps(entry.get("answer")) for entry in entries)
        return (f"{len(entries)} questions, {told} answers, {len(ever)} intents active, {known} leases told, {honoured} times "
                f"treated as the holder, {passed} fences passed, {lost} times told so, {receipts} receipts read again, "
                f"{recovered} of the dead recovered, {len(rows)} audit rows")


# --- the crowd -----------------------------------------------------------------------------------

class Crowd:
    def __init__(self, options, place, repo, env_of):
        self.options, self.place, self.repo, self.env_of = options, place, repo, env_of
        self.alive, self.logs, self.stopped = {}, [], []
        self.count = dict.fromkeys(("workers", "killed", "commands killed", "stopped", "clock jumps"), 0)
        self.end = time.monotonic() + options.seconds

    def launch(self, number):
        self.count["workers"] += 1
        n = self.count["workers"]
        log = os.path.join(self.place, f"log-{n}.jsonl")
        self.logs.append(log)
        open(log, "w", encoding="utf-8").close()
        self.alive[subprocess.Popen(
            [sys.executable, __file__, self.options.gatehouse, "--seed", str(self.options.seed * 100_000 + n), "--workers",
             str(self.options.workers), "--worker", self.repo, str(number), log, str(self.end)],
            start_new_session=True, env=self.env_of(number))] = number

    def replace_ended(self):
        for process in [p for p in self.alive if p.poll() is not None]:
            number = self.alive.pop(process)
            self.stopped = [s for s in self.stopped if s[1] is not process]
            if process.returncode > 0:
                raise Fault(f"a worker failed with {process.returncode}")
            if time.monotonic() < self.end - 1:
                self.launch(number)

    def hurt(self, chance):
        asleep = {victim for _, victim in self.stopped}  # they shall wake up and ask again
        awake = [process for process in self.alive if process not in asleep]
        if not awake:
            return
        victim = chance.choice(awake)
        kind = chance.random()
        if kind < STOPPED_SHARE[self.options.ledger]:
            os.killpg(victim.pid, signal.SIGSTOP)
            self.count["stopped"] += 1
            past = (LEASE + GRACE) * (0.5 + chance.random()) / self.options.rate
            self.stopped.append((time.monotonic() + past, victim))
        elif kind < 0.5:
            for child in children_of(victim.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                    self.count["commands killed"] += 1
        else:
            os.killpg(victim.pid, signal.SIGKILL)
            self.count["killed"] += 1

    def wake(self):
        for due, victim in [s for s in self.stopped if s[0] < time.monotonic()]:
            self.stopped.remove((due, victim))
            if victim.poll() is None:
                os.killpg(victim.pid, signal.SIGCONT)

    def run(self, chance, clock):
        pause = 40 / self.options.workers  # each of them is hurt every twenty seconds or so
        for number in range(self.options.workers):
            self.launch(number)
        next_jump = time.monotonic() + self.options.seconds / 8
        while time.monotonic() < self.end:
            time.sleep(chance.random() * pause)
            self.replace_ended()
            self.hurt(chance)
            self.wake()
            if time.monotonic() > next_jump:
                next_jump += self.options.seconds / 8
                clock.jump(chance.choice((-1, 1)) * chance.randint(LEASE // 2, 2 * LEASE))
                self.count["clock jumps"] += 1
        self.kill_all()

    def kill_all(self):
        for process in self.alive:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        for process in self.alive:
            process.wait()
            with contextlib.suppress(ProcessLookupError):
                while True:  # its commands end too
                    os.killpg(process.pid, 0)
                    time.sleep(0.01)


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as words:
            return [int(word) for word in words.read().split()]
    except OSError:
        return []


def crowd(options, place):
    library = build_library(place)
    names = names_of(options.workers)
    clock = ShiftedClock(os.path.join(place, "clock"), options.rate)
    env = surroundings(library, clock.path)
    chance = random.Random(options.seed)
    repo = os.path.join(place, "repo")
    with contextlib.ExitStack() as stack:
        url, env_of = "", lambda number: env
        if options.ledger == "postgres":
            server = Postgres(os.path.join(place, "postgres"), env)
            stack.callback(server.stop)
            url = server.url
            clocks = [ShiftedClock(os.path.join(place, f"clock-{n}"), options.rate, chance.randint(-5000, 5000))
                      for n in range(options.workers)]
            env_of = lambda number: surroundings(library, clocks[number].path)
        make_repository(repo, url, names)
        judge = Judge(options.gatehouse, repo, env)
        if judge.run("analyze").returncode != 0:
            raise Fault("the repository cannot be analysed")
        agents = Crowd(options, place, repo, env_of)
        stack.callback(agents.kill_all)
        agents.run(chance, clock)
        counted = ", ".join(f"{count} {what}" for what, count in agents.count.items())
        return f"{counted}; {judge.weigh(agents.logs, clock)}"


# --- a process id that is used again -------------------------------------------------------------

class BackDoor:
    """The table of intents for somebody who edits the database: no command makes records that belong to a process."""

    def __init__(self, repo, server_url):
        self.repo, self.url = repo, server_url

    def sql(self, text):
        if not self.url:
            with contextlib.closing(sqlite3.connect(os.path.join(self.repo, ".git/gatehouse/ledger.db"))) as db, db:
                return db.execute(text).fetchall()
        find = "SELECT schemaname FROM pg_tables WHERE tablename = 'intents'"
        schema = self.psql(find).strip()
        return [[line] for line in self.psql(f"SET search_path TO {schema}; {text}").splitlines()]

    def psql(self, text):
        return subprocess.run(["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", self.url, "-c", text], check=True,
                              capture_output=True, encoding="utf-8").stdout

    def give_to_process(self, intent, pid):
        record = json.loads(self.sql(f"SELECT payload_json FROM intents WHERE intent_id = '{intent}'")[0][0])
        record["agent_pid"] = pid
        record["owner"].update(kind="process", pid=pid, start_ticks=start_ticks(pid), session_id="")
        del record["integrity"]
        text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        record["integrity"] = {"payload_sha256": hashlib.sha256(text.encode()).hexdigest()}
        text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).replace("'", "''")
        self.sql(f"UPDATE intents SET payload_json = '{text}', agent_pid = {pid} WHERE intent_id = '{intent}'")


def start_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        return int(stat.read().rsplit(") ", 1)[1].split()[19])


def idle_process():
    return subprocess.Popen(["sleep", "1000"])


def process_with_id(pid):
    """Another process that has this id: the next one that this namespace gives away."""
    for _ in range(1000):
        with open("/proc/sys/kernel/ns_last_pid", "w", encoding="ascii") as last:
            last.write(str(pid - 1))
        process = idle_process()
        if process.pid == pid:
            return process
        process.kill()
        process.wait()
    raise Fault(f"no other process got the id {pid}")


def pid_reuse(options, place):
    library = build_library(place)
    clock = ShiftedClock(os.path.join(place, "clock"), 1)
    env = surroundings(library, clock.path)
    repo = os.path.join(place, "repo")
    with contextlib.ExitStack() as stack:
        url = ""
        if options.ledger == "postgres":
            server = Postgres(os.path.join(place, "postgres"), env)
            stack.callback(server.stop)
            url = server.url
        make_repository(repo, url, names_of(0))
        judge = Judge(options.gatehouse, repo, env)
        if judge.run("analyze").returncode != 0:
            raise Fault("the repository cannot be analysed")

        def start(session):
            return json.loads(judge.run("change", "start", "--goal", "g", "--allow", "src/f1.txt", "--session", session,
                                        "--json").stdout)

        def ownership(intent):
            return {r["intent_id"]: r["ownership"] for r in judge.ask("change", "list")["workspace_intents"]}[intent]

        def expect(what, is_so):
            if not is_so:
                raise Fault(what)

        first = idle_process()
        stack.callback(first.kill)
        intent = start("A")["intent_id"]
        BackDoor(repo, url).give_to_process(intent, first.pid)
        expect("a living process holds nothing", start("B")["status"] == "blocked")
        os.kill(first.pid, signal.SIGSTOP)
        clock.jump(LEASE + GRACE + 1)
        expect("a stopped process is not stale", ownership(intent) == "foreign_stale")
        expect("a stopped process was overtaken", start("B")["status"] == "blocked")
        clock.jump(-LEASE)
        ticks = start_ticks(first.pid)
        first.kill()
        first.wait()
        expect("a dead process is not recoverable", ownership(intent) == "recoverable")
        second = process_with_id(first.pid)
        stack.callback(second.kill)
        expect("the second process began with the first", start_ticks(second.pid) != ticks)
        expect("another process keeps what its number once held", ownership(intent) == "recoverable")
        recovered = judge.ask("change", "recover", intent)
        expect("what a dead process held cannot be recovered", recovered["action_taken"] == "recovered")
        expect("the process that got the id is in the way", judge.ask("change", "abandon")["cleared"] == 1)
        third = start("C")["intent_id"]
        BackDoor(repo, url).give_to_process(third, second.pid)
        expect("a living process holds nothing", start("B")["status"] == "blocked")
        second.kill()
        second.wait()
        expect("what a dead process held is not free", start("B")["status"] == "active")
        expect("the dead one was not passed", [r["passed_by"] > r["fence"] for r in judge.ask("change", "list")
                                               ["workspace_intents"] if r["intent_id"] == third] == [True])
        judge.rows()
        return f"the id {second.pid} was used again; alive, stopped, dead and another process were told apart"


# --- a full disk ---------------------------------------------------------------------------------

def fill(path, leave):
    """All of the file system but so many bytes."""
    facts = os.statvfs(os.path.dirname(path))
    size = max(0, facts.f_bavail * facts.f_frsize - leave)
    with open(path, "wb") as out, contextlib.suppress(OSError):
        os.posix_fallocate(out.fileno(), 0, max(size, 1))


def full_disk(options, place):
    library = build_library(place)
    clock = ShiftedClock(os.path.join(place, "clock"), 1)
    env = surroundings(library, clock.path)
    chance = random.Random(options.seed)
    disk = os.path.join(place, "disk")
    mount_small_disk(disk, 120 if options.ledger == "postgres" else 6)
    repo = os.path.join(place if options.ledger == "postgres" else disk, "repo")
    names = names_of(0)
    rounds = 8 if options.seconds < 120 else 60
    errors = 0
    with contextlib.ExitStack() as stack:
        server, url = None, ""
        if options.ledger == "postgres":
            server = Postgres(os.path.join(disk, "postgres"), env)
            stack.callback(server.stop)
            url = server.url
        make_repository(repo, url, names)
        judge = Judge(options.gatehouse, repo, env)
        if judge.run("analyze").returncode != 0:
            raise Fault("the repository cannot be analysed")
        agents = [Agent(options.gatehouse, repo, f"d{n}", os.path.join(place, f"log-{n}.jsonl"), env) for n in range(4)]
        seeds = [random.Random(options.seed * 10 + n) for n in range(4)]
        filler = os.path.join(disk, "filler")
        for turn in range(rounds):
            if turn % 2 == 0:
                fill(filler, chance.choice((0, 0, 4096, 20_000, 100_000)))
            threads = [threading.Thread(target=act, args=(agents[n], seeds[n], names)) for n in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if os.path.exists(filler):
                os.remove(filler)
            if server is not None:
                server.start()
            if judge.run("audit", "verify").returncode != 0:
                raise Fault(f"turn {turn}: the audit chain is broken")
        logs = [agent.log for agent in agents]
        for entry in check.read_logs(logs):
            errors += "error" in (entry.get("answer") or {})
        if errors == 0:
            raise Fault("the disk was never full: this proves nothing")
        weighed = judge.weigh(logs, clock)
        answer = judge.ask("change", "start", "--goal", "again", "--allow", "new.txt")
        if answer["status"] != "active":
            raise Fault(f"after a full disk nothing goes on: {answer}")
        return f"{rounds} turns, {errors} answers were errors; {weighed}"


# --- the whole -----------------------------------------------------------------------------------

NAMESPACES = {"crowd": [], "pid_reuse": ["--pid", "--fork", "--mount-proc"], "full_disk": ["--mount"]}


def run_chapter(name, options):
    """In a process, and where it needs them in namespaces, of its own."""
    words = [sys.executable, __file__, options.gatehouse, "--chapter", name, "--seconds", str(options.seconds), "--workers",
             str(options.workers), "--ledger", options.ledger, "--seed", str(options.seed), "--rate", str(options.rate),
             *(["--keep", options.keep] if options.keep else [])]
    return subprocess.run(in_namespaces(NAMESPACES[name], words) if NAMESPACES[name] else words, check=False).returncode


def main():
    options = argparse.ArgumentParser()
    options.add_argument("gatehouse", type=os.path.abspath)
    options.add_argument("--seconds", type=int, default=600)
    options.add_argument("--workers", type=int, default=100)
    options.add_argument("--ledger", choices=("sqlite", "postgres"), default="sqlite")
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--rate", type=int, default=3, help="how fast the registry's clock runs")
    options.add_argument("--only", choices=CHAPTERS)
    options.add_argument("--keep", type=os.path.abspath)
    options.add_argument("--chapter", choices=CHAPTERS, help=argparse.SUPPRESS)
    options.add_argument("--worker", nargs=4, metavar=("REPO", "NUMBER", "LOG", "END"), help=argparse.SUPPRESS)
    options = options.parse_args()
    if options.worker:
        repo, number, log, end = options.worker
        work(options.gatehouse, repo, int(number), log, options.seed, float(end), names_of(options.workers))
        return 0
    if not options.chapter:
        codes = [run_chapter(name, options) for name in CHAPTERS if options.only in (None, name)]
        return 0 if not any(codes) else 1  # one that was killed counts too
    for number in (signal.SIGINT, signal.SIGTERM):  # everything is cleared away also then
        signal.signal(number, lambda *_: sys.exit(2))
    place = tempfile.mkdtemp(prefix="gatehouse-torture.")
    os.chmod(place, 0o755)
    told = f"{options.chapter}, {options.ledger}, seed {options.seed}"
    try:
        print(f"{told}: {globals()[options.chapter](options, place)}: no fault", flush=True)
        return 0
    except Fault as fault:
        print(f"{told}: FAULT: {fault}", flush=True)
        if options.keep:
            shutil.copytree(place, os.path.join(options.keep, f"{options.chapter}-{options.ledger}"), symlinks=True,
                            ignore=shutil.ignore_patterns("disk", ".s.PGSQL*"))
        return 1
    finally:
        if os.path.ismount(os.path.join(place, "disk")):
            ctypes.CDLL(None).umount2(os.path.join(place, "disk").encode(), 2)
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
