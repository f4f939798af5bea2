import { config } from '../api/config';
import type { Application } from './documents';
import { tokenExchange } from './texts';

/** What makes an authorization request safe: RFC 7636 (PKCE) and the state. */
export interface Proof {
  readonly verifier: string;
  readonly challenge: string;
  readonly state: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const random = (bytes: number): string => base64url(crypto.getRandomValues(new Uint8Array(bytes)));

/** A fresh verifier with its challenge (S256), and a state; made in this browser and sent nowhere else. */
export async function newProof(): Promise<Proof> {
  const verifier = random(32);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(digest)), state: random(12) };
}

export interface Client {
  readonly clientId: string;
  /** Known for as long as its reader has not stored it. */
  readonly secret: string | undefined;
}

/** Where people are sent to sign in and to allow the application. */
export function authorizeAddress({ clientId }: Client, redirectUri: string, { challenge, state }: Proof): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return `${config.baseUrl}/oauth/authorize?${query.toString()}`;
}

/** Text in a shell, as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const credentials = ({ clientId, secret }: Client): string =>
  secret === undefined ? `-u "${clientId}:$CLIENT_SECRET"` : `-u ${quoted(`${clientId}:${secret}`)}`;

/** A token call that leaves the tokens in variables of the shell, where the calls after it find them. */
function tokenCall(client: Client, members: readonly string[], isRefreshable: boolean): string {
  const call = [`curl -s ${config.baseUrl}/oauth/token`, ...[credentials(client), ...members].map((one) => `  ${one}`)];
  const pick = (name: string, member: string): string =>
    `${name}=$(echo "$ANSWER" | sed -E 's/.*"${member}":"([^"]+)".*/\\1/')`;
  return [
    `ANSWER=$(${call.join(' \\\n')})`,
    'echo "$ANSWER"',
    pick('ACCESS_TOKEN', 'access_token'),
    ...(isRefreshable ? [pick('REFRESH_TOKEN', 'refresh_token')] : []),
  ].join('\n');
}

/** Redeems the code; without one it is taken from the shell. */
export const codeCall = (
  client: Client,
  {
    redirectUri,
    verifier,
    code,
    isRefreshable,
  }: {
    readonly redirectUri: string;
    readonly verifier: string;
    readonly code: string | undefined;
    readonly isRefreshable: boolean;
  },
): string =>
  tokenCall(
    client,
    [
      '-d grant_type=authorization_code',
      `--data-urlencode ${code === undefined ? '"code=$CODE"' : quoted(`code=${code}`)}`,
      `--data-urlencode ${quoted(`redirect_uri=${redirectUri}`)}`,
      `-d code_verifier=${verifier}`,
    ],
    isRefreshable,
  );

export const refreshCall = (client: Client): string =>
  tokenCall(client, ['-d grant_type=refresh_token', '-d "refresh_token=$REFRESH_TOKEN"'], true);

export const serviceCall = (client: Client): string => tokenCall(client, ['-d grant_type=client_credentials'], false);

export const exchangeCall = (client: Client): string =>
  tokenCall(
    client,
    [
      `-d grant_type=${tokenExchange}`,
      '-d subject_token_type=urn:ietf:params:oauth:token-type:jwt',
      '-d "subject_token=$ID_TOKEN"',
    ],
    false,
  );

/** Something to ask with the token, that the application may ask. */
export function firstCall(account: string, scopes: Application['scopes']): string {
  const allowed = scopes.filter(({ effect }) => effect === 'allow').flatMap(({ actions }) => actions);
  const reads = (model: string): boolean =>
    [`${model}:Read`, `${model}:*`, `${model}:All`, '*:Read', '*:*', '*:All'].some((action) =>
      allowed.includes(action),
    );
  const fields = [
    ...(allowed.some((action) => /^(me:|\*:(\*|All)$)/.test(action)) ? ['me { name }'] : []),
    ...(reads('request') ? ['requests(first: 3) { nodes { subject status } }'] : []),
    ...(reads('webhook') && !reads('request') ? ['webhooks(first: 3) { nodes { name state } }'] : []),
  ];
  const query = `{ ${fields.length === 0 ? '__typename' : fields.join(' ')} }`;
  return [
    `curl -s ${config.baseUrl}/graphql \\`,
    '  -H "Authorization: Bearer $ACCESS_TOKEN" \\',
    `  -H 'X-Service-Account: ${account}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(JSON.stringify({ query }))}`,
  ].join('\n');
}

/** Ends the tokens: the refresh token with everything that came of it, an access token alone. */
export const revokeCall = (client: Client, isRefreshable: boolean): string =>
  [
    `curl -s ${config.baseUrl}/oauth/revoke`,
    `  ${credentials(client)}`,
    `  -d "token=$${isRefreshable ? 'REFRESH_TOKEN' : 'ACCESS_TOKEN'}"`,
  ].join(' \\\n');

/** What the address says that the browser came back to. */
export function readReturn(
  text: string,
  state: string,
): { readonly code: string } | { readonly problem: string } | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const query = new URLSearchParams(trimmed.includes('?') ? trimmed.slice(trimmed.indexOf('?') + 1) : '');
  const error = query.get('error');
  if (error !== null)
    return { problem: `${query.get('error_description') ?? error} (${error}). Open the first address again.` };
  const code = query.get('code') ?? (/^itsm_ac_\w+$/.test(trimmed) ? trimmed : null);
  if (code === null) return { problem: 'There is no code in it. Copy the whole address from the address bar.' };
  const returned = query.get('state');
  if (returned !== null && returned !== state)
    return { problem: 'It answers another request: its state is a different one. Open the address of step 1 again.' };
  return { code };
}
