import { loadConfig } from './config';

const env = {
  BASE_URL: 'https://service.example/',
  ACCOUNT_URL: 'https://{account}.service.example/',
  AUTH_URL: 'http://auth:4001/',
  GRAPH_URL: 'http://graph:4002',
  WEBHOOKS_URL: 'http://webhooks:4003',
  WEBHOOK_DELIVERY_URL: 'http://webhook-delivery:4004',
  UI_EXTENSIONS_URL: 'http://ui-extensions:4005',
  INTROSPECTION_SECRET: 'x'.repeat(32),
};

test('loads all settings into one typed object', () => {
  expect(loadConfig({ ...env, ACCOUNT_HEADER_ALIASES: 'X-A, X-B', TRUSTED_PROXIES: '10.0.0.0/8,::1' })).toMatchObject({
    port: 4000,
    baseUrl: 'https://service.example',
    services: { auth: 'http://auth:4001' },
    accountHeaders: ['x-service-account', 'x-a', 'x-b'],
    trustedProxies: ['10.0.0.0/8', '::1'],
    redisUrl: undefined,
  });
});

test('the gateway sends the first of several introspection secrets; none may be short', () => {
  const [next, former] = ['n'.repeat(32), 'f'.repeat(32)];
  expect(loadConfig({ ...env, INTROSPECTION_SECRET: `${next},${former}` }).introspectionSecret).toBe(next);
  expect(() => loadConfig({ ...env, INTROSPECTION_SECRET: `${next},short` })).toThrow(/at least 32 characters/);
});

test.each([
  'wdc',
  'https://itsm.example',
  'https://itsm.example/{account}',
  'https://x.{account}.example',
  'ftp://{account}.example',
])('ACCOUNT_URL %s is refused, since the gateway would not serve it', (address) => {
  expect(() => loadConfig({ ...env, ACCOUNT_URL: address })).toThrow(/ACCOUNT_URL: must be https:/);
});

test('several processes need a shared coordination store', () => {
  const several = { ...env, GATEWAY_PROCESSES: '2' };
  expect(() => loadConfig(several)).toThrow(/GATEWAY_PROCESSES: needs REDIS_URL/);
  expect(loadConfig({ ...several, REDIS_URL: 'redis://redis' }).processes).toBe(2);
  for (const bad of ['0', '1.5', '65', 'auto'])
    expect(() => loadConfig({ ...env, GATEWAY_PROCESSES: bad })).toThrow(/GATEWAY_PROCESSES: must be a whole number/);
});

test('refuses a BASE_URL whose host name an account could take', () => {
  expect(() => loadConfig({ ...env, ACCOUNT_URL: 'https://{account}.example' })).toThrow(
    /BASE_URL: has a name that an account/,
  );
});

test('HOSTS takes names, addresses and ports, and any name without it', () => {
  expect(loadConfig(env).furtherHosts).toEqual(['*']);
  expect(loadConfig({ ...env, HOSTS: 'gateway, [::1]:4000' }).furtherHosts).toEqual(['gateway', '[::1]:4000']);
  for (const bad of ['http://gateway', 'gateway/', 'a b', '::1', 'gateway:x', '*.itsm.example'])
    expect(() => loadConfig({ ...env, HOSTS: bad })).toThrow(/HOSTS: must be names/);
});

test('every bad setting is named', () => {
  const bad = { ...env, GRAPH_URL: '', TRUSTED_PROXIES: '10.0.0.0/33', ACCOUNT_HEADER_ALIASES: 'a b', REDIS_URL: 'x' };
  expect(() => loadConfig(bad)).toThrow(
    /GRAPH_URL: is missing[^]*REDIS_URL: [^]*ACCOUNT_HEADER_ALIASES: [^]*TRUSTED_PROXIES: /,
  );
});
