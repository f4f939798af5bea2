import { hostNames } from '@itsm/shared/api/identity/account-id';
import { createHosts, isBaseTaken, targetAt } from './hosts';

const placeOf = createHosts({
  baseUrl: 'https://au.itsm.example',
  accountUrl: 'https://{account}.au.itsm.example',
});

test.each([
  ['au.itsm.example', { kind: 'platform' }],
  ['AU.itsm.example:443', { kind: 'platform' }],
  ['au.itsm.example.', { kind: 'platform' }],
  ['api.au.itsm.example', { kind: 'platform' }],
  ['graphql.au.itsm.example', { kind: 'graphql' }],
  ['oauth.au.itsm.example', { kind: 'oauth' }],
  ['OAuth.AU.itsm.example.:443', { kind: 'oauth' }],
  ['wdc.au.itsm.example', { kind: 'account', account: 'wdc' }],
  ['WDC.au.itsm.example:8443', { kind: 'account', account: 'wdc' }],
  ['wdc.au.itsm.example.', { kind: 'account', account: 'wdc' }],
  ['www.au.itsm.example', { kind: 'nobody' }],
  ['docs.au.itsm.example', { kind: 'nobody' }],
  ['a.b.au.itsm.example', { kind: 'nobody' }],
  ['.au.itsm.example', { kind: 'nobody' }],
  ['-.au.itsm.example', { kind: 'nobody' }],
  ['wdc%2f.au.itsm.example', { kind: 'nobody' }],
  ['wdcau.itsm.example', { kind: 'platform' }],
  ['wdc.uk.itsm.example', { kind: 'platform' }],
  ['gateway', { kind: 'platform' }],
  ['gateway.itsm-production-au.svc:4000', { kind: 'platform' }],
  ['localhost:4000', { kind: 'platform' }],
  ['10.1.2.3:4000', { kind: 'platform' }],
  ['[::1]:4000', { kind: 'platform' }],
  ['[fd00::1]', { kind: 'platform' }],
  ['', { kind: 'platform' }],
  [undefined, { kind: 'platform' }],
])('the host %s stands for %j', (host, place) => {
  expect(placeOf(host)).toEqual(place);
});

test("when accounts are paths, the platform's hosts are below the host of BASE_URL", () => {
  const local = createHosts({
    baseUrl: 'http://localhost:4000',
    accountUrl: 'http://localhost:4000/accounts/{account}',
  });
  expect(local('graphql.localhost:4000')).toEqual({ kind: 'graphql' });
  expect(local('wdc.localhost:4000')).toEqual({ kind: 'account', account: 'wdc' });
  expect(local('127.0.0.1:4000')).toEqual({ kind: 'platform' });
});

test('the domain of accounts may differ from the host of BASE_URL, whose name no account can take', () => {
  const accountUrl = 'https://{account}.itsm.example:8443';
  const addresses = { baseUrl: 'https://www.itsm.example', accountUrl };
  expect(createHosts(addresses)('www.itsm.example')).toEqual({ kind: 'platform' });
  expect(createHosts(addresses)('wdc.itsm.example:8443')).toEqual({ kind: 'account', account: 'wdc' });
  expect(isBaseTaken(addresses)).toBe(false);
  expect(isBaseTaken({ baseUrl: 'https://itsm.example', accountUrl })).toBe(false);
  expect(isBaseTaken({ baseUrl: 'https://service.elsewhere.example', accountUrl })).toBe(false);
  expect(isBaseTaken({ baseUrl: 'https://service.itsm.example', accountUrl })).toBe(true);
});

test('reserved host names are not accounts', () => {
  for (const name of hostNames) expect(placeOf(`${name}.au.itsm.example`).kind).not.toBe('account');
});

test.each([
  [{ kind: 'platform' }, '/v1/webhooks', '/v1/webhooks'],
  [{ kind: 'graphql' }, '/', '/graphql'],
  [{ kind: 'graphql' }, '/?query=x', '/graphql?query=x'],
  [{ kind: 'graphql' }, '/graphql/', '/graphql/'],
  [{ kind: 'oauth' }, '/token', '/oauth/token'],
  [{ kind: 'oauth' }, '/authorize?client_id=x', '/oauth/authorize?client_id=x'],
  [{ kind: 'oauth' }, '/oauth/token', '/oauth/token'],
  [{ kind: 'oauth' }, '/oauthx', '/oauth/oauthx'],
  [{ kind: 'oauth' }, '/', '/'],
  [{ kind: 'oauth' }, '/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server'],
  [{ kind: 'account', account: 'wdc' }, '/webhooks/1/verify?code=x', '/accounts/wdc/webhooks/1/verify?code=x'],
  [{ kind: 'account', account: 'wdc' }, '/accounts/acme/webhooks/1', '/accounts/wdc/accounts/acme/webhooks/1'],
  [{ kind: 'account', account: 'wdc' }, '/graphql', '/accounts/wdc/graphql'],
  [{ kind: 'nobody' }, '/', undefined],
] as const)('at %j the target %s is %s', (place, target, meant) => {
  expect(targetAt(place, target)).toBe(meant);
});
