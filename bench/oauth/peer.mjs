// oidc-provider doing the same four things, with its state in a map of its own process or in the same store as ours.
import { createLocalJWKSet, jwtVerify } from 'jose';
import { Provider } from 'oidc-provider';
import { answer } from '../measure.mjs';
import { mapAdapter, storeAdapter } from './peer-adapters.mjs';
import { startProvider } from './provider.mjs';

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const redirectUri = 'https://client.example/callback';
const scope = 'api offline_access';
const credentials = { client_id: 'bench', client_secret: 'a-client-secret-of-forty-characters-long' };
let provider;
let identityProvider;

async function start({ mongodbUrl, adapter }) {
  identityProvider = await startProvider();
  const { issuer, audience, jwk } = identityProvider;
  const keys = createLocalJWKSet({ keys: [jwk] });
  provider = new Provider('http://127.0.0.1', {
    adapter: adapter === 'map' ? mapAdapter() : await storeAdapter(mongodbUrl),
    clients: [
      {
        ...credentials,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token', exchange],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    scopes: ['api', 'offline_access'],
    features: { introspection: { enabled: true }, devInteractions: { enabled: false } },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    pkce: { required: () => false },
  });
  provider.on('server_error', (_context, error) => process.stderr.write(`${error.stack}\n`));
  provider.registerGrantType(
    exchange,
    async (context) => {
      const { subject_token: token } = context.oidc.params;
      await jwtVerify(token, keys, { issuer, audience, algorithms: ['ES256'] });
      const accessToken = new provider.AccessToken({
        accountId: 'ada',
        client: context.oidc.client,
        scope: 'api',
        gty: exchange,
      });
      context.body = { access_token: await accessToken.save(), token_type: 'Bearer', expires_in: 3600 };
    },
    ['subject_token', 'subject_token_type'],
  );
  const server = provider.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { token: `${origin}/token`, introspect: `${origin}/token/introspection`, client: credentials, redirectUri };
}

async function codes({ count }) {
  const client = await provider.Client.find(credentials.client_id);
  const grant = new provider.Grant({ accountId: 'ada', clientId: client.clientId });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const issue = () =>
    new provider.AuthorizationCode({
      accountId: 'ada',
      client,
      grantId,
      redirectUri,
      scope,
      gty: 'authorization_code',
    }).save();
  return Promise.all(Array.from({ length: count }, issue));
}

answer({ start, codes, identity: ({ count }) => identityProvider.tokens(count, 'ada@example.com') });
