import fc from 'fast-check';
import { createHttpClient } from './testing/http-client';
import type { Answer, HttpClient } from './testing/http-client';
import { addresses, asJson, brokenBodies, encoded, oddHeaders, parametersLike } from './testing/hostile-input';
import { startPlatform } from './testing/platform';
import type { Platform } from './testing/platform';
import { signIn } from './testing/visitor';
import type { Visitor } from './testing/visitor';

const callback = 'http://127.0.0.1:8765/callback';
/** Input is random on every run, unless `SEED` is set. */
const { SEED } = process.env;
const series = SEED === undefined ? {} : { seed: Number(SEED) };
const runs = { numRuns: 300, ...series };
/** Fewer runs, since each checks a password, which is slow on purpose. */
const fewRuns = { numRuns: 60, ...series };

let platform: Platform;
let http: HttpClient;
let ellen: Visitor;
beforeAll(async () => {
  platform = await startPlatform();
  http = createHttpClient(4);
  ellen = await signIn(http, platform.origin, platform.demo.accounts.wdc.administrator);
});
afterAll(async () => {
  http.close();
  await platform.stop();
  await platform.remove();
});

const client = () => platform.demo.accounts.wdc.application;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** The only script of the sign-in page, which contains no user input. */
const ownScript = /<script src="\/oauth\/passkeys-[0-9a-f]{12}\.js" defer><\/script>/;

/** The invariant of every page, without parts that vary; the checks below build on it. */
const isPage = ({ headers, text }: Answer): boolean =>
  (headers['content-type'] ?? '').startsWith('text/html') &&
  (headers['content-security-policy'] ?? '').includes("frame-ancestors 'none'") &&
  !/\n\s+at |node_modules|<script/i.test(text.replace(ownScript, ''));

function checkPage(answer: Answer, statuses: readonly number[]): void {
  expect({ status: answer.status, known: statuses.includes(answer.status), text: answer.text }).toMatchObject({
    known: true,
  });
  if (![302, 303].includes(answer.status)) {
    expect([answer.status, isPage(answer), answer.headers.location]).toEqual([answer.status, true, undefined]);
  }
}

const errors = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
];

