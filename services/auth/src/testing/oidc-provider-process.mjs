// Runs `oidc-provider` in its own process, because it is an ES module. Usage: node oidc-provider-process.mjs <port or
// 0> <JWKS of private keys as JSON> <iss: sent, promised or none> <time of its frozen clock, in milliseconds>. Sends the issuer to its parent once
// it listens.
import { createServer } from 'node:http';
import { mock } from 'node:test';
import { Provider } from 'oidc-provider';

const [, , port = '0', keys = '', iss, time] = process.argv;
mock.timers.enable({ apis: ['Date'], now: Number(time) });
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const callbacks = ['https://client.example/callback'];
// Redirect URIs of the platform have the ids of configurations: its parent sends them when they are known.
const registered = new Set();
process.on('message', (uri) => {
  registered.add(uri);
  process.send('registered');
});
const audience = 'https://itsm.example/api';

/** Many providers do not name themselves in answers (RFC 9207); some promise it only. */
async function withoutIss(context, next) {
  await next();
  if (iss === 'none') delete context.body?.authorization_response_iss_parameter_supported;
  const location = context.response.get('location');
  if (location === '' || !URL.canParse(location)) return;
  const url = new URL(location);
  url.searchParams.delete('iss');
  context.set('location', url.href);
}

const server = createServer().listen(Number(port), '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    jwks: JSON.parse(keys),
    clients: algorithms.map((algorithm) => ({
      client_id: `client-${algorithm}`,
      client_secret: 'a secret of the tests',
      grant_types: ['authorization_code', 'client_credentials'],
      redirect_uris: callbacks,
      id_token_signed_response_alg: algorithm,
    })),
    enabledJWA: { idTokenSigningAlgValues: algorithms },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => false },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: `subject of ${id}`, email: id, email_verified: true }),
    }),
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          audience,
          scope: '',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  const { redirectUriAllowed } = provider.Client.prototype;
  provider.Client.prototype.redirectUriAllowed = function (uri) {
    return registered.has(uri) || redirectUriAllowed.call(this, uri);
  };
  if (iss !== 'sent') provider.use(withoutIss);
  server.on('request', provider.callback());
  process.send({ issuer });
});
