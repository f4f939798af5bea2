import type { JsonResult } from '@itsm/shared/outbound/calls/outbound';
import { createProviderDocuments } from './provider-documents';

const issuer = 'https://idp.example';
const right = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };

function endpoints(metadata: object, allowInsecure = false) {
  const fetched = { kind: 'fetched', document: { ...right, ...metadata }, maxAge: undefined } as unknown as JsonResult;
  return createProviderDocuments({ fetchJson: () => Promise.resolve(fetched) }, allowInsecure).endpoints(issuer);
}

test.each([
  ['authorization_endpoint', 'http://idp.example/authorize'],
  ['token_endpoint', 'http://idp.example/token'],
  ['authorization_endpoint', 'javascript:alert(1)'],
  ['authorization_endpoint', '/authorize'],
  ['authorization_endpoint', undefined],
  ['token_endpoint', ['https://idp.example/token']],
])('an %s of %p is refused', async (name, address) => {
  await expect(endpoints({ [name]: address })).rejects.toThrow(/names no https endpoints/);
});

test('https endpoints are taken; http ones only where insecure providers are allowed', async () => {
  const found = {
    authorization: `${issuer}/authorize`,
    token: `${issuer}/token`,
    secretInForm: false,
    namesItself: false,
  };
  expect(await endpoints({})).toEqual(found);
  const authorization = 'http://localhost:8080/authorize';
  expect(await endpoints({ authorization_endpoint: authorization }, true)).toEqual({ ...found, authorization });
  await expect(endpoints({ authorization_endpoint: 'javascript:alert(1)' }, true)).rejects.toThrow(/names no https/);
});
