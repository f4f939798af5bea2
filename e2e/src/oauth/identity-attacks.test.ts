import { audience, startIdentityProvider } from '../operations/identity-provider';
import { patiently } from '../patiently';
import { administratorOf } from '../webhooks/testing/administrator';
import { createHttpClient } from './testing/http-client';
import type { Answer, HttpClient } from './testing/http-client';
import { challenge } from './testing/pkce';
import { startPlatform } from './testing/platform';
import type { Platform } from './testing/platform';
import { signIn } from './testing/visitor';

/** Attacks by the owner of an account, or by an outsider, against a person of another account. */
type Provider = Awaited<ReturnType<typeof startIdentityProvider>>;
let platform: Platform;
let http: HttpClient;
let provider: Provider;
beforeAll(async () => {
  [platform, provider] = await Promise.all([startPlatform(), startIdentityProvider()]);
  http = createHttpClient(4);
});
afterAll(async () => {
  http.close();
  await platform.stop();
  await platform.remove();
  await provider.close();
});

const wdc = () => platform.demo.accounts.wdc;
const acme = () => platform.demo.accounts.acme;
const at = (path: string): string => `${platform.origin}${path}`;

const graphqlOf =
  (account: 'wdc' | 'acme') =>
  <Data>(query: string, variables: object): Promise<Data> =>
    administratorOf(platform, account).graphql<Data>(query, variables);

/** The answer of an API call, including refusals. */
async function ask(account: 'wdc' | 'acme', token: string, query: string, variables: object = {}): Promise<string> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'X-Service-Account': account,
    'Content-Type': 'application/json',
  };
  const sent = { method: 'POST', headers, body: JSON.stringify({ query, variables }) };
  return (await patiently(() => http.call(at('/graphql'), sent))).text;
}

async function meOf(token: string): Promise<string> {
  const { data } = JSON.parse(await ask('wdc', token, '{ me { id } }')) as { data: { me: { id: string } } };
  return data.me.id;
}

async function attempt(email: string, password: string, account = ''): Promise<Answer> {
  const page = await http.call(at('/oauth/sign-in'));
  const [, formToken = ''] = /name="form_token" value="([\w-]+)"/.exec(page.text) ?? [];
  const [cookie = ''] = /session=[\w-]+/.exec(page.headers['set-cookie']?.[0] ?? '') ?? [];
  const fields = { form_token: formToken, email, password, account, next: '' };
  return http.form(at('/oauth/sign-in'), fields, { Cookie: cookie });
}

/** Gives a person of the attacker's account, which is older, the victim's e-mail address. */
async function shadow(email: string): Promise<void> {
  const id = await meOf(wdc().end_user.personal_access_token);
  const query = `mutation ($id: ID!, $email: String!) {
    personUpdate(input: { id: $id, primaryEmail: $email }) { person { primaryEmail } errors { message } } }`;
  expect(await graphqlOf('wdc')(query, { id, email })).toEqual({
    personUpdate: { person: { primaryEmail: email }, errors: [] },
  });
}

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

async function makeApplication(input: object): Promise<{ readonly client_id: string; readonly client_secret: string }> {
  const { oauthApplicationCreate: made } = await graphqlOf('wdc')<{
    oauthApplicationCreate: { oauthApplication: { id: string } };
  }>(
    `mutation ($input: OAuthApplicationCreateInput!) {
      oauthApplicationCreate(input: $input) { oauthApplication { id } errors { path message } } }`,
    { input: { scopes: [{ effect: 'allow', actions: ['me:*', 'person:Read'] }], ...input } },
  );
  const { oauthApplicationTokenCreate: token } = await graphqlOf('wdc')<{
    oauthApplicationTokenCreate: { oauthApplicationToken: { clientId: string }; clientSecret: string };
  }>(
    `mutation ($id: ID!) { oauthApplicationTokenCreate(input: { applicationId: $id }) {
      oauthApplicationToken { clientId } clientSecret errors { message } } }`,
    { id: made.oauthApplication.id },
  );
  return { client_id: token.oauthApplicationToken.clientId, client_secret: token.clientSecret };
}

test("another account gives its own person the victim's address: a sign-in is still the victim's", async () => {
  const victim = acme().end_user;
  await shadow(victim.email);
  const visitor = await signIn(http, platform.origin, victim);
  expect((await visitor.visit('/oauth/profile')).text).toContain(victim.name);
  // The other account must not learn from where the victim tries to sign in either.
  expect((await attempt(victim.email, 'a wrong password')).status).toBe(401);
  const log = await graphqlOf('wdc')<{ securityLog: { nodes: { event: string; personName: string }[] } }>(
    '{ securityLog(last: 20) { nodes { event personName } } }',
    {},
  );
  expect(log.securityLog.nodes.filter(({ event }) => event.startsWith('sign_in'))).toEqual([]);
});

test('signing in as the other person of an address does not reset the count of guesses', async () => {
  const victim = acme().specialist;
  await shadow(victim.email);
  const guesses: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (let guess = 0; guess < 4; guess += 1)
      guesses.push((await attempt(victim.email, `guess ${round} ${guess}`, 'acme')).status);
    await attempt(victim.email, wdc().end_user.password, 'wdc');
  }
  // The other person's password is a wrong one for the victim, and counts with the four before it.
  expect(guesses.slice(0, 4)).toEqual([401, 401, 401, 401]);
  expect(guesses.slice(4)).toContain(429);
});

