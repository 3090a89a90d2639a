"""An MCP server over HTTP that behaves as its first argument says; prints its port. With a second argument, the file of
a certificate and its key, over TLS."""
import http.server
import json
import ssl
import sys
import time

mode = sys.argv[1]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body, kind="application/json", **fields):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, first):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(first)
        self.wfile.flush()

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in request:
            return self.send(202, b"")
        if mode == "silent":
            return time.sleep(600)
        if mode == "redirect":
            return self.send(307, b"", Location="http://127.0.0.1:1/elsewhere")
        if mode == "garbage":
            return self.wfile.write(b"hello\r\n\r\n")
        if mode == "not_json":
            return self.send(200, b"<html>", "text/html")
        if mode == "huge":
            return self.send(200, b"x" * (11 << 20))
        if mode == "cut":
            self.close_connection = True
            return self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{")
        if mode == "endless":
            self.stream(b": hello\n\n")
            while True:
                self.wfile.write(b"data: " + b"x" * 65536 + b"\n")
        if mode == "other_answers":
            self.stream(b'data: {"jsonrpc":"2.0","id":77,"result":{}}\n\n')
            return None
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "web", "version": "1"}}
        if request["method"] == "tools/list":
            result = {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}
        answer = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
        if mode == "events":
            note = b'event: message\nid: 1\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n'
            self.stream(b"id: 0\nretry: 5\ndata: \n\n: ka\n\n" + note + b"data: " + answer + b"\n\n")
            return time.sleep(600)  # an open stream after the answer keeps nobody waiting
        return self.send(200, answer)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
