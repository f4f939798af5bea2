import { maxTokenLength } from './identity-token';
import { invalidRequest } from './oauth-error';
import { required } from './parameters';
import type { Parameters } from './parameters';

const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** The parameters that can be judged before anything is looked up (spec: OAuth: token exchange request). */
export function checkTokenExchangeRequest(parameters: Parameters): void {
  checkSubjectTokenType(parameters);
  checkSubjectToken(parameters);
  checkRequestedType(parameters);
  checkNoActor(parameters);
}

function checkSubjectTokenType(parameters: Parameters): void {
  if (required(parameters, 'subject_token_type') !== jwtType) {
    throw invalidRequest(`subject_token_type must be ${jwtType}`);
  }
}

function checkSubjectToken(parameters: Parameters): void {
  if (required(parameters, 'subject_token').length > maxTokenLength) {
    throw invalidRequest('subject_token is longer than 16 KB');
  }
}

/** RFC 8693 §2.1: a request for another type of token must not be answered with an access token. */
function checkRequestedType(parameters: Parameters): void {
  if ((parameters.get('requested_token_type') ?? accessTokenType) !== accessTokenType) {
    throw invalidRequest(`requested_token_type must be ${accessTokenType}`);
  }
}

function checkNoActor(parameters: Parameters): void {
  if (parameters.has('actor_token') || parameters.has('actor_token_type')) {
    throw invalidRequest('actor_token is not supported');
  }
}
