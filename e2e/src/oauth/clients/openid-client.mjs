// openid-client with discovery, PKCE, state, and the check of `iss`.
import * as client from 'openid-client';
import { loginQuery } from './openid-login.mjs';
import { serveApplication, settings } from './web-application.mjs';

serveApplication(async (app, redirectUri) => {
  const { platform, clientId, clientSecret } = settings;
  const options = { algorithm: 'oauth2', execute: [client.allowInsecureRequests] };
  const authentication = client.ClientSecretBasic(clientSecret);
  const config = await client.discovery(new URL(platform), clientId, undefined, authentication, options);

  app.get('/login', async (req, res) => {
    const query = await loginQuery(req.session, redirectUri);
    res.redirect(client.buildAuthorizationUrl(config, query).href);
  });
  app.get('/callback', async (req, res) => {
    const first = await client.authorizationCodeGrant(config, new URL(req.url, redirectUri), req.session.checks);
    res.json({ first, second: await client.refreshTokenGrant(config, first.refresh_token) });
  });
});
