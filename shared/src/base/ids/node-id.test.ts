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

test('a record id is a number or a node id of its own type', () => {
  expect(parseRecordId(domain, 'Webhook', '7')).toBe(7);
  expect(parseRecordId(domain, 'Webhook', toNodeId(domain, 'Webhook', 7))).toBe(7);
  expect(parseRecordId(domain, 'Webhook', toNodeId(domain, 'Request', 7))).toBeUndefined();
  expect(parseRecordId(domain, 'Webhook', '-7')).toBeUndefined();
  expect(parseRecordId(domain, 'Webhook', '99999999999999999999')).toBeUndefined();
});
