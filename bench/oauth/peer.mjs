// oidc-provider with the same four operations, with its state in a map or in the same store as ours. Clients and people
// come from its configuration or, as with ours, from the store on each request; then exchanges are logged there.
import { createLocalJWKSet, jwtVerify } from 'jose';
import { Provider, errors } from 'oidc-provider';
import { answer } from '../measure.mjs';
import { mapAdapter, openDirectory, storeAdapter } from './peer-adapters.mjs';
import { startProvider } from './provider.mjs';

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const redirectUri = 'https://client.example/callback';
const scope = 'api offline_access';
const credentials = { client_id: 'bench', client_secret: 'a-client-secret-of-forty-characters-long' };
/** People in the configuration; nothing is logged. */
const configured = { find: (id) => ({ id }), findByEmail: () => ({ id: 'ada' }), log: () => undefined };
let provider;
let identityProvider;

async function start({ mongodbUrl, adapter, looksUp = false }) {
  identityProvider = await startProvider();
  const { issuer, audience, jwk } = identityProvider;
  const keys = createLocalJWKSet({ keys: [jwk] });
  const client = {
    ...credentials,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', exchange],
    token_endpoint_auth_method: 'client_secret_post',
  };
  const stateIn = adapter === 'map' ? mapAdapter() : await storeAdapter(mongodbUrl);
  const directory = looksUp ? await openDirectory(mongodbUrl) : configured;
  if (looksUp) await stateIn('Client').upsert(credentials.client_id, client);
  provider = new Provider('http://127.0.0.1', {
    adapter: stateIn,
    clients: looksUp ? [] : [client],
    scopes: ['api', 'offline_access'],
    features: { introspection: { enabled: true }, devInteractions: { enabled: false } },
    findAccount: async (_context, id) => {
      const found = await directory.find(id);
      return found && { accountId: id, claims: () => ({ sub: id }) };
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    pkce: { required: () => false },
  });
  provider.on('server_error', (_context, error) => process.stderr.write(`${error.stack}\n`));
  provider.registerGrantType(
    exchange,
    async (context) => {
      const { subject_token: token } = context.oidc.params;
      const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['ES256'] });
      const { client } = context.oidc;
      const person = await directory.findByEmail(payload.email);
      if (!person) throw new errors.InvalidGrant('no person has this address');
      const accessToken = new provider.AccessToken({ accountId: person.id, client, scope: 'api', gty: exchange });
      const [value] = await Promise.all([accessToken.save(), directory.log('token.exchanged', person, client)]);
      context.body = { access_token: value, token_type: 'Bearer', expires_in: 3600 };
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
