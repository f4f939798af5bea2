import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DemoAccount, DemoPerson } from '@itsm/embedded/demo/demo-file';
import { query } from '../tour/api';
import { createBrowser } from '../tour/browser';
import { startChild } from './testing/child';
import { startPlatform } from './testing/platform';
import type { Platform } from './testing/platform';

interface Answer {
  readonly error?: string;
  readonly first: Pair;
  readonly second: Pair;
}
interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(async () => {
  await platform.stop();
  await platform.remove();
});

/**
 * Runs the application built with `library`: `person` visits its `/login` and authorises it. Returns the answer of its
 * `/callback`.
 */
async function connect<Said = Answer>(
  library: string,
  { application }: DemoAccount,
  person: DemoPerson,
  more: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const { origin } = platform;
  const env = { PLATFORM: origin, CLIENT_ID: application.client_id, CLIENT_SECRET: application.client_secret, ...more };
  const child = startChild(join(__dirname, `clients/${library}.mjs`), [], { cwd: __dirname, env });
  try {
    const [, address = ''] = await child.says(/listening at (\S+)/);
    const login = await fetch(`${address}/login`, { redirect: 'manual' });
    const browser = createBrowser(origin);
    const [signIn] = (await browser.visit(login.headers.get('location') ?? '')).forms;
    if (!signIn) throw new Error('the platform shows no sign-in form');
    const consent = await browser.submit(signIn, { email: person.email, password: person.password });
    const form = consent.forms.find(({ action }) => action.includes('/oauth/consents/'));
    if (!form) throw new Error('the platform does not ask the person');
    const { leavesTo } = await browser.submit(form, { decision: 'allow' });
    expect(leavesTo).toMatch(new RegExp(`^${address}/callback\\?code=`));
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return (await (await fetch(leavesTo ?? '', { headers: { Cookie: cookie } })).json()) as Said;
  } finally {
    await child.stop();
  }
}

test.each([
  ['openid-client', 'wdc', 'administrator'],
  ['simple-oauth2', 'wdc', 'specialist'],
  ['passport-oauth2', 'wdc', 'end_user'],
  ['badgateway-oauth2-client', 'acme', 'administrator'],
] as const)('%s, unmodified, obtains tokens with a code, refreshes them, and both work', async (library, id, role) => {
  const account = platform.demo.accounts[id];
  const person = account[role];
  const { error, first, second } = await connect(library, account, person);
  expect(error).toBeUndefined();
  expect(second.access_token).not.toBe(first.access_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  for (const { access_token: token } of [first, second]) {
    const { data } = await query(platform.demo.graphql_url, { token, account: id }, '{ me { name } }');
    expect(data).toEqual({ me: { name: person.name } });
  }
});

interface SignedAnswer extends Answer {
  readonly answers: unknown;
  readonly refused: unknown;
  readonly introspected: object;
  readonly jkt: string;
  readonly ended: number;
}

test.each(['ES256', 'Ed25519'])(
  'openid-client signs who it is (private_key_jwt) and proves its key with %s (DPoP): tokens of that key alone',
  async (algorithm) => {
    const account = platform.demo.accounts.wdc;
    const { administrator } = account;
    const { graphql_url } = platform.demo;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = randomUUID();
    const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256' }] });
    const credentials = { token: administrator.personal_access_token, account: 'wdc' };
    const listed = '{ oauthApplications(first: 50) { nodes { id tokens { clientId } } } }';
    const { data } = await query(graphql_url, credentials, listed);
    const { nodes } = (data as { oauthApplications: { nodes: { id: string; tokens: { clientId: string }[] }[] } })
      .oauthApplications;
    const own = nodes.find(({ tokens }) => tokens.some(({ clientId }) => clientId === account.application.client_id));
    const text = `mutation ($input: OAuthApplicationUpdateInput!) { oauthApplicationUpdate(input: $input) { errors { message } } }`;
    const input = { id: own?.id, jwks, privateKeyJwtRequired: true };
    const saved = await query(graphql_url, credentials, text, { input });
    expect(saved.data).toEqual({ oauthApplicationUpdate: { errors: [] } });
    try {
      const said = await connect<SignedAnswer>('openid-client-dpop', account, administrator, {
        CLIENT_SECRET: '',
        CLIENT_KEY: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid }),
        DPOP_ALGORITHM: algorithm,
        GRAPHQL_URL: graphql_url,
        ACCOUNT: 'wdc',
      });
      expect(said.error).toBeUndefined();
      expect(said.first).toMatchObject({ token_type: 'dpop' });
      const answer = { data: { me: { name: administrator.name } } };
      expect(said.answers).toEqual([answer, answer, answer]);
      expect(said.refused).toEqual([401, expect.stringMatching(/^DPoP error="invalid_token"/)]);
      expect(said.introspected).toMatchObject({ active: true, cnf: { jkt: said.jkt } });
      expect(said.ended).toBe(401);
    } finally {
      const back = { id: own?.id, jwks: null, privateKeyJwtRequired: false };
      await query(graphql_url, credentials, text, { input: back });
    }
  },
);
