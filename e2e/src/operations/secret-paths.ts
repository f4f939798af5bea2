import { randomBytes } from 'node:crypto';
import { callback } from '../oauth/testing/operator';
import type { Person } from '../oauth/testing/operator';
import { pairIn, redeem, refresh } from '../oauth/testing/tokens';
import { signIn } from '../oauth/testing/visitor';
import type { Answer } from '../oauth/testing/http-client';
import { headersOf, postGraphql } from './calls';
import { audience, startIdentityProvider } from './identity-provider';
import { account } from './scene';
import type { Scene } from './scene';

/** The body of a refusal, with a description. */
export type Refusal = readonly [what: string, answer: Answer];

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const tokenType = 'urn:ietf:params:oauth:token-type:jwt';
const canary = (): string => `canary-${randomBytes(16).toString('hex')}`;

/**
 * Sends secrets of every kind where they belong, and then where they do not: wrong ones, in URLs, in documents, in
 * malformed bodies. Also records secrets that services created; returns every refusal.
 */
export async function sendSecrets(scene: Scene): Promise<readonly Refusal[]> {
  const { platform, http, secrets } = scene;
  const { operator, baseUrl } = platform;
  const note = (...values: readonly string[]): void => values.forEach((value) => secrets.add(value));
  const person = await operator.createPerson(account);
  const application = await operator.createApplication(account);
  const visitor = await signIn(http, baseUrl, person);
  note(visitor.cookie.replace('session=', ''));
  const code = await visitor.authorize(application);
  const pair = pairIn(await redeem(http, baseUrl, application, code));
  const renewed = pairIn(await refresh(http, baseUrl, application, pair.refresh_token));
  note(code, pair.access_token, pair.refresh_token, renewed.access_token, renewed.refresh_token, ...operator.secrets);
  const client = { token: renewed.access_token, account };
  const headers = { ...headersOf(client), 'Content-Type': 'application/json' };
  const post = (path: string, body: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    http.call(`${baseUrl}${path}`, { method: 'POST', headers: { ...headers, ...more }, body });
  const policy = await post('/v1/webhook_policies', JSON.stringify({ name: 'signed', jwt_alg: 'es256' }));
  if (policy.status !== 201) throw new Error(`The policy answered ${policy.status} ${policy.text}`);

  const wrong = {
    password: canary(),
    secret: canary(),
    assertion: `${canary()}.${canary()}.${canary()}`,
    session: canary(),
    userinfo: canary(),
    key: canary(),
    bearer: canary(),
    code: canary(),
    pageLink: canary(),
  };
  note(...Object.values(wrong));
  const credentials = { client_id: application.clientId, client_secret: application.clientSecret };
  const identityToken = await exchangeIdentity(scene, person, note);
  const token = (fields: Readonly<Record<string, string>>): Promise<Answer> =>
    http.form(`${baseUrl}/oauth/token`, fields);
  const uri = `ftp://hook:${wrong.userinfo}@receiver.example/?key=${wrong.key}`;
  const inside = `https://hook:${wrong.userinfo}@10.0.0.1/?key=${wrong.key}`;
  const invalid = `{ me(password: "${wrong.password}") { nothing } }`;
  const calls: Readonly<Record<string, () => Promise<Answer>>> = {
    'a code twice': () => redeem(http, baseUrl, application, code),
    'a refresh token twice': () => refresh(http, baseUrl, application, pair.refresh_token),
    'a wrong client secret': () => token({ ...credentials, client_secret: wrong.secret, grant_type: 'refresh_token' }),
    'a wrong code': () =>
      token({ ...credentials, grant_type: 'authorization_code', code: wrong.code, redirect_uri: callback }),
    'a wrong assertion': () =>
      token({ ...credentials, grant_type: exchange, subject_token: wrong.assertion, subject_token_type: tokenType }),
    'an identity token at the wrong client': () =>
      token({ ...credentials, grant_type: exchange, subject_token: identityToken, subject_token_type: tokenType }),
    'an identity token as a bearer token': () =>
      http.call(`${baseUrl}/v1/webhooks`, { headers: headersOf({ token: identityToken, account }) }),
    'an unknown grant': () => token({ ...credentials, grant_type: wrong.secret }),
    'a wrong bearer token': () =>
      http.call(`${baseUrl}/v1/webhooks`, { headers: headersOf({ token: wrong.bearer, account }) }),
    'a token in the address': () => http.call(`${baseUrl}/v1/webhooks?access_token=${renewed.access_token}`),
    'a token in the path': () => http.call(`${baseUrl}/v1/webhooks/${renewed.access_token}`, { headers }),
    'a wrong session': () => http.call(`${baseUrl}/oauth/profile`, { headers: { Cookie: `session=${wrong.session}` } }),
    'a webhook at ftp': () => post('/v1/webhooks', JSON.stringify({ event: 'request.create', uri })),
    'a webhook inside': () => post('/v1/webhooks', JSON.stringify({ event: 'request.create', uri: inside })),
    'a body that ends too soon': () => post('/v1/webhooks', `{"uri":"${uri}`),
    'a document that is not valid': () => postGraphql(http, baseUrl, client, invalid),
    'a wrong verification': () => http.call(`${baseUrl}/accounts/${account}/webhooks/1/verify?code=${wrong.code}`),
    'a link to a page': () => http.call(`${baseUrl}/accounts/${account}/webhooks/1/page?token=${wrong.pageLink}`),
    'a wrong password': async () => {
      const page = await http.call(`${baseUrl}/oauth/sign-in`);
      const [, formToken = ''] = /name="form_token" value="([\w-]+)"/.exec(page.text) ?? [];
      const session = /session=[\w-]+/.exec(page.headers['set-cookie']?.[0] ?? '')?.[0] ?? '';
      const form = { form_token: formToken, email: person.email, password: wrong.password, next: '' };
      return http.form(`${baseUrl}/oauth/sign-in`, form, { Cookie: session });
    },
  };
  const refusals: Refusal[] = [];
  for (const [what, ask] of Object.entries(calls)) refusals.push([what, await ask()]);
  return refusals;
}

/** A person's ID token, exchanged by a permitted application; the claims match no person here. */
async function exchangeIdentity(
  { platform, http }: Scene,
  { email }: Person,
  note: (...values: readonly string[]) => void,
): Promise<string> {
  const { operator, baseUrl } = platform;
  const provider = await startIdentityProvider();
  const claims = { at_hash: canary(), nonce: canary(), phone_number: canary() };
  const identityToken = await provider.tokenFor(email, claims);
  note(identityToken, ...identityToken.split('.').slice(1), ...Object.values(claims));
  const configuration = { name: 'Provider', issuer: provider.issuer, identifier: 'primary_email' };
  const { id } = await operator.call<{ id: number }>('services.ssoConfigurations.create', account, configuration);
  const application = await operator.createApplication(account);
  note(application.clientSecret);
  await operator.changeApplication(application, { grantTypes: [exchange], ssoConfigurationId: id, audience });
  const answer = await http.form(`${baseUrl}/oauth/token`, {
    client_id: application.clientId,
    client_secret: application.clientSecret,
    grant_type: exchange,
    subject_token: identityToken,
    subject_token_type: tokenType,
  });
  await provider.close();
  if (answer.status !== 200) throw new Error(`The exchange answered ${answer.status} ${answer.text}`);
  const { access_token: accessToken } = pairIn(answer);
  note(accessToken);
  const called = await http.call(`${baseUrl}/v1/webhooks`, { headers: headersOf({ token: accessToken, account }) });
  if (called.status !== 200) throw new Error(`The call after the exchange answered ${called.status} ${called.text}`);
  return identityToken;
}
