import type { Scope } from '@itsm/shared/contracts/scopes';

/** One action of a scope, with effect and account. */
interface Rule extends Pick<Scope, 'effect' | 'account'> {
  readonly action: string;
}

/** Splits `scopes` into one rule per action. */
const rulesOf = (scopes: readonly Scope[]): readonly Rule[] =>
  scopes.flatMap(({ effect, actions, account }) => actions.map((action) => ({ effect, action, account })));

/** Whether both are equivalent, regardless of order and grouping. */
export function isSameScopes(one: readonly Scope[], other: readonly Scope[]): boolean {
  const keysOf = (scopes: readonly Scope[]) =>
    new Set(rulesOf(scopes).map(({ effect, action, account }) => `${effect} ${action} ${account ?? ''}`));
  const [keys, others] = [keysOf(one), keysOf(other)];
  return keys.size === others.size && [...keys].every((key) => others.has(key));
}

/** Whether `limits` allow everything that `scopes` allow. Conservative: false when in doubt. */
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

/** The part of `scopes` that allows `actions`; all of them for null. Denials and account limits are kept. */
export function narrowScopes(
  scopes: readonly Scope[],
  actions: readonly string[] | null | undefined,
): readonly Scope[] {
  if (actions == null) return scopes;
  return scopes.flatMap((scope) => {
    if (scope.effect === 'deny') return [scope];
    const left = [
      ...new Set(scope.actions.flatMap((own) => actions.flatMap((action) => intersect(own, action) ?? []))),
    ];
    return left.length > 0 ? [{ ...scope, actions: left }] : [];
  });
}

/** Whether the actions `outer` include the actions `inner`; null stands for all actions. */
export const includesActions = (
  outer: readonly string[] | null | undefined,
  inner: readonly string[] | null,
): boolean =>
  outer == null || (inner?.every((action) => outer.some((wide) => intersect(wide, action) === action)) ?? false);

/** The intersection of two actions: of `*:Read` and `request:*` it is `request:Read`. */
function intersect(one: string, other: string): string | undefined {
  const [[model = '', verb = ''], [otherModel = '', otherVerb = '']] = [one.split(':'), other.split(':')];
  const words = [intersectWords(model, otherModel), intersectWords(verb, otherVerb)];
  return words.includes(undefined) ? undefined : words.join(':');
}

function intersectWords(one: string, other: string): string | undefined {
  if (isAny(one)) return other;
  return isAny(other) || one === other ? one : undefined;
}

const isAny = (word: string): boolean => word === '*' || word === 'All';

/** Whether the rule `outer` covers the rule `inner`. */
function contains(outer: Rule, inner: Rule): boolean {
  if (outer.account !== undefined && outer.account !== inner.account) return false;
  return pairs(outer, inner).every(([wide, narrow]) => isAny(wide) || wide === narrow);
}

function overlaps(one: Rule, other: Rule): boolean {
  if (one.account !== undefined && other.account !== undefined && one.account !== other.account) return false;
  return pairs(one, other).every(([a, b]) => isAny(a) || isAny(b) || a === b);
}

/** Pairs the parts of two actions: model with model, verb with verb. */
function pairs(one: Rule, other: Rule): [string, string][] {
  const [a, b] = [one.action.split(':'), other.action.split(':')];
  return a.map((word, index) => [word, b[index] ?? '']);
}

/** The `scope` value of RFC 6749 §3.3; undefined for scopes that a list of actions cannot express: denials and account limits. */
export function flatScope(scopes: readonly Scope[]): string | undefined {
  const isFlat = scopes.every(({ effect, account }) => effect === 'allow' && account === undefined);
  return isFlat ? [...new Set(scopes.flatMap(({ actions }) => actions))].join(' ') : undefined;
}
