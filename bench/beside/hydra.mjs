// Ory Hydra on PostgreSQL. Client secrets use its cheapest hash (PBKDF2, one round), since ours compares digests of
// random secrets. Its introspection is an internal endpoint without credentials.
import { execFileSync } from 'node:child_process';
import { freePorts } from '../../scripts/engine.mjs';
import { drive } from '../measure.mjs';
import { createPrograms, peerOf, startPostgres, untilHttp } from './programs.mjs';

const atOnce = 8;
const redirectUri = 'https://client.example/callback';
const scopes = ['offline', 'api'];
const secret = 'a-client-secret-of-forty-characters-long';

/** `HYDRA` is the program. */
export async function startHydra() {
  const hydra = peerOf('HYDRA');
  if (!hydra) return undefined;
  const programs = createPrograms('hydra');
  const postgres = await startPostgres(programs);
  const [port, adminPort] = await freePorts(2);
  const [open, admin] = [port, adminPort].map((one) => `http://127.0.0.1:${one}`);
  const config = programs.file(
    'hydra.yaml',
    `serve: { public: { port: ${port}, host: 127.0.0.1 }, admin: { port: ${adminPort}, host: 127.0.0.1 } }
urls: { self: { issuer: "${open}" }, login: "${open}/none/login", consent: "${open}/none/consent" }
secrets: { system: [${'s'.repeat(32)}] }
sqa: { opt_out: true }
log: { level: error }
oauth2: { hashers: { algorithm: pbkdf2, pbkdf2: { iterations: 1 } } }
`,
  );
  const env = { ...process.env, DSN: postgres.url, SQA_OPT_OUT: 'true' };
  execFileSync(hydra, ['migrate', 'sql', 'up', '-e', '--yes', '-c', config], { env, stdio: 'ignore' });
  const child = programs.keep('hydra', hydra, ['serve', 'all', '--dev', '-c', config], { env });
  await untilHttp(child, port);
  await untilHttp(child, adminPort);
  const { client_id } = await json('POST', `${admin}/admin/clients`, {
    client_secret: secret,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: scopes.join(' '),
    token_endpoint_auth_method: 'client_secret_post',
  });
  return {
    name: 'Hydra, cheapest secret hash',
    about: {
      token: `${open}/oauth2/token`,
      introspect: `${admin}/admin/oauth2/introspect`,
      client: { client_id, client_secret: secret },
      redirectUri,
    },
    parts: { service: child.pid, store: postgres.pid },
    async codes(count) {
      const numbers = Array.from({ length: count }, (_, number) => number);
      return (await drive(numbers, atOnce, (number) => signIn({ open, admin, client_id }, number))).results;
    },
    stop: programs.stop,
  };
}

async function json(method, url, body) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${await response.text()}`);
  return response.json();
}

/** The flow of a browser to a code; the login and consent application accepts everything. */
async function signIn({ open, admin, client_id }, number) {
  const cookies = new Map();
  const follow = async (url) => {
    const headers = { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
    const response = await fetch(url, { headers, redirect: 'manual' });
    await response.arrayBuffer();
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
      cookies.set(name, value);
    }
    return new URL(response.headers.get('location'));
  };
  const accept = async (what, url, body) => {
    const challenge = encodeURIComponent(url.searchParams.get(`${what}_challenge`));
    const path = `/admin/oauth2/auth/requests/${what}/accept?${what}_challenge=${challenge}`;
    return (await json('PUT', `${admin}${path}`, body)).redirect_to;
  };
  const query = { client_id, response_type: 'code', scope: scopes.join(' '), redirect_uri: redirectUri };
  const state = `state-${number}-0123456789`;
  const login = await follow(`${open}/oauth2/auth?${new URLSearchParams({ ...query, state })}`);
  const consent = await follow(await accept('login', login, { subject: 'ada' }));
  const back = await follow(await accept('consent', consent, { grant_scope: scopes }));
  return back.searchParams.get('code');
}
