#!/usr/bin/env python3
"""Agents on different machines: two clones of one repository, each in network, process and mount namespaces of its own,
where nothing but the ledger can be reached. Their paths, state directories, host ids and clocks differ; what keeps them
apart is the lease and the fence in PostgreSQL.

Everything is made inside of namespaces that end with this process. Without root they are those of a user namespace; where
neither is permitted this fails.

usage: two_machines.py GATEHOUSE
"""
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
import torture  # noqa: E402

LEDGER = "10.77.0.1"


def must(*words):
    subprocess.run(words, check=True, capture_output=True)


class Machine:
    """A process that does nothing, in namespaces of its own, and a cable from there to the ledger."""

    def __init__(self, number, place):
        self.number = number
        words = ["unshare", "--net", "--mount", "--pid", "--uts", "--fork", "--kill-child", "--mount-proc",
                 "sh", "-c", "echo ready; exec sleep infinity"]
        self.outer = subprocess.Popen(words, stdout=subprocess.PIPE)
        assert self.outer.stdout.readline() == b"ready\n", "no namespaces for a machine"
        self.pid = torture.children_of(self.outer.pid)[0]
        cable, subnet = f"cable{number}", f"10.77.{number}"
        must("ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", str(self.pid))
        must("ip", "address", "add", f"{subnet}.1/24", "dev", cable)
        must("ip", "link", "set", cable, "up")
        self.address = f"{subnet}.2"
        for line in ("address add 127.0.0.1/8 dev lo", "link set lo up", f"address add {subnet}.2/24 dev eth0", "link set eth0 up",
                     f"route add {LEDGER} via {subnet}.1"):
            must(*self.inside("ip", *line.split()))
        self.home = os.path.join(place, f"machine{number}")

    def inside(self, *words):
        return ["nsenter", f"--target={self.pid}", "--net", "--mount", "--pid", "--uts", *words]

    def unplug(self):
        must(*self.inside("ip", "link", "set", "eth0", "down"))

    def plug(self):
        must(*self.inside("ip", "link", "set", "eth0", "up"))
        must(*self.inside("ip", "route", "replace", LEDGER, "via", f"10.77.{self.number}.1"))

    def end(self):
        self.outer.kill()
        self.outer.wait()


class Agent:
    def __init__(self, machine, repo, env, gatehouse):
        self.machine, self.repo, self.env, self.gatehouse = machine, repo, env, gatehouse

    def run(self, *words):
        command = [self.gatehouse, "-C", self.repo, *words]
        return subprocess.run(self.machine.inside("env", *(f"{k}={v}" for k, v in self.env.items()), *command),
                              stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)

    def ask(self, *words):
        ran = self.run(*words, "--json")
        assert ran.returncode in (0, 1), f"{words}: {ran.stderr}"
        return json.loads(ran.stdout)

    def start(self, *more):
        return self.ask("change", "start", "--goal", "g", "--allow", "docs/guide.md", *more)

    def records(self):
        return {record["owner"]["session_id"]: record for record in self.ask("change", "list")["workspace_intents"]}

    def facts(self):
        """What does not depend on who looks."""
        return {who: (r["intent_id"], r["status"], r["scope_digest"]) for who, r in self.records().items()}


def equal(told, wanted, what):
    assert told == wanted, f"{what}: {told!r}, not {wanted!r}"


