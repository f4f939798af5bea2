import { z } from 'zod';

/**
 * `request:Read`: a resource in kebab-case, then Create, Read, Update, Delete, All or `*`; `*:Read` and `request:*` are
 * wildcards.
 */
export type Action = `${string}:${string}`;

export const actionSchema = z.string().regex(/^(\*|[a-z]+(-[a-z]+)*):(\*|Create|Read|Update|Delete|All|Name)$/);

export const scopeSchema = z.strictObject({
  effect: z.enum(['allow', 'deny']),
  actions: z.array(actionSchema).min(1).max(200),
  /** Restricts the scope to this account; absent: every account of the token. */
  account: z.string().optional(),
});
export type Scope = z.infer<typeof scopeSchema>;

/** Whether `scopes` permit `action` in `accountId`: one must allow it, and a deny takes precedence. */
export function isAllowed(scopes: readonly Scope[], action: Action, accountId: string): boolean {
  const matching = scopes.filter(
    (scope) =>
      (scope.account === undefined || scope.account === accountId) &&
      scope.actions.some((given) => covers(given, action)),
  );
  return matching.length > 0 && matching.every((scope) => scope.effect === 'allow');
}

function covers(given: string, wanted: Action): boolean {
  const [givenModel, givenVerb] = given.split(':');
  const [model, verb] = wanted.split(':');
  return (
    (givenModel === '*' || givenModel === model) && (givenVerb === '*' || givenVerb === 'All' || givenVerb === verb)
  );
}
