"""A forge for tests: comments of one change in the REST shapes of GitHub and GitLab, on loopback.

Usage: forge_server.py LOG [MODE]   prints its port. Every request is a line of JSON in LOG.
MODE: plain; read-only (writing is 403); planted (the first comment of ours is somebody else's and cannot be edited);
pages (a hundred comments of others come first); broken (500); echo (403 with the token in its message).
"""
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

log, mode = sys.argv[1], (sys.argv[2:] or ["plain"])[0]
MARKER = "<!-- gatehouse:comment:v1 repo=aa job=check -->"
comments = []
if mode == "planted":
    comments.append({"id": 1, "body": MARKER + "\nplanted"})
if mode == "pages":
    comments += [{"id": n, "body": "words"} for n in range(1, 101)]


class Forge(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, document):
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_any(self):
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size) or b"null")
        with open(log, "a", encoding="utf-8") as out:
            out.write(json.dumps({"method": self.command, "path": self.path, "body": body,
                                  "bearer": self.headers.get("Authorization"),
                                  "private": self.headers.get("PRIVATE-TOKEN")}) + "\n")
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        path, _, query = self.path.partition("?")
        if mode == "broken":
            return self.answer(500, {"message": "out of order"})
        if mode == "echo":
            return self.answer(403, {"message": f"the token {token} may not"})
        if self.command == "GET":
            page = int(re.search(r"page=(\d+)$", query).group(1))
            return self.answer(200, comments[(page - 1) * 100:page * 100])
        if mode == "read-only":
            return self.answer(403, {"message": "Resource not accessible by integration"})
        if path.endswith("/check-runs"):
            return self.answer(201, {"id": 5000})
        if self.command == "POST":
            comments.append({"id": 900 + len(comments), "body": body["body"].replace("\n", "\r\n")})
            return self.answer(201, comments[-1])
        wanted = int(path.rsplit("/", 1)[1])
        if mode == "planted" and wanted == 1:
            return self.answer(403, {"message": "not yours"})
        for comment in comments:
            if comment["id"] == wanted:
                comment["body"] = body["body"]
                return self.answer(200, comment)
        return self.answer(404, {"message": "Not Found"})

    do_GET = do_POST = do_PATCH = do_PUT = handle_any


server = HTTPServer(("127.0.0.1", 0), Forge)
print(server.server_port, flush=True)
server.serve_forever()
