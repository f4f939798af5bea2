import { createOpaqueToken, digestOf, kindOf } from './opaque-token';

test('a token contains its kind and is unique', () => {
  const tokens = Array.from({ length: 10_000 }, () => createOpaqueToken('at'));
  expect(new Set(tokens).size).toBe(10_000);
  expect(tokens.every((token) => kindOf(token) === 'at')).toBe(true);
});

test('one changed character breaks the checksum', () => {
  const token = createOpaqueToken('pat');
  const at = 20;
  const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
  expect(kindOf(changed)).toBeUndefined();
});

test.each(['', 'itsm_at_', 'itsm_zz_'.padEnd(57, '0'), 'Bearer x', 'a'.repeat(1_000_000)])(
  'junk is no token',
  (text) => {
    expect(kindOf(text)).toBeUndefined();
  },
);

test('the digest is not the token', () => {
  const token = createOpaqueToken('rt');
  expect(digestOf(token)).toMatch(/^[\w-]{43}$/);
  expect(token).not.toContain(digestOf(token));
});
