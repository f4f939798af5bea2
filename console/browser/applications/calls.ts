import { config } from '../api/config';
import type { Application } from './documents';
import { tokenExchange } from './texts';

/** The protections of an authorization request: PKCE (RFC 7636) and `state`. */
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

/** A new verifier with its challenge (S256), and a state; created in the browser and sent nowhere else. */
export async function newProof(): Promise<Proof> {
  const verifier = random(32);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(digest)), state: random(12) };
}

export interface Client {
  readonly clientId: string;
  /** Known only until its reader has stored it. */
  readonly secret: string | undefined;
}

/** The authorization URL, where people sign in and authorise the application. */
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

/** Quotes a text for the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const credentials = ({ clientId, secret }: Client): string =>
  secret === undefined ? `-u "${clientId}:$CLIENT_SECRET"` : `-u ${quoted(`${clientId}:${secret}`)}`;

/** A token request that stores the tokens in shell variables, which later calls use. */
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

/** Redeems the code; by default it is read from a shell variable. */
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

/** A sample query that the application's scopes permit. */
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

/** Revokes the refresh token with all tokens derived from it, or an access token alone. */
export const revokeCall = (client: Client, isRefreshable: boolean): string =>
  [
    `curl -s ${config.baseUrl}/oauth/revoke`,
    `  ${credentials(client)}`,
    `  -d "token=$${isRefreshable ? 'REFRESH_TOKEN' : 'ACCESS_TOKEN'}"`,
  ].join(' \\\n');

/** Reads the parameters of the address that the browser was redirected to. */
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
  if (code === null) return { problem: 'It contains no code. Copy the whole address from the address bar.' };
  const returned = query.get('state');
  if (returned !== null && returned !== state)
    return { problem: 'It belongs to another request: its state differs. Open the address of step 1 again.' };
  return { code };
}
