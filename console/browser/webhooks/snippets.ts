export type Language = 'node' | 'python' | 'ruby';

/** A minimal receiver that opens the callback of `webhook.verify`. */
export const snippets: Readonly<Record<Language, string>> = {
  node: `import { createServer } from 'node:http';

createServer(async (req, res) => {
  let body = '';
  for await (const chunk of req) body += chunk;
  res.writeHead(204).end(); // first the answer, then the work
  const { event, payload } = JSON.parse(body);
  if (event === 'webhook.verify') await fetch(payload.callback, { method: 'POST' });
}).listen(8080);`,
  python: `import json, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)  # first the answer, then the work
        self.end_headers()
        self.wfile.flush()
        if call["event"] == "webhook.verify":
            urllib.request.urlopen(urllib.request.Request(call["payload"]["callback"], method="POST"))

HTTPServer(("", 8080), Receiver).serve_forever()`,
  ruby: `require 'json'
require 'net/http'
require 'webrick'

server = WEBrick::HTTPServer.new(Port: 8080)
server.mount_proc('/') do |request, response|
  call = JSON.parse(request.body)
  response.status = 204
  Net::HTTP.post(URI(call['payload']['callback']), '') if call['event'] == 'webhook.verify'
end
server.start`,
};
