import { invalidRequest, OAuthError } from './oauth-error';

/** The members of a token request; an empty value counts as left out (RFC 6749 §3.2). */
export type Parameters = ReadonlyMap<string, string>;

/** Returns the grant; the grant type is checked before everything else. */
export function checkGrantType<G>(body: unknown, grants: ReadonlyMap<string, G>): G {
  const given = isRecord(body) && Object.hasOwn(body, 'grant_type') ? body['grant_type'] : undefined;
  if (given === undefined || given === '') throw invalidRequest('grant_type is missing');
  if (typeof given !== 'string') throw invalidRequest('grant_type must be given once, as a string');
  const grant = grants.get(given);
  if (grant === undefined) throw new OAuthError('unsupported_grant_type', 'This grant_type is not supported');
  return grant;
}

/** Refuses repeated parameters and, in JSON, everything that is not a string. */
export function checkParameters(body: unknown): Parameters {
  const entries = Object.entries(isRecord(body) ? body : {});
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw invalidRequest(`${printable(name)} must be given once, as a string`);
  }
  return new Map(entries.filter((entry): entry is [string, string] => entry[1] !== ''));
}

/** A required parameter; `invalid_request` when it is missing. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw invalidRequest(`${name} is missing`);
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name is untrusted, and `error_description` allows only some of ASCII (RFC 6749 §5.2). */
const printable = (name: string): string => (/^\w{1,64}$/.test(name) ? name : 'A parameter');
