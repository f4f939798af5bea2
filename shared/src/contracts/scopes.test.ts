import { isAllowed, scopeSchema } from './scopes';
import type { Scope } from './scopes';

const allow = (...actions: string[]): Scope => ({ effect: 'allow', actions });
const deny = (...actions: string[]): Scope => ({ effect: 'deny', actions });

test.each<[string, Scope[], boolean]>([
  ['nothing is allowed by default', [], false],
  ['the action itself', [allow('request:Read')], true],
  ['another action', [allow('request:Create')], false],
  ['another model', [allow('problem:Read')], false],
  ['every model', [allow('*:Read')], true],
  ['every action', [allow('request:*')], true],
  ['all', [allow('request:All')], true],
  ['a deny wins', [allow('*:*'), deny('request:Read')], false],
  ['a deny of something else does not', [allow('*:*'), deny('request:Delete')], true],
  ['in this account', [{ ...allow('request:Read'), account: 'wdc' }], true],
  ['in another account', [{ ...allow('request:Read'), account: 'acme' }], false],
  ['denied in another account', [allow('request:Read'), { ...deny('request:Read'), account: 'acme' }], true],
])('%s', (_name, scopes, expected) => {
  expect(isAllowed(scopes, 'request:Read', 'wdc')).toBe(expected);
});

test.each(['request', 'request:read', 'Request:Read', ':Read', 'request:Read:x'])('%s is no action', (action) => {
  expect(scopeSchema.safeParse(allow(action)).success).toBe(false);
});
