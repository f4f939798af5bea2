import { isPrivateScheme } from '../clients/redirect-uri';
import { invalidRequest } from '../oauth/oauth-error';
import { namedActions } from '../oauth/requested-scope';
import type { AuthorizationRequest, Query } from './authorization-request';
import { accountIn, isSent, requestParameters, single } from './authorization-request';
import { stateBytes } from './check-target';
import type { Target } from './check-target';

/** Checks whose failure is sent to the application by redirect, in order. */
export function checkRequest(target: Target, query: Query): AuthorizationRequest {
  checkNotRepeated(query);
  checkState(target);
  checkResponseType(query);
  checkGrantType(target);
  return {
    clientId: target.client.token.clientId,
    redirectUri: target.redirectUri,
    state: target.state,
    scope: checkScope(query),
    challenge: checkChallenge(query, isPkceRequired(target)),
    ...checkKey(query),
    ...checkMaxAge(query),
    prompt: checkPrompt(query),
    loginHint: loginHintIn(query),
    account: accountIn(query) ?? null,
  };
}

function checkNotRepeated(query: Query): void {
  for (const name of requestParameters) {
    if (isSent(query, name) && single(query, name) === undefined) throw invalidRequest(`${name} is repeated`);
  }
}

function checkState({ state }: Target): void {
  if (Buffer.byteLength(state ?? '') > stateBytes) throw invalidRequest(`state has more than ${stateBytes} bytes`);
}

function checkScope(query: Query): string | null {
  const scope = single(query, 'scope') || null;
  namedActions(scope);
  return scope;
}

function checkResponseType(query: Query): void {
  if (!single(query, 'response_type')) throw invalidRequest('response_type is missing');
  if (single(query, 'response_type') !== 'code') throw invalidRequest('response_type must be code');
}

function checkGrantType({ client }: Target): void {
  if (!client.application.grantTypes.includes('authorization_code')) {
    throw invalidRequest('The application may not use the authorization code grant');
  }
}

/** A SHA-256 thumbprint in base64url (RFC 9449 §10). */
function checkKey(query: Query): { readonly jkt?: string } {
  const jkt = single(query, 'dpop_jkt') || undefined;
  if (jkt !== undefined && !/^[\w-]{43}$/.test(jkt)) throw invalidRequest('dpop_jkt is malformed');
  return jkt === undefined ? {} : { jkt };
}

function checkMaxAge(query: Query): { readonly maxAge?: number } {
  const given = single(query, 'max_age') ?? '';
  if (given === '') return {};
  if (!/^\d{1,9}$/.test(given)) throw invalidRequest('max_age is no number of seconds');
  return { maxAge: Number(given) };
}

const prompts = ['none', 'login', 'consent', 'select_account'];

/** Unknown values are ignored, as unknown parameters are. */
function checkPrompt(query: Query): readonly string[] {
  const asked = (single(query, 'prompt') ?? '').split(' ').filter((word) => prompts.includes(word));
  if (asked.includes('none') && asked.length > 1) throw invalidRequest('prompt may hold nothing beside none');
  return [...new Set(asked)];
}

/** Only an e-mail address is used, any other hint is ignored. */
function loginHintIn(query: Query): string | null {
  const hint = single(query, 'login_hint');
  return hint !== undefined && hint.length <= 254 && /^\S+@\S+$/.test(hint) ? hint : null;
}

/**
 * RFC 9700 §2.1.1. Every client here authenticates, so that an administrator may exempt an application, as for clients
 * that do not know PKCE. A private-use scheme belongs to an app on a device, whose secret anybody can extract: it always
 * needs PKCE, since another app can claim the scheme and redeem the code.
 */
const isPkceRequired = ({ client, redirectUri }: Target): boolean =>
  client.application.pkceRequired || isPrivateScheme(redirectUri);

/** RFC 7636 §4.3; `plain`, the default there, is not supported. */
function checkChallenge(query: Query, isRequired: boolean): string | null {
  const challenge = single(query, 'code_challenge') || undefined;
  const method = single(query, 'code_challenge_method') || undefined;
  if (challenge === undefined && method === undefined && !isRequired) return null;
  if (challenge === undefined) throw invalidRequest('code_challenge is missing');
  if (method !== 'S256') throw invalidRequest('code_challenge_method must be S256');
  if (!/^[\w-]{43}$/.test(challenge)) throw invalidRequest('code_challenge is malformed');
  return challenge;
}
