import type { Scope } from '@itsm/shared/contracts/scopes';

/** The `scope` of RFC 6749 §3.3; undefined for scopes that a list of actions cannot say: denials, and limits to an account. */
export function flatScope(scopes: readonly Scope[]): string | undefined {
  const isFlat = scopes.every(({ effect, account }) => effect === 'allow' && account === undefined);
  return isFlat ? [...new Set(scopes.flatMap(({ actions }) => actions))].join(' ') : undefined;
}
