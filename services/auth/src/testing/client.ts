import type { Auth, SeededApplication } from './start-auth';
import { callback, introspectionSecret } from './start-auth';

export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A token request of the application; members of `more` replace or, when undefined, remove the usual ones. */
export const requestToken = ({ http }: Auth, application: SeededApplication, more: object) =>
  http
    .post('/oauth/token')
    .type('form')
    .send({ client_id: application.clientId, client_secret: application.clientSecret, ...more });

export const redeem = (auth: Auth, application: SeededApplication, code: string, more: object = {}) =>
  requestToken(auth, application, { grant_type: 'authorization_code', code, redirect_uri: callback, ...more });

export const refresh = (auth: Auth, application: SeededApplication, token: string, more: object = {}) =>
  requestToken(auth, application, { grant_type: 'refresh_token', refresh_token: token, ...more });

export const bodyIn = ({ body }: { body: unknown }): unknown => body;

export const pairIn = ({ body }: { body: unknown }): Pair => body as Pair;

export const introspect = async ({ http }: Auth, token: string) => {
  const response = await http
    .post('/internal/introspect')
    .set('Authorization', `Bearer ${introspectionSecret}`)
    .send({ token })
    .expect(200);
  const answer = response.body as {
    active: boolean;
    /** The one for auth itself. */
    caller_token: string;
    caller_tokens: Record<string, string>;
    claims: Record<string, unknown>;
    limit_key: string;
    accounts: string[];
  };
  return answer.active ? { ...answer, caller_token: answer.caller_tokens['auth'] ?? '' } : answer;
};
