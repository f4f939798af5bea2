// openid-client with private_key_jwt, DPoP, and a code that is bound to the key of the proofs.
import { webcrypto } from 'node:crypto';
import * as client from 'openid-client';
import { loginQuery } from './openid-login.mjs';
import { serveApplication, settings } from './web-application.mjs';

serveApplication(async (app, redirectUri) => {
  const { platform, clientId } = settings;
  const { kid, ...jwk } = JSON.parse(process.env.CLIENT_KEY);
  const key = await webcrypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  const options = { algorithm: 'oauth2', execute: [client.allowInsecureRequests] };
  const authentication = client.PrivateKeyJwt({ key, kid });
  const config = await client.discovery(new URL(platform), clientId, undefined, authentication, options);
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair(process.env.DPOP_ALGORITHM));

  app.get('/login', async (req, res) => {
    const query = await loginQuery(req.session, redirectUri);
    const dpop_jkt = await DPoP.calculateThumbprint();
    res.redirect(client.buildAuthorizationUrl(config, { ...query, dpop_jkt }).href);
  });
  app.get('/callback', async (req, res) => {
    const address = new URL(req.url, redirectUri);
    const first = await client.authorizationCodeGrant(config, address, req.session.checks, undefined, { DPoP });
    const second = await client.refreshTokenGrant(config, first.refresh_token, undefined, { DPoP });
    const graphql = new URL(process.env.GRAPHQL_URL);
    const headers = { 'Content-Type': 'application/json', 'X-Service-Account': process.env.ACCOUNT };
    const body = JSON.stringify({ query: '{ me { name } }' });
    const answers = [];
    for (const { access_token: token } of [first, second, second]) {
      const sent = new globalThis.Headers(headers);
      const answer = await client.fetchProtectedResource(config, token, graphql, 'POST', body, sent, { DPoP });
      answers.push(await answer.json());
    }
    const asBearer = { ...headers, Authorization: `Bearer ${second.access_token}` };
    const refused = await fetch(graphql, { method: 'POST', body, headers: asBearer });
    const challenge = refused.headers.get('WWW-Authenticate');
    const introspected = await client.tokenIntrospection(config, second.access_token);
    await client.tokenRevocation(config, second.access_token);
    const ended = await client
      .fetchProtectedResource(config, second.access_token, graphql, 'POST', body, new globalThis.Headers(headers), {
        DPoP,
      })
      .then(
        ({ status }) => status,
        ({ status }) => status,
      );
    const jkt = await DPoP.calculateThumbprint();
    res.json({ first, second, answers, refused: [refused.status, challenge], introspected, jkt, ended });
  });
});
