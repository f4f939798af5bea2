import request from 'supertest';
import type { Response } from 'supertest';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import type { Auth, SeededApplication, SeededPerson } from './start-auth';
import { baseUrl, callback } from './start-auth';

export type Browser = ReturnType<typeof openBrowser>;

/** A browser with cookies that does not follow redirects. */
export const openBrowser = ({ app }: Pick<Auth, 'app'>) => atPublicAddress(request.agent(app.http), baseUrl);

/** The form token of the first form on the page. */
export const formTokenIn = ({ text }: Response): string => /name="form_token" value="([\w-]+)"/.exec(text)?.[1] ?? '';

export async function signIn(browser: Browser, { email, password }: SeededPerson, next = ''): Promise<Response> {
  const page = await browser.get('/oauth/sign-in').query({ next });
  const form = { form_token: formTokenIn(page), email, password, next };
  return browser.post('/oauth/sign-in').type('form').send(form);
}

/** Posts the sign-in form from an address of its own. */
export async function attempt(
  auth: Pick<Auth, 'app'>,
  person: { readonly email: string; readonly password: string },
  ip: string,
  browser = openBrowser(auth),
): Promise<Response> {
  const form_token = formTokenIn(await browser.get('/oauth/sign-in'));
  return browser
    .post('/oauth/sign-in')
    .set('X-Forwarded-For', ip)
    .type('form')
    .send({ form_token, ...person });
}

export async function openSignedIn(auth: Auth, person: SeededPerson): Promise<Browser> {
  const browser = openBrowser(auth);
  await signIn(browser, person);
  return browser;
}

/** A code challenge with an unknown verifier. */
export const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };

export const authorizeQuery = ({ clientId }: SeededApplication, more: Record<string, string | undefined> = {}) =>
  Object.fromEntries(
    Object.entries({ client_id: clientId, response_type: 'code', redirect_uri: callback, ...more }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );

export const locationOf = ({ headers }: Response): string => (headers as Record<string, string>)['location'] ?? '';

/** The query parameters of the redirect to the application. */
export const answerIn = (response: Response): Record<string, string> =>
  Object.fromEntries(new URL(locationOf(response)).searchParams);

/** Opens the consent page and answers it. */
export async function decide(browser: Browser, query: Record<string, string>, decision: string): Promise<Response> {
  const asked = await browser.get('/oauth/authorize').query(query);
  if (!locationOf(asked).startsWith('/oauth/consents/')) return asked;
  const page = await browser.get(locationOf(asked));
  const form = { form_token: formTokenIn(page), decision };
  return browser.post(locationOf(asked)).type('form').send(form);
}

/** Obtains an authorization code; gives the consent if asked. */
export async function obtainCode(
  browser: Browser,
  application: SeededApplication,
  more: Record<string, string> = {},
): Promise<string> {
  return answerIn(await decide(browser, authorizeQuery(application, more), 'allow'))['code'] ?? '';
}
