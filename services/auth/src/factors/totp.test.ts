import { codeOf, otpauthUri, stepAt, stepOf, toBase32 } from './totp';

const secret = Buffer.from('12345678901234567890');

// RFC 6238, appendix B: the last six of eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('RFC 6238: at %s seconds the code is %s', (seconds, code) => {
  expect(codeOf(secret, stepAt(new Date(seconds * 1000)))).toBe(code);
});

test('a code is valid in its time step, the one before and the one after', () => {
  const at = new Date(2_000_000_000_000);
  const present = stepAt(at);
  for (const step of [present - 1, present, present + 1]) expect(stepOf(secret, codeOf(secret, step), at)).toBe(step);
  for (const step of [present - 2, present + 2]) expect(stepOf(secret, codeOf(secret, step), at)).toBeUndefined();
  for (const code of ['', '27903', '2790370', 'abcdef', '２７９０３７'])
    expect(stepOf(secret, code, at)).toBeUndefined();
});

// RFC 4648 §10, without padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %s', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded);
});

test('the address of the QR code names issuer, person and secret', () => {
  expect(otpauthUri(secret, 'Service Management', 'ada@a&b.example')).toBe(
    `otpauth://totp/Service%20Management:ada%40a%26b.example?secret=${toBase32(secret)}&issuer=Service%20Management`,
  );
});
