// simple-oauth2 with state; it knows neither discovery nor PKCE, and authenticates with HTTP Basic.
import { AuthorizationCode } from 'simple-oauth2';
import { serveApplication, settings } from './web-application.mjs';

serveApplication((app, redirectUri) => {
  const { platform, clientId, clientSecret } = settings;
  const client = new AuthorizationCode({
    client: { id: clientId, secret: clientSecret },
    auth: { tokenHost: platform, tokenPath: '/oauth/token', authorizePath: '/oauth/authorize' },
  });

  app.get('/login', (_req, res) => {
    res.redirect(client.authorizeURL({ redirect_uri: redirectUri, state: 'a state / with + & = ü' }));
  });
  app.get('/callback', async (req, res) => {
    if (req.query.state !== 'a state / with + & = ü') throw new Error(`state came back as ${req.query.state}`);
    const first = await client.getToken({ code: req.query.code, redirect_uri: redirectUri });
    res.json({ first: first.token, second: (await first.refresh()).token });
  });
});
