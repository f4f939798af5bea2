import type { Answer, HttpClient } from './http-client';
import { callback } from './operator';
import type { Application } from './operator';
import { codeVerifier } from './pkce';

export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

export const pairIn = ({ text }: Answer): Pair => JSON.parse(text) as Pair;
export const errorIn = ({ text }: Answer): unknown => (JSON.parse(text) as { error?: unknown }).error;

const credentials = ({ clientId, clientSecret }: Application) => ({
  client_id: clientId,
  client_secret: clientSecret,
});

export const redeem = (http: HttpClient, origin: string, application: Application, code: string): Promise<Answer> =>
  http.form(`${origin}/oauth/token`, {
    ...credentials(application),
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    code_verifier: codeVerifier,
  });

export const refresh = (http: HttpClient, origin: string, application: Application, token: string): Promise<Answer> =>
  http.form(`${origin}/oauth/token`, {
    ...credentials(application),
    grant_type: 'refresh_token',
    refresh_token: token,
  });

const bearer = (token: string, account: string) => ({
  Authorization: `Bearer ${token}`,
  'X-Service-Account': account,
});

/** A GraphQL call that every active token may make. */
export const askMe = (http: HttpClient, gateway: string, token: string, account: string): Promise<Answer> =>
  http.call(`${gateway}/graphql`, {
    method: 'POST',
    headers: { ...bearer(token, account), 'Content-Type': 'application/json' },
    body: '{"query":"{ me { id } }"}',
  });

/** A REST call that needs an administrator's token. */
export const listWebhooks = (http: HttpClient, gateway: string, token: string, account: string): Promise<Answer> =>
  http.call(`${gateway}/v1/webhooks`, { headers: bearer(token, account) });
