import { isAction } from '@itsm/shared/contracts/scope-choices';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { narrowScopes } from '../clients/scope-sets';
import { invalidRequest, OAuthError } from './oauth-error';

const scopeBytes = 4096;

const invalidScope = (description: string): OAuthError => new OAuthError('invalid_scope', description);

/**
 * The actions that a `scope` parameter names (RFC 6749 §3.3). What looks like an action and is none is an
 * `invalid_scope`: ignoring it would grant more than was asked for. Words without `:` and `,`, such as those of OpenID
 * Connect, are ignored.
 */
export function namedActions(scope: string | null | undefined): readonly string[] {
  if (scope == null) return [];
  if (Buffer.byteLength(scope) > scopeBytes) throw invalidRequest(`scope has more than ${scopeBytes} bytes`);
  const words = [...new Set(scope.split(' '))].filter((word) => /[:,]/.test(word));
  const wrong = words.find((word) => !isAction(word));
  if (wrong === undefined) return words;
  if (wrong.includes(',')) throw invalidScope('scope has a comma; actions are separated by spaces');
  throw invalidScope(`scope names ${printable(wrong)}, which is no action`);
}

/** The named actions as far as `scopes` allow them, sorted; null for all that they allow, when the parameter names none. */
export function requestedActions(scope: string | null | undefined, scopes: readonly Scope[]): readonly string[] | null {
  const named = namedActions(scope);
  if (named.length === 0) return null;
  const granted = narrowScopes(scopes, named).filter(({ effect }) => effect === 'allow');
  if (granted.length === 0) throw invalidScope('scope names nothing that the application may do');
  return [...new Set(granted.flatMap(({ actions }) => actions))].sort();
}

/** The word is untrusted, and `error_description` allows only some of ASCII (RFC 6749 §5.2). */
const printable = (word: string): string => (/^[\w:*.-]{1,80}$/.test(word) ? word : 'a word with a colon');
