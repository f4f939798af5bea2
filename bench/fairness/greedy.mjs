import { setTimeout as pause } from 'node:timers/promises';
import { drip } from './bench.mjs';

const times = (count, item) => Array.from({ length: count }, (_none, n) => item(n)).join(' ');

/** Keeps `atOnce` calls in flight, round-robin over the people. */
const steadily =
  (atOnce, make) =>
  async ({ baseUrl, greedy, call }, signal, count) => {
    let turn = 0;
    const worker = async () => {
      while (!signal.aborted) {
        turn += 1;
        const { path, ...options } = make(greedy[turn % greedy.length], turn);
        const { status, text } = await call(`${baseUrl}${path}`, { ...options, signal });
        if (signal.aborted) return;
        count(`${status}${/"code":"([A-Z_]+)"/.exec(text)?.[1] ? ` ${/"code":"([A-Z_]+)"/.exec(text)[1]}` : ''}`);
        // Back-off after a refusal.
        if (status !== 200) await pause(200);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };

const graphql = (atOnce, document, variables = {}) =>
  steadily(atOnce, (headers, n) => ({
    path: '/graphql',
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: typeof document === 'string' ? document : document(n), variables }),
  }));

const negated = (count) => (n) =>
  `{ ${times(count, (i) => `a${i}: requests(first: 1, filter: { subject: { values: ["y${n}x${i}"], negate: true } }) { totalCount }`)} }`;

const nested = (first) =>
  `{ requests(first: 100) { nodes { requestedBy { requests(first: 49) { nodes { requestedBy { requests(first: ${first}) { nodes { id } } } } } } } } }`;

/** One point, whatever the names. */
const neverSeen = (n) =>
  `{ ${times(90, (i) => `a${n}x${i}: requests(first: 1) { nodes { id subject requestedBy { name } } }`)} }`;

const names = Array.from({ length: 80 }, (_none, n) => `name ${n}`);

export const documents = {
  'documents never seen before': graphql(20, neverSeen),
  '10 negated counts in a call': graphql(4, negated(10)),
  '20 negated counts in a call': graphql(4, negated(20)),
  '200 filters of 80 names in a call': graphql(
    4,
    `query ($v: [String!]!) { ${times(200, (i) => `a${i}: people(first: 1, filter: { name: { values: $v, negate: true } }) { totalCount }`)} }`,
    { v: names },
  ),
  '490,000 nodes in a call': graphql(4, nested(100)),
  '245,000 nodes in a call, which fit into an answer': graphql(4, nested(50)),
  'lists by a negated subject': steadily(4, (headers, n) => ({
    path: `/v1/requests?per_page=1&subject=!x${n}`,
    headers,
  })),
  '90 calls of one caller at once': steadily(90, ({ ...headers }, n) => ({
    path: '/graphql',
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: negated(1)(n) }),
  })),
};

const from = (address) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });

/** 150 browsers, each of which submits its form again and again. */
async function signIns({ baseUrl, call }, signal, count) {
  const browser = async (_none, n) => {
    const address = from(`198.51.100.${1 + (n % 15)}`);
    const page = await call(`${baseUrl}/oauth/sign-in`, { headers: address, signal });
    const cookie = (page.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
    const token = /name="form_token"[^>]*value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    while (!signal.aborted) {
      const { status } = await call(`${baseUrl}/oauth/sign-in`, {
        method: 'POST',
        headers: { ...address, Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          form_token: token,
          email: `nobody${n}@greedy.example`,
          password: 'wrong',
        }).toString(),
        signal,
      });
      if (signal.aborted) return;
      count(status);
      if (status !== 401) await pause(200);
    }
  };
  await Promise.all(Array.from({ length: 150 }, browser));
}

async function authorizationRequests({ baseUrl, call, application }, signal, count) {
  const query = new URLSearchParams({
    client_id: application.clientId,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1/callback',
    state: 'x'.repeat(4_000),
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  const worker = async () => {
    while (!signal.aborted) {
      const { status } = await call(`${baseUrl}/oauth/authorize?${query}`, { headers: from('198.51.100.77'), signal });
      if (!signal.aborted) count(status);
      if (status !== 302) await pause(200);
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
}

export const floods = {
  'sign-ins from 15 addresses': signIns,
  'authorization requests without credentials': authorizationRequests,
};

const line = (path, address, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nX-Forwarded-Proto: https\r\nContent-Length: 60000\r\n${more}`;

/** Opens `count` sockets, and reopens each a moment after it was closed. */
const drips =
  (sockets, head) =>
  async ({ baseUrl, greedy }, signal, count) => {
    while (!signal.aborted) {
      for (let n = 0; n < sockets && !signal.aborted; n += 1) drip(baseUrl, head(greedy, n), signal, count);
      await pause(11_000, undefined, { signal }).catch(() => undefined);
    }
  };

export const dripping = {
  '300 sockets that drip /oauth/token': drips(300, (_greedy, n) =>
    line('/oauth/token', `198.51.100.${n % 250}`, 'Content-Type: application/x-www-form-urlencoded'),
  ),
  '288 imports of one token that drip': drips(288, ([{ Authorization }]) =>
    line(
      '/v1/import?type=requests',
      '198.51.100.9',
      `Content-Type: multipart/form-data; boundary=x\r\nAuthorization: ${Authorization}\r\nX-Service-Account: greedy`,
    ),
  ),
};
