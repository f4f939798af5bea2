import { startPlatform } from '../oauth/testing/platform';
import type { Platform } from '../oauth/testing/platform';
import { httpClientOf } from './http-client';
import type { Access } from './http-client';
import { independentClient } from './independent-client';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(async () => {
  await platform.stop();
  await platform.remove();
});

const administrator = (): Access => ({
  origin: platform.origin,
  token: platform.demo.accounts.wdc.administrator.personal_access_token,
});

/** The token of an application that acts as the administrator. */
async function tokenOfMachine(): Promise<Access> {
  const { origin } = platform;
  const client = httpClientOf(administrator());
  /** The payload of a mutation. */
  const ask = async <T>(query: string, input: object): Promise<T> => {
    const { body } = await client.call('POST', '/graphql', 200, { json: { query, variables: { input } } });
    return Object.values(body['data'] as Record<string, T>)[0]!;
  };
  const { oauthApplication } = await ask<{ readonly oauthApplication: { readonly id: string } }>(
    'mutation ($input: OAuthApplicationCreateInput!) { oauthApplicationCreate(input: $input) { oauthApplication { id } errors { path message } } }',
    {
      name: 'Machine',
      grantTypes: ['client_credentials'],
      actsAsPersonId: String((await client.get('/v1/me')).body['id']),
      scopes: [{ effect: 'allow', actions: ['me:Name', '*:Read', '*:Create', '*:Update', '*:Delete'] }],
    },
  );
  interface Made {
    readonly clientSecret: string;
    readonly oauthApplicationToken: { readonly clientId: string };
  }
  const made = await ask<Made>(
    'mutation ($input: OAuthApplicationTokenCreateInput!) { oauthApplicationTokenCreate(input: $input) { clientSecret oauthApplicationToken { clientId } errors { path message } } }',
    { applicationId: oauthApplication.id },
  );
  const form = {
    grant_type: 'client_credentials',
    client_id: made.oauthApplicationToken.clientId,
    client_secret: made.clientSecret,
  };
  const answer = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { origin, token };
}

describe('with a personal access token', () => independentClient(() => Promise.resolve(administrator())));

describe('with a token of client credentials', () => independentClient(tokenOfMachine));
