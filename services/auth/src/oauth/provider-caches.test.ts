import { exportJWK, generateKeyPair } from 'jose';
import { createFindProviderEndpoints } from './provider-endpoints';
import { toProviderKeys } from './provider-key';
import { createProviderKeys } from './provider-keys';

const now = () => new Date('2026-01-01T00:00:00Z');
const quiet = { accountId: 'quiet', issuer: 'https://quiet.example' };
/** More providers than the caches have entries. */
const many = Array.from({ length: 1_200 }, (_none, n) => ({ accountId: 'greedy', issuer: `https://idp-${n}.example` }));

test('the providers of one account do not displace the endpoints of another', async () => {
  const asked: string[] = [];
  const endpoints = (issuer: string) => {
    asked.push(issuer);
    return Promise.resolve({
      authorization: `${issuer}/authorize`,
      token: `${issuer}/token`,
      secretInForm: false,
      namesItself: false,
    });
  };
  const find = createFindProviderEndpoints({ endpoints }, now);
  await find(quiet);
  for (const provider of many) await find(provider);
  expect(await find(quiet)).toMatchObject({ token: 'https://quiet.example/token' });
  expect(asked.filter((issuer) => issuer === quiet.issuer)).toHaveLength(1);
  expect(asked).toHaveLength(many.length + 1);
});

test('nor its keys', async () => {
  const { publicKey } = await generateKeyPair('ES256');
  const keys = toProviderKeys({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] }) ?? [];
  const fetched: string[] = [];
  const documents = {
    discover: (issuer: string) => Promise.resolve(`${issuer}/keys`),
    fetchKeys: (uri: string) => {
      fetched.push(uri);
      return Promise.resolve({ keys, maxAge: undefined });
    },
  };
  const find = createProviderKeys(documents, now);
  await find(quiet, 'k', 'ES256');
  for (const provider of many) await find(provider, 'k', 'ES256');
  expect(await find(quiet, 'k', 'ES256')).toMatchObject({ kid: 'k' });
  expect(fetched.filter((uri) => uri === 'https://quiet.example/keys')).toHaveLength(1);
});
