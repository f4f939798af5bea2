import { createServer } from 'node:http';
import { SignJWT, generateKeyPair } from 'jose';
import { from, workers } from './attack.mjs';

/** What is asked of one provider is remembered for a while. An account may have a hundred, the three rows together. */
const configurations = 30;
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const audience = 'https://greedy.example';

/**
 * One server is all providers, each below a path of its own. It answers only the documents whose names are in
 * `answered`, and leaves everything else waiting.
 */
async function startProviders(answered) {
  let note = () => undefined;
  let origin = '';
  const server = createServer((req, res) => {
    const [, provider, document] = /^(\/\d+)\/(.*)$/.exec(req.url);
    const name = document.split('/').at(-1);
    if (!answered.includes(name)) return note('calls that hang');
    const issuer = `${origin}${provider}`;
    res.setHeader('Content-Type', 'application/json').end(
      JSON.stringify({
        issuer,
        jwks_uri: `${issuer}/keys`,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
      }),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  const stop = () => (server.closeAllConnections(), server.close());
  return { issuerOf: (n) => `${origin}/${n}`, stop, noteBy: (count) => (note = count) };
}

/** `prepare` returns the work of one turn with the configurations. */
const hanging = (answered, prepare) => async (platform) => {
  const provider = await startProviders(answered);
  const made = [];
  for (let n = 0; n < configurations; n += 1)
    made.push(
      await platform.operator.call('services.ssoConfigurations.create', 'greedy', {
        name: `Provider ${n} at ${provider.issuerOf(n)}`,
        issuer: provider.issuerOf(n),
        identifier: 'primary_email',
        clientId: audience,
        clientSecret: 'a secret of the greedy',
      }),
    );
  const attack = workers(60, await prepare(platform, made));
  return async (signal, count) => {
    provider.noteBy(count);
    await attack(signal, count);
    provider.stop();
    for (const { id } of made)
      await platform.operator.call('services.ssoConfigurations.update', 'greedy', id, { disabled: true });
  };
};

const addressOf = (turn) => from(`198.51.100.${1 + (turn % 200)}`);

const begin = ({ baseUrl, call }, { id }, turn, signal) =>
  call(`${baseUrl}/oauth/sign-in/provider/${id}?account=greedy`, { headers: addressOf(turn), signal });

/** A sign-in that comes back with a code. */
const come = (platform, made) => async (turn, signal) => {
  const { baseUrl, call } = platform;
  const configuration = made[turn % made.length];
  const begun = await begin(platform, configuration, turn, signal);
  if (begun.status !== 303) return begun;
  const state = new URL(begun.headers.location).searchParams.get('state');
  const cookie = (begun.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
  const query = new URLSearchParams({ code: `code${turn}`, state });
  return call(`${baseUrl}/oauth/sign-in/provider/${configuration.id}/callback?${query}`, {
    headers: { ...addressOf(turn), Cookie: cookie },
    signal,
  });
};

/** An application for each provider, and identity tokens with keys that were never seen. */
async function exchange({ baseUrl, call, operator }, made) {
  const { privateKey } = await generateKeyPair('ES256');
  const scopes = [{ effect: 'allow', actions: ['*:*'] }];
  const applications = [];
  for (const { id } of made) {
    const input = {
      accountId: 'greedy',
      name: `Exchange ${id}`,
      grantTypes: [tokenExchange],
      redirectUris: [],
      scopes,
      audience,
    };
    applications.push(await operator.call('operator.ensureApplication', { ...input, ssoConfigurationId: id }));
  }
  return async (turn, signal) => {
    const at = turn % made.length;
    const { clientId, clientSecret } = applications[at];
    const token = await new SignJWT({ email: `nobody${turn}@greedy.example`, email_verified: true })
      .setProtectedHeader({ alg: 'ES256', kid: `key ${turn}`, typ: 'JWT' })
      .setIssuer(made[at].issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    return call(`${baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { ...addressOf(turn), 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: tokenExchange,
        client_id: clientId,
        client_secret: clientSecret,
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        subject_token: token,
      }).toString(),
      signal,
    });
  };
}

export const providers = {
  'sign-ins at providers that do not answer': hanging(
    [],
    (platform, made) => (turn, signal) => begin(platform, made[turn % made.length], turn, signal),
  ),
  'sign-ins whose code no provider redeems': hanging(['openid-configuration'], come),
  'token exchanges with keys that no provider sends': hanging(['openid-configuration'], exchange),
};
