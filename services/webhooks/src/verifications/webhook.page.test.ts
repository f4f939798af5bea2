import request from 'supertest';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import { accountUrl, baseUrl, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import {
  activeWebhook,
  attemptEnds,
  bodyOf,
  callbackIn,
  open,
  register,
  show,
  publishPerson,
} from '../testing/webhook-steps';

const hour = 60 * 60 * 1_000;

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

async function linkTo(account: string, id: number): Promise<string> {
  const answer = await service.as(account).post(`/v1/webhooks/${id}/page`).expect(201);
  const { url } = bodyOf(answer) as unknown as { url: string };
  expect(answer.headers).toMatchObject({ location: url, 'cache-control': 'no-store' });
  expect(url).toMatch(`${accountUrl(account)}/webhooks/${id}/page?token=`);
  return url;
}

const tokenIn = (link: string): string => new URL(link).searchParams.get('token') ?? '';
const get = (address: string) => atPublicAddress(request(service.app.http), baseUrl).get(address);
const submit = (path: string, form: object, site = 'same-origin') =>
  request(service.app.http).post(path).set('Sec-Fetch-Site', site).type('form').send(form);

test('an administrator opens the page by a link and has the verification sent again with the button', async () => {
  const uri = 'https://user:s3cr3t@receiver.example/hook?key=s3cr3t';
  const { id } = await register(service, 'wdc', { name: '<b>Mirror</b>', uri });
  const [first] = await service.deliveriesOf(id);
  const link = await linkTo('wdc', id);
  const page = await get(link).expect(200);
  expect(page.text).toContain('&lt;b&gt;Mirror&lt;/b&gt;');
  expect(page.text).toContain('https://***@receiver.example/hook?key=***');
  expect(page.text).toContain('>Send the verification again</button>');
  expect(page.text).not.toContain('s3cr3t');
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none';.*frame-ancestors 'none'; form-action 'self'$/,
    ) as string,
  });

  const token = tokenIn(link);
  service.pass(9_999);
  const early = await submit(`/accounts/wdc/webhooks/${id}/resend`, { token }).expect(409);
  expect(early.text).toContain('sent a moment ago');
  service.pass(1);
  const sent = await submit(`/accounts/wdc/webhooks/${id}/resend`, { token }).expect(303);
  expect(sent.headers['location']).toBe(`/accounts/wdc/webhooks/${id}/page?token=${token}&sent=1`);
  expect((await get(`${link}&sent=1`).expect(200)).text).toContain('A new verification message is on its way.');
  const [, second] = await service.deliveriesOf(id, 2);
  expect(second?.body).toMatchObject({ event: 'webhook.verify', person_id: 1, person_name: 'Ada Administrator' });
  await open(service, callbackIn(first)).expect(404);
  await open(service, callbackIn(second)).expect(200);
  const after = await get(link).expect(200);
  expect(after.text).toContain('The address is verified.');
  expect(after.text).not.toContain('<button');
});

test('a webhook that fails is red and says how often, since when and when it would be disabled', async () => {
  const { id } = await activeWebhook(service, 'failing');
  const link = await linkTo('failing', id);
  expect((await get(link).expect(200)).text).toContain('<div class="card good">');
  for (let failure = 0; failure < 5; failure += 1) await attemptEnds(service, 'failing', id);
  const { text } = await get(link).expect(200);
  expect(text).toContain('<div class="card bad">');
  expect(text).toContain('<dt>State</dt><dd>Failing, 5 in a row</dd>');
  expect(text).toContain('The receiver answered with status 500');
  expect(text).toMatch(
    /<dt>Failing since<\/dt><dd><time datetime="[^"]+Z">\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time><\/dd>/,
  );
  expect(text).toMatch(/disabled by a failure after <time datetime="[^"]+Z">\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time>\./);
  await attemptEnds(service, 'failing', id, { outcome: 'delivered', fault: null, status: 200, error: null });
  expect((await get(link).expect(200)).text).toContain('<div class="card good">');
});

test('there is no button, and no resending, when the rules do not allow it', async () => {
  const late = await register(service, 'late');
  service.pass(24 * hour);
  const link = await linkTo('late', late.id);
  expect((await get(link).expect(200)).text).toContain('more than 24 hours ago');
  const refused = await submit(`/accounts/late/webhooks/${late.id}/resend`, { token: tokenIn(link) }).expect(409);
  expect(refused.text).toContain('Only within 24 hours');
  const disabled = await register(service, 'late', { disabled: true });
  expect((await get(await linkTo('late', disabled.id)).expect(200)).text).toContain('called for no event');
  expect(service.deliveries.filter(({ webhookId }) => webhookId === disabled.id)).toEqual([]);
});

