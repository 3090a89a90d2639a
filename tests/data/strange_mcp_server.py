"""An MCP server over standard input and output that misbehaves in the way its first argument names."""
import json
import os
import socket
import subprocess
import sys


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(request, result):
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def tool(name, description="", schema=None):
    return {"name": name, "description": description, "inputSchema": schema or {"type": "object"}}


def reaches_network():
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[2])), 1).close()
        return True
    except OSError:
        return False


def writes(path):
    try:
        with open(path, "w", encoding="utf-8"):
            return True
    except OSError:
        return False


def tools(mode, client, page):
    if mode == "pages":
        return {"tools": [], "nextCursor": str(page)}
    if mode == "same_page":
        return {"tools": [], "nextCursor": "again"}
    if mode == "two_faced":
        return {"tools": [tool("a"), tool("b", "for " + client)]}
    if mode == "numbers":
        return {"tools": [tool("n", schema={"minimum": 1e-7, "maximum": 1e300, "multipleOf": 0.1})]}
    if mode == "many":
        return {"tools": [tool("t%d" % i) for i in range(20000)]}
    if mode == "confined":
        facts = {"network": reaches_network(), "writes": writes(sys.argv[3]), "home": writes(os.environ["HOME"] + "/x"),
                 "names": sorted(name for name in os.environ if name not in ("LC_CTYPE", "PWD"))}
        return {"tools": [tool("facts", json.dumps(facts))]}
    return {"tools": [tool("a"), tool("b")]}


def main():
    mode = sys.argv[1]
    if mode == "exits":
        sys.exit("password=abcdefghijklmnopqrstuvwxyz is wrong")
    if mode == "leaves_behind":
        subprocess.Popen(["/bin/sleep", sys.argv[2]], start_new_session=True)
    if mode == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    if mode == "chatter":
        while True:
            send({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
    client, page = "", 0
    for line in sys.stdin:
        request = json.loads(line)
        if mode == "silent" or "id" not in request:
            continue
        if mode == "garbage":
            print("hello", flush=True)
        elif mode == "deep":
            print('{"jsonrpc":"2.0","id":1,"result":' + "[" * 100000 + "]" * 100000 + "}", flush=True)
        elif mode == "not_utf8":
            sys.stdout.buffer.write(b'{"jsonrpc":"2.0","id":1,"result":"\xff"}\n')
            sys.stdout.flush()
        elif mode == "long_line":
            answer(request, "x" * (11 << 20))
        elif request.get("method") == "initialize":
            client = request["params"]["clientInfo"]["name"]
            print("starting up", file=sys.stderr, flush=True)
            send({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "hi"}})
            if mode == "asks":
                send({"jsonrpc": "2.0", "id": "x", "method": "roots/list"})
                assert "error" in json.loads(sys.stdin.readline())
                send({"jsonrpc": "2.0", "id": "y", "method": "ping"})
                assert json.loads(sys.stdin.readline())["result"] == {}
            answer(request, {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                             "serverInfo": {"name": "strange", "version": "1"}})
        elif request.get("method") == "tools/list":
            page += 1
            answer(request, tools(mode, client, page))


main()
