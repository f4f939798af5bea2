import type { ServerResponse } from 'node:http';
import { startHttpReceiver } from '@itsm/shared/testing/receiver-kit';
import { claimsFor, exchange, refusedGrant, seedExchange } from '../testing/exchange';
import { json, makeKey, sign, startLocalProvider } from '../testing/local-provider';
import type { Answer, LocalKey, LocalProvider } from '../testing/local-provider';
import type { Auth } from '../testing/start-auth';
import { startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
let key: LocalKey;
const providers: LocalProvider[] = [];
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
  key = await makeKey();
});
afterAll(() => store.close());
afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
});

async function start(answers: Partial<LocalProvider['answers']> = {}) {
  const provider = await startLocalProvider([key]);
  providers.push(provider);
  Object.assign(provider.answers, answers);
  const { application, person } = await seedExchange(auth, { issuer: provider.issuer });
  const token = await sign(key, claimsFor(auth, provider.issuer, person));
  return { provider, attempt: () => exchange(auth, application, token) };
}

async function refuse(attempt: () => ReturnType<typeof exchange>, because: RegExp): Promise<void> {
  const { status, body } = await attempt();
  expect([status, body]).toEqual([400, refusedGrant(because)]);
}

const slow: Answer = (res) => {
  const timer = setInterval(() => res.write(' '), 50);
  res.on('close', () => clearInterval(timer));
};

const redirectTo =
  (location: string): Answer =>
  (res) =>
    res.writeHead(302, { Location: location }).end();

function endless(written: { bytes: number }): Answer {
  return (res: ServerResponse) => {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.write('{"keys":[');
    const chunk = Buffer.alloc(65_536, ' ');
    const write = () => {
      while (written.bytes < 20_000_000 && !res.destroyed && res.write(chunk)) written.bytes += chunk.length;
    };
    res.on('drain', write);
    write();
  };
}

describe.each(['discovery', 'keySet'] as const)('a provider whose %s', (document) => {
  test.each([404, 500, 503])('answers %d is refused', async (status) => {
    const { attempt } = await start({ [document]: (res: ServerResponse) => res.writeHead(status).end('{}') });
    await refuse(attempt, /could not be fetched: The answer has the status/);
  });

  test('never answers is refused', async () => {
    const { attempt } = await start({ [document]: slow });
    await refuse(attempt, /could not be fetched: No answer in time/);
  });

  test('has 20 MB is refused, and most of it is never read', async () => {
    const written = { bytes: 0 };
    const { attempt } = await start({ [document]: endless(written) });
    await refuse(attempt, /larger than 256 KB/);
    expect(written.bytes).toBeLessThan(10_000_000);
  });

  test('redirects is refused, without a call to the other place', async () => {
    const other = await startHttpReceiver((_req, res) => res.end('{}'));
    for (const location of [`http://127.0.0.1:${other.port}/`, 'http://169.254.169.254/latest/meta-data']) {
      const { attempt } = await start({ [document]: redirectTo(location) });
      await refuse(attempt, /status 302/);
    }
    expect(other.connections()).toBe(0);
    await other.close();
  });

  test('is no JSON object is refused', async () => {
    for (const text of ['<html>', '[]', 'null', '']) {
      const { attempt } = await start({ [document]: (res: ServerResponse) => res.end(text) });
      await refuse(attempt, /not a JSON object/);
    }
  });

  test('breaks off is refused', async () => {
    const { attempt } = await start({ [document]: (res: ServerResponse) => void res.destroy() });
    await refuse(attempt, /could not be fetched/);
  });
});

test('a discovery document that names another issuer is refused', async () => {
  const { provider, attempt } = await start();
  for (const issuer of [`${provider.issuer}/`, 'https://other.example', undefined, [provider.issuer]]) {
    provider.answers.discovery = json({ ...provider.metadata, issuer });
    const other = await start();
    other.provider.answers.discovery = json({ ...other.provider.metadata, issuer });
    await refuse(other.attempt, /another issuer/);
  }
  await refuse(attempt, /another issuer/);
});

test.each([
  ['a metadata address', 'http://169.254.169.254/latest/meta-data', /not a public address/],
  ['a private address', 'https://10.0.0.1/keys', /not a public address/],
  ['a private IPv6 address', 'https://[fd00::1]/keys', /not a public address/],
  ['a file', 'file:///etc/passwd', /Only https addresses/],
  ['no address', 'keys', /not a valid URI/],
])('a jwks_uri that is %s is refused', async (_name, jwks_uri, because) => {
  const { provider, attempt } = await start();
  provider.answers.discovery = json({ ...provider.metadata, jwks_uri });
  await refuse(attempt, because);
});

test.each([[undefined], [7], [['https://provider.example/keys']]])('a jwks_uri %j is refused', async (jwks_uri) => {
  const { provider, attempt } = await start();
  provider.answers.discovery = json({ ...provider.metadata, jwks_uri });
  await refuse(attempt, /jwks_uri/);
});

test('a token of a wrong issuer causes no fetch', async () => {
  const { provider } = await start();
  const victim = await start();
  const { application, person } = await seedExchange(auth, { issuer: victim.provider.issuer });
  const token = await sign(key, claimsFor(auth, provider.issuer, person));
  await refuse(() => exchange(auth, application, token), /issuer/);
  expect([provider.calls, victim.provider.calls]).toEqual([
    { discovery: 0, keySet: 0 },
    { discovery: 0, keySet: 0 },
  ]);
});

describe('without ALLOW_INSECURE_PROVIDERS', () => {
  const create = (strict: Auth, issuer: string) =>
    strict.app.services.ssoConfigurations.create('wdc', { name: 'Provider', issuer, identifier: 'primary_email' });

  test('http issuers cannot be configured', async () => {
    const strict = await store.start();
    await expect(create(strict, 'http://127.0.0.1:1/')).rejects.toThrow('Validation Failed');
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['a metadata address', ['169.254.169.254']],
    ['a public and a private address', ['93.184.216.34', '10.0.0.1']],
  ])('an issuer whose name leads to %s is never connected to', async (_name, addresses) => {
    const strict = await store.start({ providerLookup: () => Promise.resolve(addresses) });
    const issuer = 'https://provider.example';
    const { application, person } = await seedExchange(strict, { issuer });
    const response = await exchange(strict, application, await sign(key, claimsFor(strict, issuer, person)));
    expect([response.status, response.body]).toEqual([400, refusedGrant(/not a public address/)]);
  });

  test.each([
    'https://127.0.0.1',
    'https://169.254.169.254',
    'https://2130706433',
    'https://[::1]',
    'https://localhost',
  ])('the issuer %s is never connected to', async (issuer) => {
    const strict = await store.start();
    const { application, person } = await seedExchange(strict, { issuer });
    const response = await exchange(strict, application, await sign(key, claimsFor(strict, issuer, person)));
    expect([response.status, response.body]).toEqual([400, refusedGrant(/not a public address/)]);
  });
});
