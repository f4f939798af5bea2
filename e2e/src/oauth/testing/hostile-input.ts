import fc from 'fast-check';

/** A parameter in an attacker's request. */
export type Parameter = readonly [name: string, value: unknown];

const names = [
  'client_id',
  'client_secret',
  'grant_type',
  'code',
  'redirect_uri',
  'refresh_token',
  'code_verifier',
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'iss',
  'response_mode',
  'subject_token',
  'subject_token_type',
  'audience',
  'token',
  'token_type_hint',
  'email',
  'password',
  'account',
  'next',
  'form_token',
  'decision',
];
const twisted = [
  ...names.flatMap((name) => [
    `${name}[]`,
    `${name}[$ne]`,
    `${name}[a][b]`,
    `${name}.x`,
    name.toUpperCase(),
    ` ${name}`,
  ]),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__proto__[client_id]',
  '$where',
  '',
  '\0',
  '*',
];
const strings = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '%',
    '%00',
    '%zz',
    '\r\nSet-Cookie: session=x',
    '../../etc/passwd',
    '{{7*7}}',
    '<script>x</script>',
    'null',
    'true',
    '-1',
    '1e999',
    '9'.repeat(400),
    'a'.repeat(5_000),
    '\u202e',
    '\ud83d\ude00',
    'İ',
    '$ne',
    '[object Object]',
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'password',
    'implicit',
    'code',
    'token',
    'code token',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:ietf:params:oauth:token-type:id_token',
    'S256',
    'plain',
    'access_token',
    'eyJhbGciOiJub25lIn0.e30.',
    'a.b.c',
    '//evil.example',
    'javascript:alert(1)',
    'https://evil.example',
    'http://127.0.0.1:8765/callback/..',
    'http://127.0.0.1@evil.example/callback',
    'http://127.0.0.1:99999/callback',
  ),
);
const structures = fc.oneof(
  fc.constantFrom<unknown[]>({ $ne: null }, { $gt: '' }, { $regex: '.*' }, [], {}, [[]], null, true, 0, -1, 1e308, [
    'a',
    'b',
  ]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Parameters in any order: some valid (from `right`), some repeated, some nested, some random. */
export function parametersLike(right: Readonly<Record<string, string>>, nested: boolean): fc.Arbitrary<Parameter[]> {
  const rightOnes = fc.subarray(Object.entries(right), { minLength: 0 });
  const name = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...Object.keys(right), ...names) },
    { weight: 2, arbitrary: fc.constantFrom(...twisted) },
    { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  );
  const wrong = fc.array(fc.tuple(name, nested ? fc.oneof(strings, structures) : strings), { maxLength: 4 });
  const most = fc.constant(Object.entries(right));
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: most }, { weight: 2, arbitrary: rightOnes }), wrong, fc.boolean())
    .chain(([good, bad, instead]) => {
      const replaced = new Set(bad.map(([parameter]) => parameter));
      const kept = instead ? good.filter(([parameter]) => !replaced.has(parameter)) : good;
      const all: Parameter[] = [...kept, ...bad];
      return fc.shuffledSubarray(all, { minLength: all.length });
    });
}

/** As a query or a form, sometimes with broken escapes. */
export const encoded = (parameters: readonly Parameter[]): string =>
  parameters.map(([name, value]) => `${escaped(name)}=${escaped(textOf(value))}`).join('&');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Keeps `%zz` and the like unescaped, as sloppy clients do. */
const escaped = (text: string): string =>
  /%(zz|00|$)/.test(text)
    ? text.replace(/[^\w%[\]$.-]/g, '_')
    : encodeURIComponent(text.replace(/\p{Surrogate}/gu, '_'));

/** A JSON object, possibly with duplicate members. */
export const asJson = (parameters: readonly Parameter[]): string =>
  `{${parameters.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;

/** Unusual headers. */
export const oddHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Readonly<Record<string, string>>[]>(
      { Authorization: 'Basic' },
      { Authorization: 'Basic !!!!' },
      { Authorization: `Basic ${Buffer.from('no colon').toString('base64')}` },
      { Authorization: `Basic ${Buffer.from('%zz:%').toString('base64')}` },
      { Authorization: `Basic ${Buffer.from(':').toString('base64')}` },
      { Authorization: `Basic ${Buffer.from([255, 254, 58, 0]).toString('base64')}` },
      { Authorization: 'Bearer itsm_at_x' },
      { Authorization: `Basic ${'A'.repeat(6_000)}` },
      { Cookie: 'session=' },
      { Cookie: `session=${'a'.repeat(43)}` },
      { Cookie: 'session=%zz; =; ;;; session' },
      { Accept: 'application/nonsense' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'X-Request-Id': 'a'.repeat(2_000) },
      { 'X-Forwarded-For': "'; drop" },
      { 'X-Forwarded-Proto': 'javascript' },
    ),
  },
);

/** Malformed bodies, with the headers that describe them. */
export const brokenBodies: readonly { headers: Readonly<Record<string, string>>; body: string }[] = [
  { headers: { 'Content-Type': 'application/json' }, body: '{' },
  { headers: { 'Content-Type': 'application/json' }, body: '' },
  { headers: { 'Content-Type': 'application/json' }, body: 'null' },
  { headers: { 'Content-Type': 'application/json' }, body: '"grant_type"' },
  { headers: { 'Content-Type': 'application/json' }, body: '[]' },
  { headers: { 'Content-Type': 'application/json' }, body: `${'['.repeat(20_000)}${']'.repeat(20_000)}` },
  { headers: { 'Content-Type': 'application/json' }, body: `{"a":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}` },
  { headers: { 'Content-Type': 'application/json; charset=nonsense' }, body: '{}' },
  { headers: { 'Content-Type': 'application/json; charset=utf-16' }, body: '{}' },
  { headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, body: '{}' },
  { headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'nonsense' }, body: '{}' },
  { headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=koi8-r' }, body: 'grant_type=x' },
  { headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Encoding': 'br' }, body: 'grant_type=x' },
  { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: `code=${'a'.repeat(1_048_576)}` },
  { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1&'.repeat(10_000) },
  { headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: '--x--' },
  { headers: { 'Content-Type': 'text/plain' }, body: 'grant_type=authorization_code' },
  { headers: { 'Content-Type': '' }, body: 'grant_type=authorization_code' },
  { headers: {}, body: 'grant_type=authorization_code' },
];

/** A new source address each time, where the machine permits it: attempts are throttled by address. */
export const addresses: fc.Arbitrary<Readonly<{ from?: string }>> =
  process.platform === 'linux'
    ? fc.tuple(fc.nat(250), fc.nat(250)).map(([third, fourth]) => ({ from: `127.1.${third}.${fourth + 1}` }))
    : fc.constant({});
