import fc from 'fast-check';
import { isMasked, maskUri, problemOfUri } from './webhook-uri';

const isReceiverUri = (uri: string, insecure: boolean): boolean => problemOfUri(uri, insecure) === undefined;

test.each([
  'https://receiver.example',
  'https://receiver.example/hook?secret=a%20b',
  'HTTPS://Receiver.Example:8443/hook',
  'https://user:pass@receiver.example/hook',
  'https://93.184.216.34/',
  `https://receiver.example/${'a'.repeat(2_048 - 25)}`,
])('%s can be registered', (uri) => {
  expect(isReceiverUri(uri, false)).toBe(true);
});

test.each([
  '',
  'receiver.example/hook',
  '/hook',
  'ftp://receiver.example/',
  'javascript:alert(1)',
  'https://',
  'https:///receiver.example',
  'https:receiver.example',
  'https:\\\\receiver.example\\hook',
  ' https://receiver.example',
  'https://receiver.example/a b',
  'https://receiver.example/\r\nX: 1',
  'https://receiver.example/#part',
  'https://receiver.example/#',
  'https://receiver.example:99999/',
  'https://[::1/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00:ec2::254]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://0.0.0.0/hook',
  'https://[::]/hook',
  `https://receiver.example/${'a'.repeat(2_048 - 24)}`,
])('%j cannot be registered in any mode', (uri) => {
  expect(isReceiverUri(uri, false)).toBe(false);
  expect(isReceiverUri(uri, true)).toBe(false);
});

test.each([
  'http://receiver.example/hook',
  'https://localhost/hook',
  'https://LOCALHOST.:8443/hook',
  'https://a.localhost/hook',
  'https://127.0.0.1/hook',
  'https://127.1/hook',
  'https://0x7f000001/hook',
  'https://2130706433/hook',
  'https://[::1]/hook',
  'https://receiver.example:6379/',
  'https://[::ffff:127.0.0.1]/hook',
])('%s can be registered in the local mode only', (uri) => {
  expect(isReceiverUri(uri, false)).toBe(false);
  expect(isReceiverUri(uri, true)).toBe(true);
});

test.each([
  ['https://user:secret@host/a@b', 'https://user:***@host/a@b'],
  ['https://user:a@b:c@host/', 'https://user:***@host/'],
  ['https://token@host', 'https://***@host'],
  ['https://user:@host', 'https://user:***@host'],
  ['https://host/?mail=a@b', 'https://host/?mail=a@b'],
  ['https://host?mail=a@b', 'https://host?mail=a@b'],
])('%s is shown as %s', (uri, shown) => {
  expect(maskUri(uri)).toBe(shown);
});

test('a masked address is recognised and no password survives the mask', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9.%@:~-]{4,20}$/);
  fc.assert(
    fc.property(word, word, (user, password) => {
      const uri = `https://${user}:sec-${password}-ret@host.example/`;
      return !maskUri(uri).includes(`sec-${password}-ret`) && isMasked(maskUri(uri)) && !isMasked(uri);
    }),
  );
});

test.each([
  ['ftp://receiver.example/', 'is not a valid https address', 'is not a valid http or https address'],
  [
    'https://10.0.0.1/x',
    'is not a valid https address: its host is not public',
    'is not a valid http or https address: its host is not public',
  ],
  ['https://localhost/', 'is not a valid https address: its host is not public', undefined],
  [
    'https://receiver.example:6379/',
    'is not a valid https address: only the ports 443, 80 and 8443 are called',
    undefined,
  ],
  [
    'https://receiver.example/#a',
    expect.stringMatching(/address: the part from # on never reaches a receiver$/),
    expect.anything(),
  ],
  [
    `https://receiver.example/${'a'.repeat(2_048)}`,
    'is too long (at most 2048 characters)',
    'is too long (at most 2048 characters)',
  ],
])('what is wrong with %.40s is said', (uri, problem, inLocalMode) => {
  expect([problemOfUri(uri, false), problemOfUri(uri, true)]).toEqual([problem, inLocalMode]);
});
