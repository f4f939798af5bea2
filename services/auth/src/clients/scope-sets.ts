import type { Scope } from '@itsm/shared/contracts/scopes';

/** One action, and the account that it is limited to. */
interface Rule extends Pick<Scope, 'effect' | 'account'> {
  readonly action: string;
}

/** Every rule of `scopes` by itself. */
const rulesOf = (scopes: readonly Scope[]): readonly Rule[] =>
  scopes.flatMap(({ effect, actions, account }) => actions.map((action) => ({ effect, action, account })));

/** Whether both say the same, in whatever order and grouping. */
export function isSameScopes(one: readonly Scope[], other: readonly Scope[]): boolean {
  const keysOf = (scopes: readonly Scope[]) =>
    new Set(rulesOf(scopes).map(({ effect, action, account }) => `${effect} ${action} ${account ?? ''}`));
  const [keys, others] = [keysOf(one), keysOf(other)];
  return keys.size === others.size && [...keys].every((key) => others.has(key));
}

/** Whether everything that `scopes` allow is allowed by `limits` too; in doubt it is not. */
export function isWithin(scopes: readonly Scope[], limits: readonly Scope[]): boolean {
  const [given, allowed] = [rulesOf(scopes), rulesOf(limits)];
  const denied = allowed.filter(({ effect }) => effect === 'deny');
  return given
    .filter(({ effect }) => effect === 'allow')
    .every(
      (rule) =>
        allowed.some((limit) => limit.effect === 'allow' && contains(limit, rule)) &&
        denied.every(
          (limit) => !overlaps(limit, rule) || given.some((own) => own.effect === 'deny' && contains(own, limit)),
        ),
    );
}

/**
 * `scopes` as far as they allow `actions`; all of them for null. What they deny stays denied, and where they are limited
 * to an account they stay so.
 */
export function narrowScopes(
  scopes: readonly Scope[],
  actions: readonly string[] | null | undefined,
): readonly Scope[] {
  if (actions == null) return scopes;
  return scopes.flatMap((scope) => {
    if (scope.effect === 'deny') return [scope];
    const left = [...new Set(scope.actions.flatMap((own) => actions.flatMap((action) => meet(own, action) ?? [])))];
    return left.length > 0 ? [{ ...scope, actions: left }] : [];
  });
}

/** Whether a person who allowed `outer` has allowed `inner` with it; null stands for everything. */
export const includesActions = (
  outer: readonly string[] | null | undefined,
  inner: readonly string[] | null,
): boolean => outer == null || (inner?.every((action) => outer.some((wide) => meet(wide, action) === action)) ?? false);

/** What both actions cover: `*:Read` and `request:*` meet in `request:Read`. */
function meet(one: string, other: string): string | undefined {
  const [[model = '', verb = ''], [otherModel = '', otherVerb = '']] = [one.split(':'), other.split(':')];
  const words = [meetWords(model, otherModel), meetWords(verb, otherVerb)];
  return words.includes(undefined) ? undefined : words.join(':');
}

function meetWords(one: string, other: string): string | undefined {
  if (isAny(one)) return other;
  return isAny(other) || one === other ? one : undefined;
}

const isAny = (word: string): boolean => word === '*' || word === 'All';

/** Whether `outer` covers all that `inner` covers. */
function contains(outer: Rule, inner: Rule): boolean {
  if (outer.account !== undefined && outer.account !== inner.account) return false;
  return pairs(outer, inner).every(([wide, narrow]) => isAny(wide) || wide === narrow);
}

function overlaps(one: Rule, other: Rule): boolean {
  if (one.account !== undefined && other.account !== undefined && one.account !== other.account) return false;
  return pairs(one, other).every(([a, b]) => isAny(a) || isAny(b) || a === b);
}

/** Model with model, verb with verb. */
function pairs(one: Rule, other: Rule): [string, string][] {
  const [a, b] = [one.action.split(':'), other.action.split(':')];
  return a.map((word, index) => [word, b[index] ?? '']);
}

/** The `scope` of RFC 6749 §3.3; undefined for scopes that a list of actions cannot say: denials, and limits to an account. */
export function flatScope(scopes: readonly Scope[]): string | undefined {
  const isFlat = scopes.every(({ effect, account }) => effect === 'allow' && account === undefined);
  return isFlat ? [...new Set(scopes.flatMap(({ actions }) => actions))].join(' ') : undefined;
}
