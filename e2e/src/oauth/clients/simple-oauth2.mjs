// simple-oauth2 with state; it has no discovery, leaves PKCE to the application, and authenticates by HTTP Basic.
import { createHash, randomBytes } from 'node:crypto';
import { AuthorizationCode } from 'simple-oauth2';
import { serveApplication, settings } from './web-application.mjs';

serveApplication((app, redirectUri) => {
  const { platform, clientId, clientSecret } = settings;
  const client = new AuthorizationCode({
    client: { id: clientId, secret: clientSecret },
    auth: { tokenHost: platform, tokenPath: '/oauth/token', authorizePath: '/oauth/authorize' },
  });

  const verifier = randomBytes(32).toString('base64url');
  app.get('/login', (_req, res) => {
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const pkce = { code_challenge, code_challenge_method: 'S256' };
    res.redirect(client.authorizeURL({ redirect_uri: redirectUri, state: 'a state / with + & = ü', ...pkce }));
  });
  app.get('/callback', async (req, res) => {
    if (req.query.state !== 'a state / with + & = ü') throw new Error(`state came back as ${req.query.state}`);
    const first = await client.getToken({
      code: req.query.code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    res.json({ first: first.token, second: (await first.refresh()).token });
  });
});
