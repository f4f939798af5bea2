import fc from 'fast-check';
import { parseNodeId, parseRecordId, toNodeId } from './node-id';

const domain = 'service.example';

test('a node id is unpadded base64url of domain, type and id', () => {
  expect(toNodeId(domain, 'Request', 70451)).toBe(Buffer.from('service.example/Request/70451').toString('base64url'));
  expect(parseNodeId(domain, toNodeId(domain, 'Request', 70451))).toEqual({ type: 'Request', id: '70451' });
});

test.each([
  ['another domain', toNodeId('other.example', 'Request', 1)],
  ['padding', `${toNodeId(domain, 'Request', 1)}=`],
  ['text that is no base64url', 'a b/c'],
  ['no type', Buffer.from(`${domain}/1`).toString('base64url')],
  ['too long', 'A'.repeat(600)],
  ['nothing', ''],
])('%s is no node id', (_what, text) => {
  expect(parseNodeId(domain, text)).toBeUndefined();
});

test('parsing never throws, and accepts canonical ids only', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const ref = parseNodeId(domain, text);
      expect(ref === undefined || toNodeId(domain, ref.type, ref.id) === text).toBe(true);
    }),
  );
});

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Base64url whose last character has bits that stand for nothing. */
function withSpareBits(id: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet[alphabet.indexOf(id.at(-1) ?? '') + 1];
  return id.slice(0, -1) + last;
}

test('a record id is a number or a node id of its own type', () => {
  expect(parseRecordId(domain, 'Webhook', '7')).toBe(7);
  expect(parseRecordId(domain, 'Webhook', toNodeId(domain, 'Webhook', 7))).toBe(7);
  expect(parseRecordId(domain, 'Webhook', toNodeId(domain, 'Request', 7))).toBeUndefined();
});

const noNumbers = [
  '',
  '0',
  '00',
  '01',
  '0001',
  '-7',
  '+1',
  ' 1',
  '1 ',
  '1\n',
  '1.0',
  '1e3',
  '0x1',
  '1_0',
  '1,0',
  '١',
  '１',
  '9'.repeat(20),
];

test.each(noNumbers)('neither %j nor a node id with it names a record', (number) => {
  expect(parseRecordId(domain, 'Webhook', number)).toBeUndefined();
  expect(parseRecordId(domain, 'Webhook', encode(`${domain}/Webhook/${number}`))).toBeUndefined();
});

test.each([
  ['padding', `${encode(`${domain}/Webhook/17`)}=`],
  ['spare bits', withSpareBits(encode(`${domain}/Webhook/17`))],
  ['the alphabet of plain base64', Buffer.from(`${domain}/Webhook/17?`).toString('base64')],
  ['a space', `${encode(`${domain}/Webhook/17`)} `],
  ['a byte order mark', encode(`\uFEFF${domain}/Webhook/17`)],
  ['a second slash', encode(`${domain}//Webhook/17`)],
  ['another case of the domain', encode(`${domain.toUpperCase()}/Webhook/17`)],
])('a node id with %s names no record', (_what, text) => {
  expect(parseNodeId(domain, text)).toBeUndefined();
  expect(parseRecordId(domain, 'Webhook', text)).toBeUndefined();
});

test('a record has one number and one node id', () => {
  const digits = fc.stringMatching(/^[-+ ]?[0-9]{1,18}(\.0|e1)?$/);
  const changed = fc
    .tuple(fc.integer({ min: 1 }), fc.nat(), fc.constantFrom(...'ABgw09-_=+/ '))
    .map(([number, at, letter]) => {
      const id = toNodeId(domain, 'Webhook', number);
      return id.slice(0, at % id.length) + letter + id.slice((at % id.length) + 1);
    });
  const text = fc.oneof(
    digits,
    digits.map((number) => encode(`${domain}/Webhook/${number}`)),
    changed,
  );
  fc.assert(
    fc.property(text, (given) => {
      const id = parseRecordId(domain, 'Webhook', given);
      const forms = id === undefined ? [given] : [String(id), toNodeId(domain, 'Webhook', id)];
      expect(forms).toContain(given);
    }),
    { numRuns: 2_000 },
  );
});
