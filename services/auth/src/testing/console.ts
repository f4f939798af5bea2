import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from './browser';
import { answerIn } from './browser';
import { pairIn } from './client';
import type { Auth } from './start-auth';
import { baseUrl } from './start-auth';

export const consoleSecret = 'a secret of the console with forty characters';
export const consoleCallback = `${baseUrl}/console/callback`;

/** The settings for a service with a console. */
export const consoleSettings = { CONSOLE_CLIENT_SECRET: consoleSecret };

const verifier = randomBytes(32).toString('base64url');

/** An authorization request of the console; undefined leaves a member out. */
export const consoleQuery = (more: Readonly<Record<string, string | undefined>> = {}) => ({
  client_id: 'console',
  response_type: 'code',
  redirect_uri: consoleCallback,
  state: 'deep',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  ...more,
});

export const askForConsole = (browser: Browser, more: Readonly<Record<string, string | undefined>> = {}) =>
  browser.get('/oauth/authorize').query(consoleQuery(more));

/** The token request of the console. */
export const redeemForConsole = ({ http }: Auth, code: string, more: object = {}) =>
  http
    .post('/oauth/token')
    .type('form')
    .send({
      grant_type: 'authorization_code',
      client_id: 'console',
      client_secret: consoleSecret,
      code,
      redirect_uri: consoleCallback,
      code_verifier: verifier,
      ...more,
    });

/** An access token of the console for the person who is signed in. */
export async function consoleTokenOf(auth: Auth, browser: Browser): Promise<string> {
  const { code = '' } = answerIn(await askForConsole(browser, { prompt: 'none' }).expect(302));
  return pairIn(await redeemForConsole(auth, code).expect(200)).access_token;
}
