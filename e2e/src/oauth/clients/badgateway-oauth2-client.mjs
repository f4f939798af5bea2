// @badgateway/oauth2-client with discovery, PKCE and state; it chooses the authentication method from the metadata.
import { OAuth2Client, generateCodeVerifier } from '@badgateway/oauth2-client';
import { serveApplication, settings } from './web-application.mjs';

serveApplication((app, redirectUri) => {
  const { platform, clientId, clientSecret } = settings;
  const client = new OAuth2Client({ server: platform, clientId, clientSecret });

  app.get('/login', async (req, res) => {
    const codeVerifier = await generateCodeVerifier();
    req.session.checks = { redirectUri, codeVerifier, state: 'xyz' };
    res.redirect(await client.authorizationCode.getAuthorizeUri(req.session.checks));
  });
  app.get('/callback', async (req, res) => {
    const url = new URL(req.url, redirectUri).href;
    const first = await client.authorizationCode.getTokenFromCodeRedirect(url, req.session.checks);
    const second = await client.refreshToken(first);
    res.json({ first: present(first), second: present(second) });
  });
});

const present = ({ accessToken, refreshToken }) => ({ access_token: accessToken, refresh_token: refreshToken });