test("a look-alike of the victim's address is unknown at token exchange", async () => {
  const { ssoConfigurationCreate: made } = await graphqlOf('wdc')<{
    ssoConfigurationCreate: { ssoConfiguration: { id: string } };
  }>(
    `mutation ($issuer: String!) { ssoConfigurationCreate(input: {
      name: "Staff", issuer: $issuer, identifier: primary_email }) { ssoConfiguration { id } errors { message } } }`,
    { issuer: provider.issuer },
  );
  const ssoConfigurationId = made.ssoConfiguration.id;
  const client = await makeApplication({ name: 'Exchange', grantTypes: [exchange], ssoConfigurationId, audience });
  let last = 0;
  const exchangeFor = async (email: string, claims: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    http.form(at('/oauth/token'), {
      ...client,
      grant_type: exchange,
      subject_token: await provider.tokenFor(email, { jti: String((last += 1)), ...claims }),
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    });
  const { email } = wdc().administrator;
  const [first = '', ...rest] = email;
  const tail = rest.join('');
  const fullWidth = String.fromCodePoint(first.codePointAt(0)! + 0xfee0);
  const circled = String.fromCodePoint(first.codePointAt(0)! - 0x61 + 0x24d0);
  for (const lookAlike of [
    `${fullWidth}${tail}`,
    `${circled}${tail}`,
    `\u00a0${email}`,
    `${email}\n`,
    `${email}\u200b`,
  ])
    expect(await exchangeFor(lookAlike)).toMatchObject({
      status: 400,
      text: expect.stringContaining('"invalid_grant"') as string,
    });
  expect((await exchangeFor(email, { email_verified: 'no' })).status).toBe(400);
  // The same token except for the address.
  const right = await exchangeFor(email.toUpperCase());
  expect(right.status).toBe(200);
  const { access_token: token } = JSON.parse(right.text) as { access_token: string };
  expect(await meOf(token)).toBe(await meOf(wdc().administrator.personal_access_token));
});

test("consent for the application's own redirect address does not cover one that any app of the device can claim", async () => {
  const [web, loopback, own] = ['https://shop.example/callback', 'http://127.0.0.1/callback', 'com.example.shop:/cb'];
  const client = await makeApplication({
    name: 'Shop',
    grantTypes: ['authorization_code'],
    redirectUris: [web, loopback, own],
  });
  const visitor = await signIn(http, platform.origin, wdc().specialist);
  const authorize = async (redirect_uri: string, more: Readonly<Record<string, string>> = challenge) => {
    const parameters = { client_id: client.client_id, response_type: 'code', redirect_uri, ...more };
    return visitor.visit(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`);
  };
  const allow = async (asked: Answer): Promise<string> => {
    const { location = '' } = asked.headers;
    return (
      (await visitor.submit(await visitor.visit(location), location, { decision: 'allow' })).headers.location ?? ''
    );
  };
  const isAsked = ({ headers }: Answer): boolean => (headers.location ?? '').startsWith('/oauth/consents/');
  expect(await allow(await authorize(web))).toMatch(/^https:\/\/shop\.example\/callback\?code=/);
  expect((await authorize(web)).headers.location).toMatch(/^https:\/\/shop\.example\/callback\?code=/);
  for (const taken of ['http://127.0.0.1:31337/callback', own]) {
    const asked = await authorize(taken);
    expect([taken, isAsked(asked)]).toEqual([taken, true]);
    expect(await allow(asked)).toContain('code=');
    expect([taken, isAsked(await authorize(taken))]).toEqual([taken, true]);
    // Nor without the code challenge, which an app that listens there lacks.
    expect((await authorize(taken, {})).headers.location).toContain('error=invalid_request');
  }
  const unknown = await authorize('http://127.0.0.1:31337/other');
  expect([unknown.status, unknown.headers.location]).toEqual([400, undefined]);
});

test("a partner's administrator who enumerates ids cannot tell whether a person exists", async () => {
  for (const [account, other, as] of [
    ['wdc', 'acme', 'provider'],
    ['acme', 'wdc', 'customer'],
  ] as const)
    await graphqlOf(account)(
      `mutation ($other: String!, $as: AccountTrustRole!) {
        accountUpdate(input: { trusts: [{ accountID: $other, as: $as }] }) { errors { message } } }`,
      { other, as },
    );
  const walker = acme().administrator.personal_access_token;
  const known = await meOf(wdc().administrator.personal_access_token);
  const idOf = (number: number): string =>
    Buffer.from(Buffer.from(known, 'base64url').toString().replace(/\d+$/, String(number))).toString('base64url');
  const numberOf = (id: string): number => Number(/\d+$/.exec(Buffer.from(id, 'base64url').toString())?.[0]);
  const update = `mutation ($id: ID!) { personUpdate(input: { id: $id, roles: [] }) {
    person { name primaryEmail } errors { message } } }`;
  const walk = (id: string) =>
    Promise.all(
      [update, 'query ($id: ID!) { node(id: $id) { id } person(id: $id) { name } }'].map((query) =>
        ask('acme', walker, query, { id }),
      ),
    );
  const ofNobody = await walk(idOf(999_999));
  expect(ofNobody[0]).toContain('NOT_FOUND');
  for (const person of [wdc().administrator, wdc().specialist, wdc().end_user])
    expect(await walk(idOf(numberOf(await meOf(person.personal_access_token))))).toEqual(ofNobody);
  // Their roles are unchanged.
  expect(await ask('wdc', wdc().administrator.personal_access_token, '{ me { memberships { roles } } }')).toContain(
    'account_administrator',
  );
});
