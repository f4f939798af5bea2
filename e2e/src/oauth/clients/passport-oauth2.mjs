// passport with passport-oauth2: state and PKCE in the session, the secret in the body.
import passport from 'passport';
import OAuth2Strategy from 'passport-oauth2';
import { serveApplication, settings } from './web-application.mjs';

serveApplication((app, redirectUri) => {
  const { platform, clientId, clientSecret } = settings;
  const strategy = new OAuth2Strategy(
    {
      authorizationURL: `${platform}/oauth/authorize`,
      tokenURL: `${platform}/oauth/token`,
      clientID: clientId,
      clientSecret,
      callbackURL: redirectUri,
      state: true,
      pkce: true,
    },
    (accessToken, refreshToken, _profile, done) => {
      done(null, { access_token: accessToken, refresh_token: refreshToken });
    },
  );
  passport.use(strategy);
  const authenticate = passport.authenticate('oauth2', { session: false });

  /** passport-oauth2 has no refresh; this uses its inner client, as passport-oauth2-refresh does. */
  const refresh = ({ refresh_token: token }) =>
    new Promise((resolve, reject) => {
      strategy._oauth2.getOAuthAccessToken(token, { grant_type: 'refresh_token' }, (error, access, next) =>
        error ? reject(new Error(JSON.stringify(error))) : resolve({ access_token: access, refresh_token: next }),
      );
    });

  app.get('/login', authenticate);
  app.get('/callback', authenticate, async (req, res) => {
    res.json({ first: req.user, second: await refresh(req.user) });
  });
});
