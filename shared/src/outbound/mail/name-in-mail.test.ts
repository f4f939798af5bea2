import { hostInMail, nameInMail } from './name-in-mail';

test.each([
  'Ellen Brown',
  'Widget Data Center',
  'Nguyễn Thị Minh Khai',
  'علی‌رضا',
  '👩‍💻 Team',
  'Dr. J. R. Ewing, Jr.',
  'Inventory 2.1',
  'Shift 12:30',
  'O’Neil & Sons (Berlin)',
])('the name %s stays as it is', (name) => {
  expect(nameInMail(name)).toBe(name);
});

test.each([
  ['https://evil.example/login', 'https: evil. example/login'],
  ['HTTP:\\\\evil.example', 'HTTP: evil. example'],
  ['www.evil.example', 'www. evil. example'],
  ['evil.example', 'evil. example'],
  ['evil\u3002example', 'evil. example'],
  ['evil\uff0eexample', 'evil. example'],
  ['evil.\u200bexample', 'evil. example'],
  ['evil.\u200dexample', 'evil. \u200dexample'],
  ['пример.рф', 'пример. рф'],
  ['bücher.xn--p1ai', 'bücher. xn--p1ai'],
  ['http://127.0.0.1/x', 'http: 127. 0. 0. 1/x'],
  ['mailto:eve@evil.example', 'mailto: eve@evil. example'],
  ['tel:+4930123456', 'tel: +4930123456'],
  ['St.Mary', 'St. Mary'],
])('mail programs make no link of %j', (name, shown) => {
  expect(nameInMail(name)).toBe(shown);
});

test.each([
  ['Ellen,\r\n\r\nYour password has expired', 'Ellen, Your password has expired'],
  ['Ellen\u2028Follow\u2029this\u0085link', 'Ellen Follow this link'],
  ['Ellen\u202egnp.exe', 'Ellengnp. exe'],
  ['\u2066a\u2069\ufeff\u00ad', 'a'],
  ['a\u0000b\u001b[31m', 'a b [31m'],
  ['\u202e', '…'],
])('%j is shown as one visible line', (name, shown) => {
  expect(nameInMail(name)).toBe(shown);
});

test('a long name is cut at 60 characters, between code points', () => {
  expect([...nameInMail('n'.repeat(60))]).toHaveLength(60);
  expect(nameInMail('n'.repeat(61))).toBe(`${'n'.repeat(59)}…`);
  expect(nameInMail('😀'.repeat(255))).toBe(`${'😀'.repeat(59)}…`);
});

test('a host is named so that no mail program makes a link of it', () => {
  expect(hostInMail('receiver.example:8443')).toBe('receiver[.]example:8443');
});
