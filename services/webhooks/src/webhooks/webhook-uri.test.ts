import fc from 'fast-check';
import { isMasked, isReceiverUri, maskUri } from './webhook-uri';

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