def tell_the_story(a, b, server_clock):
    for agent in (a, b):
        equal(agent.run("analyze").returncode, 0, "analyze")

    print("a file is taken on one machine and held on the other")
    equal(a.start()["status"], "active", "A starts")
    blocked = b.start()
    equal((blocked["status"], blocked["next_step_code"]), ("blocked", "foreign_active_overlap"), "B starts")
    equal(b.start("--on-conflict", "queue")["status"], "queued", "B waits")
    seen = a.records()
    equal(sorted(seen), ["ada", "bob"], "A sees both")
    assert seen["ada"]["owner"]["host_id"] != seen["bob"]["owner"]["host_id"], "two machines with one host id"
    equal(b.facts(), a.facts(), "both see the same")

    print("it is handed over")
    with open(os.path.join(a.repo, "docs/guide.md"), "w", encoding="utf-8") as out:
        out.write("of A\n")
    finished = a.ask("change", "finish", "--files", "docs/guide.md")
    equal(finished["status"], "accepted", "A finishes")
    waiting = seen["bob"]["intent_id"]
    equal(b.ask("change", "promote", waiting)["status"], "active", "B is promoted")
    fence = b.records()["bob"]["fence"]
    assert fence > seen["ada"]["fence"], "the later holder has the lower fence"
    digest = finished["receipt"]["receipt_digest"]["value"]
    equal(b.run("receipt", "show", "sha256:" + digest).returncode, 0, "B reads the receipt that A got")

    print("a silent machine is overtaken, and told so when it speaks again")
    b.machine.unplug()
    for words in (("change", "renew"), ("change", "finish", "--files", "docs/guide.md"), ("change", "status")):
        ran = b.run(*words)
        equal(ran.returncode, 4, f"{words} without the ledger")
    equal(a.start("--continue-own-wip")["status"], "blocked", "A starts while B may still be alive")
    server_clock.jump(torture.LEASE + torture.GRACE + 1)
    equal(a.start("--continue-own-wip")["status"], "active", "A starts once the lease of B is over")
    b.machine.plug()
    renewed = b.ask("change", "renew")
    equal((renewed["lease_renewed"], renewed["reason"]), (False, "ownership_lost"), "B renews")
    for words in (("change", "status"), ("change", "check", "--files", "docs/guide.md"),
                  ("change", "extend", "--add", "docs/more.md"), ("change", "budget"), ("change", "verify", "--files", "docs/guide.md"),
                  ("change", "finish", "--files", "docs/guide.md")):
        ran = b.run(*words)
        equal(ran.returncode, 4, f"{words} of whoever was overtaken")
        assert "ownership_lost" in ran.stderr, ran.stderr
    held = a.records()
    assert held["ada"]["fence"] > fence and held["bob"]["passed_by"] == held["ada"]["fence"], "whose fence is passed"

    print("also once the other one is gone again")
    equal(a.ask("change", "abandon")["cleared"], 1, "A gives up")
    equal(b.ask("change", "renew")["reason"], "ownership_lost", "B renews")
    equal(b.start("--continue-own-wip")["status"], "active", "B starts anew")
    for agent in (a, b):
        equal(agent.run("audit", "verify").returncode, 0, "the chain holds")


def check_that_only_the_ledger_is_reachable(one, other, port):
    reach = lambda address: subprocess.run(
        one.inside("timeout", "2", "bash", "-c", f"exec 3<>/dev/tcp/{address}/{port}"), capture_output=True, check=False).returncode
    equal(reach(LEDGER), 0, "the ledger is reachable")
    listener = subprocess.Popen(other.inside(sys.executable, "-c", "import socket, time\n"
                                             f"s = socket.create_server(('{other.address}', {port})); print('up', flush=True)\n"
                                             "time.sleep(1000)"), stdout=subprocess.PIPE)
    try:
        assert listener.stdout.readline() == b"up\n"
        assert reach(other.address) != 0, "one machine reaches the other"
    finally:
        listener.kill()
        listener.wait()


def main(gatehouse):
    place = tempfile.mkdtemp(prefix="gatehouse-machines.")
    os.chmod(place, 0o755)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, place, ignore_errors=True)
        must("ip", "link", "set", "lo", "up")
        must("ip", "address", "add", f"{LEDGER}/32", "dev", "lo")
        library = torture.build_library(place)
        clocks = [torture.ShiftedClock(os.path.join(place, f"clock{n}"), 1, shift) for n, shift in enumerate((0, 86_400, -7_200))]
        server = torture.Postgres(os.path.join(place, "postgres"), torture.surroundings(library, clocks[0].path), LEDGER)
        stack.callback(server.stop)
        machines = []
        for number in (1, 2):
            machines.append(Machine(number, place))
            stack.callback(machines[-1].end)
        check_that_only_the_ledger_is_reachable(machines[0], machines[1], server.port)

        origin = os.path.join(machines[0].home, "shop")
        torture.make_repository(origin, server.url, ["docs/guide.md", "docs/more.md"])
        clone = os.path.join(machines[1].home, "elsewhere/other-name")
        must("git", "clone", "-q", origin, clone)
        for machine, other in zip(machines, reversed(machines)):  # no disk in common
            must(*machine.inside("mount", "-t", "tmpfs", "none", other.home))
        agents = []
        for machine, repo, clock, name in zip(machines, (origin, clone), clocks[1:], ("ada", "bob")):
            env = torture.surroundings(library, clock.path)
            env.update(GATEHOUSE_SESSION=name, USER=name)
            agents.append(Agent(machine, repo, env, gatehouse))
        tell_the_story(*agents, clocks[0])
    print("two machines: lease and fence alone kept them apart")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        # --kill-child: whatever is left in the namespaces ends with them.
        words = [sys.executable, os.path.abspath(__file__), os.path.abspath(sys.argv[1]), "inside"]
        sys.exit(subprocess.run(torture.in_namespaces(
            ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"], words), check=False).returncode)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main(sys.argv[1])
