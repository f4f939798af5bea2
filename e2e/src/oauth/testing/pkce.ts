import { createHash } from 'node:crypto';

/**
 * One verifier for all codes of the tests (RFC 7636 §4.1), and its challenge as parameters of an authorization request.
 */
export const codeVerifier = 'a-verifier-of-the-tests-with-more-than-43-characters';
export const challenge = {
  code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
  code_challenge_method: 'S256',
};
