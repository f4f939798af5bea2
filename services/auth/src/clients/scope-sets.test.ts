import type { Scope } from '@itsm/shared/contracts/scopes';
import { isSameScopes, isWithin } from './scope-sets';

const allow = (...actions: string[]): Scope => ({ effect: 'allow', actions });
const deny = (...actions: string[]): Scope => ({ effect: 'deny', actions });
const wdc = (scope: Scope): Scope => ({ ...scope, account: 'wdc' });

test('order, grouping and repetition of scopes do not matter; effect and account do', () => {
  expect(isSameScopes([allow('a:Read', 'b:Read')], [allow('b:Read'), allow('a:Read', 'b:Read')])).toBe(true);
  expect(isSameScopes([allow('a:Read')], [deny('a:Read')])).toBe(false);
  expect(isSameScopes([allow('a:Read')], [wdc(allow('a:Read'))])).toBe(false);
  expect(isSameScopes([allow('a:Read')], [allow('a:Read'), deny('b:Read')])).toBe(false);
});

test.each<[Scope[], Scope[], boolean]>([
  [[allow('a:Read')], [allow('a:Read')], true],
  [[allow('a:Read')], [allow('*:Read')], true],
  [[allow('a:*')], [allow('a:All')], true],
  [[allow('a:*')], [allow('a:Read')], false],
  [[allow('*:Read')], [allow('a:Read')], false],
  [[allow('*:*')], [allow('*:*'), deny('a:Read')], false],
  [[allow('*:*'), deny('a:*')], [allow('*:*'), deny('a:Read')], true],
  [[allow('b:Read')], [allow('*:*'), deny('a:Read')], true],
  [[wdc(allow('a:Read'))], [allow('a:Read')], true],
  [[allow('a:Read')], [wdc(allow('a:Read'))], false],
  [[deny('a:Read')], [], true],
])('%j is within %j: %s', (scopes, limits, within) => {
  expect(isWithin(scopes, limits)).toBe(within);
});
