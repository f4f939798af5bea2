/** What a receiver needs to know about its webhook. */
export interface Facts {
  /** `ES256`. */
  readonly algorithm: string;
  readonly issuer: string;
  readonly audience: string | null;
  /** The number of the webhook. */
  readonly webhook: string;
  /** The URL of the JWKS; null for a shared secret, which the receiver reads from the variable WEBHOOK_SECRET. */
  readonly jwks: string | null;
}

export const languages = [
  { id: 'node', label: 'Node' },
  { id: 'python', label: 'Python' },
  { id: 'ruby', label: 'Ruby' },
] as const;
export type Language = (typeof languages)[number]['id'];

/**
 * The receiver of the docs with values filled in: it verifies signatures, answers the verification, and handles each
 * delivery once.
 */
export const receiver = (language: Language, facts: Facts): string => writers[language](facts);

/** A string literal of JavaScript or Python, escaped. */
const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const lines = (...parts: readonly (string | false)[]): string => parts.filter((part) => part !== false).join('\n');

const writers: Readonly<Record<Language, (facts: Facts) => string>> = {
  node: ({ algorithm, issuer, audience, webhook, jwks }) =>
    lines(
      '// npm install jose; save as receiver.mjs; node receiver.mjs',
      `import { createServer } from 'node:http';`,
      `import { ${jwks === null ? '' : 'createRemoteJWKSet, '}jwtVerify } from 'jose';`,
      '',
      jwks === null
        ? 'const keys = new TextEncoder().encode(process.env.WEBHOOK_SECRET);'
        : `const keys = createRemoteJWKSet(new URL(${text(jwks)}), { cacheMaxAge: 3_600_000 });`,
      'const checks = {',
      `  issuer: ${text(issuer)},`,
      audience !== null && `  audience: ${text(audience)},`,
      `  subject: ${text(webhook)},`,
      `  algorithms: [${text(algorithm)}],`,
      '  clockTolerance: 60,',
      '};',
      nodeRest,
    ),
  python: ({ algorithm, issuer, audience, webhook, jwks }) =>
    lines(
      '# pip install pyjwt cryptography',
      'import json, os, urllib.request',
      'from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer',
      'import jwt',
      '',
      jwks === null ? 'secret = os.environ["WEBHOOK_SECRET"]' : `keys = jwt.PyJWKClient(${text(jwks)}, lifespan=3600)`,
      'handled = set()  # a database, in earnest',
      '',
      '',
      'def verify(token):',
      '    claims = jwt.decode(',
      `        token, ${jwks === null ? 'secret' : 'keys.get_signing_key_from_jwt(token).key'}, algorithms=[${text(algorithm)}],`,
      `        issuer=${text(issuer)}, audience=${audience === null ? 'None' : text(audience)},`,
      '        leeway=60, options={"require": ["sub", "iat"]},',
      '    )',
      `    if claims["sub"] != ${text(webhook)}:`,
      '        raise jwt.InvalidTokenError("another webhook")',
      '    return claims["data"]',
      pythonRest,
    ),
  ruby: ({ algorithm, issuer, audience, webhook, jwks }) =>
    lines(
      '# gem install jwt webrick',
      "require 'json'",
      "require 'jwt'",
      "require 'net/http'",
      "require 'webrick'",
      '',
      'CHECKS = {',
      `  algorithms: [${text(algorithm)}], leeway: 60,`,
      `  iss: ${text(issuer)}, verify_iss: true,`,
      audience !== null && `  aud: ${text(audience)}, verify_aud: true,`,
      `  sub: ${text(webhook)}, verify_sub: true`,
      '}',
      'HANDLED = {} # a database, in earnest',
      '',
      ...(jwks === null
        ? ['def verify(token)', "  claims, = JWT.decode(token, ENV.fetch('WEBHOOK_SECRET'), true, CHECKS)"]
        : [
            '# Kept for an hour; asked again for a kid that is not there, at most once a minute.',
            'KEYS = lambda do |options|',
            '  age = @fetched_at ? Time.now - @fetched_at : Float::INFINITY',
            '  if age > 3600 || (options[:kid_not_found] && age > 60)',
            `    @keys = JSON.parse(Net::HTTP.get(URI(${text(jwks)})))`,
            '    @fetched_at = Time.now',
            '  end',
            '  @keys',
            'end',
            '',
            'def verify(token)',
            '  claims, = JWT.decode(token, nil, true, CHECKS.merge(jwks: KEYS))',
          ]),
      "  claims.fetch('data')",
      'end',
      rubyRest,
    ),
};

const nodeRest = `const handled = new Set(); // a database, in earnest

async function receive(req) {
  let body = '';
  for await (const chunk of req) {
    body += chunk;
    if (body.length > 1_000_000) throw new Error('too long');
  }
  const { payload } = await jwtVerify(JSON.parse(body).jwt, keys, checks);
  return payload.data;
}

async function handle(delivery, data) {
  if (handled.has(delivery)) return;
  handled.add(delivery);
  if (data.event === 'webhook.verify') await fetch(data.payload.callback, { method: 'POST' });
  else console.log(\`\${data.event} of \${data.object_id}: \${JSON.stringify(data.payload)}\`);
}

const server = createServer(async (req, res) => {
  let data;
  try {
    data = await receive(req);
  } catch (error) {
    console.log(\`refused: \${error.code ?? error.message}\`);
    res.writeHead(401).end();
    return;
  }
  res.writeHead(204).end(); // first the answer, then the work
  await handle(req.headers['x-service-delivery'], data);
});
server.listen(Number(process.env.PORT ?? 8080));`;

const pythonRest = `

def handle(delivery, data):
    if delivery in handled:
        return
    handled.add(delivery)
    if data["event"] == "webhook.verify":
        urllib.request.urlopen(urllib.request.Request(data["payload"]["callback"], method="POST"))
    else:
        print(f"{data['event']} of {data['object_id']}: {json.dumps(data['payload'])}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            length = min(int(self.headers.get("Content-Length", 0)), 1_000_000)
            data = verify(json.loads(self.rfile.read(length))["jwt"])
        except (jwt.PyJWTError, ValueError, KeyError, TypeError) as error:
            print(f"refused: {error}", flush=True)
            self.send_response(401)
            self.end_headers()
            return
        self.send_response(204)  # first the answer, then the work
        self.end_headers()
        self.wfile.flush()
        handle(self.headers.get("X-Service-Delivery"), data)


ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()`;

const rubyRest = `
def handle(delivery, data)
  return if HANDLED.key?(delivery)

  HANDLED[delivery] = true
  return Net::HTTP.post(URI(data['payload']['callback']), '') if data['event'] == 'webhook.verify'

  puts "#{data['event']} of #{data['object_id']}: #{data['payload'].to_json}"
end

server = WEBrick::HTTPServer.new(Port: Integer(ENV.fetch('PORT', '8080')))
server.mount_proc('/') do |request, response|
  data = verify(JSON.parse(request.body).fetch('jwt'))
  response.status = 204
  Thread.new { handle(request['X-Service-Delivery'], data) } # first the answer, then the work
rescue JWT::DecodeError, JSON::ParserError, KeyError, TypeError => e
  warn "refused: #{e.message}"
  response.status = 401
end
trap('INT') { server.shutdown }
server.start`;
