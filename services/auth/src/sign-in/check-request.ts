import { invalidRequest } from '../oauth/oauth-error';
import type { AuthorizationRequest, Query } from './authorization-request';
import { isSent, single } from './authorization-request';
import { stateBytes } from './check-target';
import type { Target } from './check-target';

/** The checks whose failure goes to the application by redirect, in order. */
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
    challenge: checkChallenge(query, target.client.application.pkceRequired),
  };
}

function checkNotRepeated(query: Query): void {
  for (const name of ['response_type', 'state', 'scope', 'code_challenge', 'code_challenge_method']) {
    if (isSent(query, name) && single(query, name) === undefined) throw invalidRequest(`${name} is repeated`);
  }
}

function checkState({ state }: Target): void {
  if (Buffer.byteLength(state ?? '') > stateBytes) throw invalidRequest(`state has more than ${stateBytes} bytes`);
}

const scopeBytes = 4096;

function checkScope(query: Query): string | null {
  const scope = single(query, 'scope') || null;
  if (Buffer.byteLength(scope ?? '') > scopeBytes) throw invalidRequest(`scope has more than ${scopeBytes} bytes`);
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
