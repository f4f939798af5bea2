import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { freePort } from '../free-port';
import { startChromium, withChromium } from '../oauth/testing/chromium';
import { challenge, codeVerifier } from '../oauth/testing/pkce';
import { startSite } from '../oauth/testing/site';
import { patiently } from '../patiently';
import { makePlatformData } from '../platform-data';
import type { PlatformData } from '../platform-data';
import { startPlatformProcess } from '../platform-process';
import type { PlatformProcess } from '../platform-process';
import { startReceiver } from '../webhooks/testing/receiver';
import type { Call, Receiver } from '../webhooks/testing/receiver';
import { call, visit } from './visitor';
import type { Answer } from './visitor';

type Body = Record<string, unknown>;

const arrangements: [string, (port: number) => string][] = [
  ['accounts are paths', (port) => `http://localhost:${port}/accounts/{account}`],
  ['accounts are hosts', (port) => `http://{account}.localhost:${port}`],
];

describe.each(arrangements)('where %s, every URL that is given out works unchanged:', (_name, accountUrlAt) => {
  let smtp: SmtpReceiver;
  let platform: PlatformProcess;
  let receiver: Receiver;
  let port: number;
  let data: PlatformData;
  beforeAll(async () => {
    smtp = await startSmtpReceiver();
    port = await freePort();
    data = makePlatformData('addresses');
    const settings = { ACCOUNT_URL: accountUrlAt(port), SMTP_URL: smtp.url, REFRESH_GRACE_SECONDS: '0' };
    platform = await startPlatformProcess({ port, data, settings });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    receiver.close();
    await platform.stop();
    await data.remove();
    await smtp.close();
  });

  const credentials = () => ({
    authorization: `Bearer ${platform.demo.accounts.wdc.administrator.personal_access_token}`,
    'x-service-account': 'wdc',
  });

  /** A call of the API. */
  async function api(url: string, status: number, method = 'GET', body?: object | Response): Promise<Answer> {
    const { headers: ofForm } = body instanceof Response ? body : {};
    const headers = { ...credentials(), 'content-type': ofForm?.get('content-type') ?? 'application/json' };
    const sent = body instanceof Response ? await body.text() : body && JSON.stringify(body);
    const answer = await patiently(() => call(url, { method, headers, ...(sent && { body: sent }) }));
    expect([method, url, answer.status, answer.text]).toEqual([method, url, status, answer.text]);
    return answer;
  }
  const bodyOf = ({ text }: Answer): Body => JSON.parse(text) as Body;
  const at = (path: string): string => `${platform.demo.base_url}${path}`;
  const make = async (path: string, body: object): Promise<{ answer: Answer; record: Body }> => {
    const answer = await api(at(path), 201, 'POST', body);
    return { answer, record: bodyOf(answer) };
  };
  async function graphql(query: string): Promise<Body> {
    const { data } = bodyOf(await api(platform.demo.graphql_url, 200, 'POST', { query }));
    return data as Body;
  }

  /** The page that a browser shows at a URL that is meant for people. */
  async function page(url: unknown): Promise<string> {
    const answer = await visit(String(url));
    const type = answer.headers['content-type'];
    expect([url, answer.url, answer.status, type]).toEqual([url, answer.url, 200, 'text/html; charset=utf-8']);
    return answer.text;
  }

  const linksIn = (header: unknown): Record<string, string> =>
    Object.fromEntries(
      [...String(header).matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = '', relation = '']) => [relation, url]),
    );

  async function verified(event: string, path: string, more: object = {}): Promise<{ id: unknown; received: Call }> {
    const { record } = await make('/v1/webhooks', { event, uri: receiver.uriOf(path), ...more });
    const received = await receiver.next(path);
    const body = 'jwt' in received.body ? (decodeJwt(String(received.body['jwt']))['data'] as Body) : received.body;
    const { callback } = body['payload'] as Body;
    expect(await page(callback)).toContain('Verification successful');
    return { id: record['id'], received };
  }

  /** The URLs in the headers of a webhook call and in its common members. */
  async function follow({ headers, body }: Call): Promise<Record<string, string>> {
    const [, documentation] = /^Service\/1\.0 \((.+)\)$/.exec(String(headers['user-agent'])) ?? [];
    expect(await page(documentation)).toContain('<h1 id="webhooks">Webhooks</h1>');
    expect(await page(body['account'])).toContain('<div id="root">');
    const links = linksIn(headers.link);
    expect(await page(links['canonical'])).toContain('<div id="root">');
    await api(String(links['resource']), 200);
    return links;
  }

  test('in webhook.verify and in the calls of events', async () => {
    const { received } = await verified('request.note-added', '/notes');
    await follow(received);
    const { requestCreate } = await graphql(
      'mutation { requestCreate(input: { subject: "Address" }) { request { id } } }',
    );
    const { id } = (requestCreate as { request: { id: string } }).request;
    await graphql(`mutation { noteCreate(input: { recordId: "${id}", text: "Noted" }) { note { id } } }`);
    const links = await follow(await receiver.next('/notes'));
    expect(bodyOf(await api(String(links['related']), 200))).toHaveProperty('text', 'Noted');
  });

  test("a policy's keys", async () => {
    const { answer, record } = await make('/v1/webhook_policies', { name: 'signs', jwt_alg: 'es256' });
    await api(String(answer.headers.location), 200);
    const signing = { webhook_policy_id: record['id'], openid_connect_discovery: true };
    const { received } = await verified('request.create', '/signed', signing);
    const jwt = String(received.body['jwt']);
    const { iss } = decodeJwt(jwt);
    const document = bodyOf(await call(`${iss}/.well-known/openid-configuration`));
    expect(document['issuer']).toBe(iss);
    const keys = JSON.parse((await call(String(document['jwks_uri']))).text) as JSONWebKeySet;
    await jwtVerify(jwt, createLocalJWKSet(keys), { issuer: String(iss) });
  });

  test('in Location, Link and the members of records', async () => {
    const { id } = await verified('request.update', '/located');
    await api(at(`/v1/webhooks/${String(id)}/test`), 204, 'POST');
    const delivery = String((await receiver.next('/located')).headers['x-service-delivery']);
    const found = async () => (await api(at(`/v1/webhook_deliveries/${delivery}`), 200)).text;
    await waitUntil('the delivery', async () => (await found()).includes('"state":"delivered"'));
    const extension = { name: 'Addressed', title: 'Addressed', category: 'request', html: '<p>Hello</p>' };
    const made = [
      await make('/v1/webhooks', { event: 'task.create', uri: receiver.uriOf('/located') }),
      await make('/v1/ui_extensions', extension),
      await make(`/v1/webhook_deliveries/${delivery}/redeliver`, {}),
    ];
    for (const { answer, record } of made) {
      const shown = bodyOf(await api(String(answer.headers.location), 200));
      expect(shown['id']).toBe(record['id']);
    }
    const list = await api(at('/v1/requests?per_page=1'), 200);
    const { next } = linksIn(list.headers.link);
    expect(JSON.parse((await api(String(next), 200)).text)).toHaveLength(1);
    const preview = await make(`/v1/ui_extensions/${String(made[1]?.record['id'])}/preview`, {});
    expect(await page(preview.record['uri'])).toContain('Addressed');
  });

  test("an import's log", async () => {
    const form = new FormData();
    form.set('type', 'request');
    form.set('file', new Blob(['subject,status\nRefused,nonsense\n']), 'requests.csv');
    const { token } = bodyOf(await api(at('/v1/import'), 202, 'POST', new Response(form)));
    const state = async () => bodyOf(await api(at(`/v1/import/${String(token)}`), 200));
    const done = await waitUntil('the import', async () => {
      const found = await state();
      return found['state'] === 'done' ? found : undefined;
    });
    expect((await api(String(done['logfile']), 200)).text).toContain('status');
  });

  test("a webhook's page, and its form", async () => {
    const { record } = await make('/v1/webhooks', { event: 'task.update', uri: receiver.uriOf('/paged') });
    await receiver.next('/paged');
    const { answer } = await make(`/v1/webhooks/${String(record['id'])}/page`, {});
    const text = await page(answer.headers.location);
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? [];
    const submit = () =>
      call(new URL(action, String(answer.headers.location)).href, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ token }).toString(),
      });
    // A mail that was sent a moment ago is not sent again; the test only needs an answer to the form.
    const submitted = await submit();
    expect([submitted.status, submitted.text]).toEqual([409, expect.stringContaining('sent a moment ago')]);
  });

  test('in mails', async () => {
    const { id } = await verified('request.create', '/failing');
    receiver.answer('/failing', 500);
    await graphql('mutation { requestCreate(input: { subject: "Fails" }) { request { id } } }');
    const isAbout = ({ email }: SmtpReceiver['mails'][number]) => email.text?.includes(`(${String(id)})`) ?? false;
    const mail = await waitUntil('the mail', () => smtp.mails.find(isAbout));
    const addresses = mail.email.text?.match(/https?:\S+/g) ?? [];
    expect(addresses).toHaveLength(1);
    for (const address of addresses) {
      expect(address).toMatch(new RegExp(`/webhooks/${String(id)}$`));
      expect(await page(address)).toContain('<div id="root">');
    }
  });

  test('documentation URLs in refusals', async () => {
    const ask = (url: string, method: string) =>
      call(url, {
        method,
        headers: { ...credentials(), 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      });
    const refusalOf = async (url: string, method: string): Promise<Body> => {
      for (;;) {
        const answers = await Promise.all(Array.from({ length: 25 }, () => ask(url, method)));
        const refused = answers.find(({ status }) => status === 429);
        if (refused) return bodyOf(refused);
      }
    };
    const { documentationUrl } = await refusalOf(platform.demo.graphql_url, 'POST');
    const { documentation_url } = await refusalOf(at('/v1/webhooks'), 'GET');
    for (const address of [documentationUrl, documentation_url]) {
      const { status, text } = await visit(String(address));
      expect([status, text]).toEqual([200, expect.stringContaining('Requests: 20 in 2 seconds')]);
    }
  });

  test('in the metadata of the authorization server', async () => {
    const metadata = bodyOf(await call(at('/.well-known/oauth-authorization-server')));
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const statusOf = async (name: string, method: string) =>
      (await call(String(metadata[`${name}_endpoint`]), { method, headers: method === 'POST' ? form : {} })).status;
    expect(metadata['issuer']).toBe(platform.demo.base_url);
    expect(await statusOf('authorization', 'GET')).toBe(400);
    for (const name of ['token', 'revocation', 'introspection']) expect(await statusOf(name, 'POST')).toBe(400);
    expect(bodyOf(await call(String(metadata['jwks_uri'])))).toHaveProperty('keys');
  });

  test('GraphQL, OAuth and the API on separate hosts', async () => {
    const answer = await api(`http://graphql.localhost:${port}/`, 200, 'POST', { query: '{ me { name } }' });
    expect(bodyOf(answer)).toHaveProperty('data.me.name');
    await api(`http://api.localhost:${port}/v1/webhooks`, 200);
    expect(bodyOf(await call(`http://oauth.localhost:${port}/jwks`))).toHaveProperty('keys');
    expect(await page(`http://oauth.localhost:${port}/`)).toContain('Sign in');
    expect((await call(`http://www.localhost:${port}/`)).status).toBe(421);
  });

  const refresh = (token: string): Promise<Answer> => {
    const { client_id, client_secret } = platform.demo.accounts.wdc.application;
    const form = { grant_type: 'refresh_token', refresh_token: token, client_id, client_secret };
    return call(`http://oauth.localhost:${port}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  };

  withChromium('in Chromium', () => {
    test('a person signs in at the host of OAuth and authorises an application', async () => {
      const [chromium, site] = await Promise.all([startChromium(), startSite()]);
      try {
        const { application, administrator } = platform.demo.accounts.wdc;
        const redirect = `${site.origin('127.0.0.1')}/callback`;
        const query = new URLSearchParams({
          client_id: application.client_id,
          response_type: 'code',
          redirect_uri: redirect,
          state: 'here',
          ...challenge,
        });
        const { page: tab, complaints } = await chromium.open();
        await tab.goto(`http://oauth.localhost:${port}/authorize?${query.toString()}`);
        await tab.getByLabel('E-mail address').fill(administrator.email);
        await tab.getByLabel('Password').fill(administrator.password);
        await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
        expect(new URL(tab.url()).host).toBe(`oauth.localhost:${port}`);
        await tab.getByRole('button', { name: 'Authorize', exact: true }).click();
        await tab.waitForURL(`${redirect}?*`);
        const answer = new URL(tab.url()).searchParams;
        expect([answer.get('state'), answer.get('iss')]).toEqual(['here', platform.demo.base_url]);
        const token = await call(`http://oauth.localhost:${port}/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            grant_type: 'authorization_code',
            code: answer.get('code') ?? '',
            redirect_uri: redirect,
            code_verifier: codeVerifier,
            client_id: application.client_id,
            client_secret: application.client_secret,
          }).toString(),
        });
        expect([token.status, bodyOf(token)]).toMatchObject([200, { token_type: 'bearer' }]);
        const former = String(bodyOf(token)['refresh_token']);
        expect([(await refresh(former)).status, (await refresh(former)).status]).toEqual([200, 400]);
        const isAlert = ({ email }: SmtpReceiver['mails'][number]) => email.text?.includes('what has access') ?? false;
        const alert = await waitUntil('the mail about the token', () => smtp.mails.find(isAlert));
        const [profile] = alert.email.text?.match(/https?:\S+/g) ?? [];
        expect(await page(profile)).toContain('Sign in');
        await tab.goto(`http://oauth.localhost:${port}/profile`);
        await tab.getByRole('heading', { name: 'Access & Security' }).waitFor();
        expect(complaints).toEqual([]);
      } finally {
        await chromium.close();
        await site.close();
      }
    });
  });
});