/** RFC 6749 §5.2: the members of an error, and their permitted characters. */
function checkClientError(answer: Answer, codes: readonly string[] = errors): void {
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['cache-control']).toBe('no-store');
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  expect(Object.keys(body)).toEqual(['error', 'error_description']);
  expect(body['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  if (answer.status === 429) {
    expect(body['error']).toBe('temporarily_unavailable');
    return;
  }
  expect([answer.status, codes.includes(String(body['error'])), body]).toEqual([answer.status, true, body]);
  const statuses = body['error'] === 'invalid_client' ? [400, 401] : [400, 413, 415];
  expect([answer.status, statuses.includes(answer.status)]).toEqual([answer.status, true]);
  if (answer.status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
}

/**
 * Node answers 431 when request line and headers exceed 16 KiB, before our code runs. Near that size the varying
 * headers decide, and a sign-in contains the URL once more, encoded.
 */
const tooLongForAnAddress = (url: string): boolean => encodeURIComponent(url).length > 15_000;

const authorizeRight = () => ({
  client_id: client().client_id,
  response_type: 'code',
  redirect_uri: callback,
  state: 'x',
  code_challenge: 'a'.repeat(43),
  code_challenge_method: 'S256',
});

describe.each(['signed in', 'not signed in'])('GET /oauth/authorize, %s', (who) => {
  test('answers every query with its own page, a sign-in, or a redirect to the registered address', async () => {
    const cookie = who === 'signed in' ? { Cookie: ellen.cookie } : {};
    await fc.assert(
      fc.asyncProperty(parametersLike(authorizeRight(), false), oddHeaders, async (parameters, odd) => {
        const url = `${platform.origin}/oauth/authorize?${encoded(parameters)}`;
        const answer = await http.call(url, { headers: { ...odd, ...cookie } });
        if (tooLongForAnAddress(url)) return expect([400, 431]).toContain(answer.status);
        checkPage(answer, [302, 400]);
        const { location = '' } = answer.headers;
        if (answer.status === 302) {
          const own = /^\/oauth\/(sign-in\?next=|consents\/[\w-]{36}$)/.test(location);
          const theirs = /^http:\/\/127\.0\.0\.1(:\d{1,5})?\/callback\?(code|error)=/.test(location);
          expect([location, own || theirs]).toEqual([location, true]);
        }
      }),
      runs,
    );
  });
});

const tokenRight = () => ({
  grant_type: 'authorization_code',
  client_id: client().client_id,
  client_secret: client().client_secret,
  code: `itsm_ac_${'a'.repeat(49)}`,
  redirect_uri: callback,
  code_verifier: 'a'.repeat(43),
});
const endpoints = {
  '/oauth/token': tokenRight,
  '/oauth/revoke': () => ({ client_id: client().client_id, client_secret: client().client_secret, token: 'itsm_at_x' }),
  '/oauth/introspect': () => ({
    client_id: client().client_id,
    client_secret: client().client_secret,
    token: platform.demo.accounts.wdc.specialist.personal_access_token,
  }),
};

/** The successful answers of each endpoint, besides errors of RFC 6749 §5.2. */
const succeeds: Readonly<Record<string, (answer: Answer) => boolean>> = {
  '/oauth/token': () => false,
  '/oauth/revoke': ({ status, text }) => status === 200 && text === '{}',
  '/oauth/introspect': ({ status, text }) => status === 200 && typeof JSON.parse(text).active === 'boolean',
};

describe.each(Object.entries(endpoints))('POST %s', (path, right) => {
  const check = (answer: Answer): void => {
    if (!(answer.status === 200 && succeeds[path]?.(answer))) checkClientError(answer);
  };

  test.each([
    ['form', false, encoded, form],
    ['JSON', true, asJson, { 'Content-Type': 'application/json' }],
  ] as const)('answers every %s with what RFC 6749 names', async (_kind, nested, write, type) => {
    await fc.assert(
      fc.asyncProperty(parametersLike(right(), nested), oddHeaders, addresses, async (parameters, odd, address) => {
        const call = { ...address, method: 'POST', headers: { ...odd, ...type }, body: write(parameters) };
        check(await http.call(`${platform.origin}${path}`, call));
      }),
      runs,
    );
  });

  test('refuses bodies that are malformed, too large or of another type', async () => {
    for (const { headers, body } of brokenBodies) {
      check(await http.call(`${platform.origin}${path}`, { method: 'POST', headers, body }));
    }
  });
});

test('POST /oauth/sign-in answers every form with a page or a redirect within the platform', async () => {
  const page = await http.call(`${platform.origin}/oauth/sign-in`);
  const cookie = /session=[\w-]+/.exec(page.headers['set-cookie']?.[0] ?? '')?.[0] ?? '';
  const formToken = /name="form_token" value="([\w-]+)"/.exec(page.text)?.[1] ?? '';
  const right = { form_token: formToken, email: 'nobody@wdc.example', password: 'wrong', account: 'wdc', next: '' };
  await fc.assert(
    fc.asyncProperty(parametersLike(right, false), oddHeaders, addresses, async (parameters, odd, address) => {
      const headers = { ...odd, Cookie: cookie, ...form };
      const call = { ...address, method: 'POST', headers, body: encoded(parameters) };
      const answer = await http.call(`${platform.origin}/oauth/sign-in`, call);
      checkPage(answer, [400, 401, 403, 429]);
    }),
    fewRuns,
  );
  for (const { headers, body } of brokenBodies) {
    const call = { method: 'POST', headers: { ...headers, Cookie: cookie }, body };
    checkPage(await http.call(`${platform.origin}/oauth/sign-in`, call), [400, 403, 413, 415]);
  }
});

test('a URL of 10,000 characters is handled like a short one', async () => {
  const long = 'a'.repeat(5_000);
  const address = `${platform.origin}/oauth/sign-in?=${long}&client_id%5B%5D=${long}`;
  checkPage(await http.call(address), [200]);
});

test('GET /oauth/sign-in never redirects outside of the platform', async () => {
  await fc.assert(
    fc.asyncProperty(parametersLike({ next: '/oauth/authorize?a=b' }, false), async (parameters) => {
      const url = `${platform.origin}/oauth/sign-in?${encoded(parameters)}`;
      if (tooLongForAnAddress(url)) return;
      checkPage(await http.call(url), [200, 400]);
      const { headers } = await http.call(url, { headers: { Cookie: ellen.cookie } });
      expect(headers.location).toMatch(/^\/oauth\/(profile$|authorize\?[\x21-\x7e]*$)/);
    }),
    runs,
  );
});
