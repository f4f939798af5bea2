import { readBreachedPasswords, refusalOf } from './password-rules';

const owner = { name: 'Ellen Brown', primaryEmail: 'ellen.brown@wdc.example' };
const lengths = /^Password must have 12 to 256 characters$/;
const guessed = /guessed first/;
const own = /your name, your address, your account or the name of this service/;

test.each([
  ['', lengths],
  ['elevenchars', lengths],
  ['x7'.repeat(129), lengths],
  // An emoji is one character.
  ['😀😁😂🤣😃😄😅😆😉😊😋', lengths],
  ['aaaaaaaaaaaaaaa', /repeats a few characters/],
  ['1212121212121212', /repeats a few characters/],
  ['qwerty123456', guessed],
  ['QWERTY123456', guessed],
  ['1qaz2wsx3edc', guessed],
  ['Administrator', guessed],
  // Suffixes that guessing programs try.
  ['sunshine2026!', guessed],
  ['2026!!password', guessed],
  ['passwordpassword', guessed],
  ['ｑｗｅｒｔｙ１２３４５６', guessed],
  ['ellen.brown@wdc.example', own],
  ['Ellen Brown 2026', own],
  ['EllenBrown!!!1', own],
  ['Service Management 1', own],
  ['itsm-itsm-2026-x', own],
])('%s is refused', (password, reason) => {
  expect(refusalOf(password, owner)).toMatch(reason);
});

test.each([
  'correct horse battery',
  'a few words of mine',
  'xK7#vLq9!mZ2',
  'ellen likes green tea',
  'пароль из трёх слов',
  '😀 seven trees 😀',
  'no digit and no capital letter',
  'x7%Qa9'.repeat(42),
])('%s is a password', (password) => {
  expect(refusalOf(password, owner)).toBeUndefined();
});

test('short names are not removed from the password', () => {
  expect(refusalOf('li and the tall mountain', { name: 'Li', primaryEmail: 'li@a.example' })).toBeUndefined();
});

test('the name of the account is no password of its people', () => {
  const home = { id: 'wdc', name: 'Widget Data Center' };
  for (const password of ['WidgetDataCenter', 'widget data center 1', 'Ellen@Widget-Data!', 'wdcwdc-Widget7'])
    expect([password, refusalOf(password, owner, home)]).toEqual([password, expect.stringMatching(own)]);
  expect(refusalOf('the widget likes green tea', owner, home)).toBeUndefined();
});

test('every breached password that is long enough is refused, and there are more than 3,000 of them', () => {
  const breached = [...readBreachedPasswords()];
  expect(breached.length).toBeGreaterThan(10_000);
  expect(breached.slice(0, 3_000).every((one) => [...one].length >= 12)).toBe(true);
  expect(breached.filter((one) => refusalOf(one, owner) === undefined)).toEqual([]);
  // Not in the list of common passwords.
  for (const one of ['Mailcreated5240', 'mailcreated5240', 'Sojdlg123aljg', 'leavemealone', '2026leavemealone!'])
    expect([one, refusalOf(one, owner)]).toEqual([one, expect.stringMatching(guessed)]);
});
