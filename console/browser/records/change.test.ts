/// <reference types="jest" />
import fc from 'fast-check';
import { ApiError } from '../api/errors';
import { isSame, sendChange } from './change';
import type { KnownRecord, Outcome } from './change';

/** A record at a platform that compares versions. */
function platform() {
  let version = 1;
  let values: Record<string, unknown> = { status: 'assigned', subject: 'Wi-Fi', member: null };
  const now = (): KnownRecord => ({
    data: { id: 103, nodeID: 'x', account: { id: 'wdc', name: 'WDC' }, ...values },
    tag: `"${version}"`,
  });
  return {
    read: () => Promise.resolve(now()),
    write(body: Readonly<Record<string, unknown>>, tag: string | undefined) {
      if (tag !== `"${version}"`) return Promise.reject(new ApiError({ kind: 'stale', message: 'changed' }));
      values = { ...values, ...body };
      version += 1;
      return Promise.resolve(now());
    },
  };
}

const set = (field: string, value: unknown) => ({ body: { [field]: value }, fields: [field] });

test('a change of another field is sent again, and both changes stay', async () => {
  const record = platform();
  const base = await record.read();
  await sendChange(record, base, set('subject', 'Wi-Fi in room B'));
  expect(await sendChange(record, base, set('status', 'accepted'))).toMatchObject({
    kind: 'written',
    known: { data: { status: 'accepted', subject: 'Wi-Fi in room B' } },
  });
});

test('a change of the same field writes nothing, and has the newer value', async () => {
  const record = platform();
  const base = await record.read();
  await sendChange(record, base, set('status', 'waiting_for'));
  const outcome = await sendChange(record, base, set('status', 'accepted'));
  expect(outcome).toMatchObject({ kind: 'differs', known: { data: { status: 'waiting_for' } } });
  // Keeping one's own is a change of what one has seen now.
  expect(await sendChange(record, outcome.known, set('status', 'accepted'))).toMatchObject({ kind: 'written' });
});

test('a record that changes all the time is given up, and other refusals are at once', async () => {
  const record = platform();
  const base = await record.read();
  let tries = 0;
  const busy = {
    ...record,
    write() {
      tries += 1;
      return Promise.reject(new ApiError({ kind: 'stale', message: 'changed' }));
    },
  };
  await expect(sendChange(busy, base, set('status', 'accepted'))).rejects.toThrow('changed');
  expect(tries).toBe(5);
  const refusing = {
    ...record,
    write: () => Promise.reject(new ApiError({ kind: 'not_allowed', message: 'Forbidden' })),
  };
  await expect(sendChange(refusing, base, set('status', 'accepted'))).rejects.toThrow('Forbidden');
});

test('of two editors, no value is lost without a question', async () => {
  const field = fc.constantFrom('status', 'subject', 'member');
  const step = fc.record({ field, value: fc.integer({ min: 1, max: 3 }), isMine: fc.boolean(), looks: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const record = platform();
      const seen = { mine: await record.read(), theirs: await record.read() };
      for (const { field: name, value, isMine, looks } of steps) {
        const who = isMine ? 'mine' : 'theirs';
        if (looks) seen[who] = await record.read();
        const before = (await record.read()).data;
        const outcome: Outcome = await sendChange(record, seen[who], set(name, value));
        const after = (await record.read()).data;
        // Written over only what the editor had seen, and nothing else.
        const isWritten = outcome.kind === 'written';
        expect(isWritten).toBe(isSame(before[name], seen[who].data[name]));
        expect(after).toEqual(isWritten ? { ...before, [name]: value } : before);
        seen[who] = outcome.known;
      }
    }),
  );
});

test('references are compared by where they lead', () => {
  expect(isSame({ id: 5, name: 'Howard' }, { id: 5, name: 'Howard Tanner' })).toBe(true);
  expect(isSame({ id: 5 }, { id: 6 })).toBe(false);
  expect(isSame(null, undefined)).toBe(true);
});

test('custom fields are the same when their values are', () => {
  const model = (value: string) => [{ id: 'model', value }];
  expect([isSame(model('X1'), model('X1')), isSame(model('X1'), model('X2')), isSame(null, model('X1'))]).toEqual([
    true,
    false,
    false,
  ]);
});