test('a form of another site, and one without the token of the page, do nothing', async () => {
  const { id } = await register(service, 'csrf');
  const token = tokenIn(await linkTo('csrf', id));
  const path = `/accounts/csrf/webhooks/${id}/resend`;
  await submit(path, { token }, 'cross-site').expect(403);
  await submit(path, { token }, 'same-site').expect(403);
  await submit(path, {}).expect(404);
  await submit(path, { token: `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}` }).expect(404);
  await submit(`${path}?token=${token}`, {}).expect(404);
  await submit(path, { token: [token, token] }).expect(404);
  await request(service.app.http).post(path).set('Content-Type', 'application/json').send({ token }).expect(404);
  await submit(path, { token, more: 'x'.repeat(20_000) }).expect(413);
  await get(path).expect(405).expect('Allow', 'POST');
  expect(await service.deliveriesOf(id)).toHaveLength(1);
});

test('a link is good for its webhook in its account, for an hour', async () => {
  const { id } = await register(service, 'link');
  const other = await activeWebhook(service, 'link', { uri: 'https://other.example/' });
  const link = await linkTo('link', id);
  await get(link.replace(`/webhooks/${id}/`, `/webhooks/${other.id}/`)).expect(404);
  await get(link.replace('/accounts/link/', '/accounts/wdc/')).expect(404);
  await get(`/accounts/link/webhooks/${id}/page`).expect(404);
  await get(`/accounts/link/webhooks/x/page?token=${tokenIn(link)}`).expect(404);
  await get(`/accounts/link/webhooks/${id}/page?token=${'a'.repeat(3_000)}`).expect(404);
  service.pass(hour - 1);
  await get(link).expect(200);
  service.pass(1);
  expect((await get(link).expect(404)).text).toContain('links work for one hour');
  const fresh = await linkTo('link', other.id);
  await service.as('link').delete(`/v1/webhooks/${other.id}`).expect(204);
  await get(fresh).expect(404);
});

test('a former administrator can no longer open the page; a person not known yet can', async () => {
  const { id } = await register(service, 'lost');
  const link = await linkTo('lost', id);
  await get(link).expect(200);
  await publishPerson(service, 'lost', { id: 1 });
  await get(link).expect(200);
  await publishPerson(service, 'lost', {
    id: 1,
    version: 2,
    roles: { lost: ['specialist'], link: ['account_administrator'] },
  });
  await get(link).expect(404);
  await submit(`/accounts/lost/webhooks/${id}/resend`, { token: tokenIn(link) }).expect(404);
  expect(await service.deliveriesOf(id)).toHaveLength(1);
  await publishPerson(service, 'lost', { id: 1, version: 3 });
  await get(link).expect(200);
  await publishPerson(service, 'lost', { id: 1, version: 4, disabled: true });
  await get(link).expect(404);
  // Restores the role for the other tests, which make links as this person.
  const everywhere = { lost: ['account_administrator' as const], link: ['account_administrator' as const] };
  await publishPerson(service, 'lost', {
    id: 1,
    version: 5,
    roles: { ...everywhere, make: ['account_administrator'] },
  });
});

test('only administrators with the scope make links, of their account only', async () => {
  const webhook = await register(service, 'make');
  const path = `/v1/webhooks/${webhook.id}/page`;
  await service.as('other').post(path).expect(404);
  await service
    .as('make', { accounts: { make: ['specialist'] } })
    .post(path)
    .expect(403);
  await service
    .as('make', { scopes: [{ effect: 'allow', actions: ['webhook:Read'] }] })
    .post(path)
    .expect(403);
  await service.as('make').get(path).expect(405).expect('Allow', 'POST');
  expect(await show(service, 'make', webhook.id)).toEqual(webhook);
});

test('the pages lead to the console and to the profile, and never to a host that an address names', async () => {
  const { id } = await register(service, 'link');
  const { text } = await get(await linkTo('link', id)).expect(200);
  const linksIn = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, address]) => address);
  const base = 'https://api.example';
  const places = [`${base}/`, `${base}/accounts/link`, `${base}/oauth/profile`];
  expect(linksIn(text)).toEqual([...places, `${base}/accounts/link/webhooks/${id}`]);
  const closed = await get(`/accounts/link/webhooks/${id}/page?token=x`).expect(404);
  expect(linksIn(closed.text)).toEqual([...places, `${base}/accounts/link/webhooks`]);
  const hostile = await get(`/accounts/${encodeURIComponent('../..//evil.example')}/webhooks/${id}/page`).expect(404);
  expect(linksIn(hostile.text)).toEqual([`${base}/`, `${base}/`, `${base}/oauth/profile`]);
});
