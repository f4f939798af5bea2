import type { PersonSaved } from '@itsm/shared/contracts/directory';
import { recordChanged } from '@itsm/shared/contracts/records';
import { happened } from '../notices/module';
import { startNotices } from '../testing/notice-kit';
import { nodeId } from '../testing/start-graph';

let kit: Awaited<ReturnType<typeof startNotices>>;
beforeAll(async () => {
  kit = await startNotices();
});
beforeEach(() => kit.clear());
afterAll(() => kit.close());

test('who gets a record is notified, who gave it is not, and it says what, by whom and of which record', async () => {
  const { id, number } = await kit.create('grace');
  expect(await kit.update('mia', id, kit.assignedTo('howard'))).toEqual([]);
  await kit.graph.settled();
  const record = { number, title: 'Wi-Fi drops', status: 'on_backlog' };
  expect(await kit.list(kit.as('howard'))).toEqual([
    {
      id: expect.any(String) as string,
      kind: 'assigned',
      count: 1,
      unread: true,
      by: { id: nodeId('Person', 1) },
      record,
    },
  ]);
  expect(await kit.kindsOf('mia')).toEqual([]);
  expect(await kit.update('howard', id, kit.assignedTo('howard'))).toEqual([]);
  expect(await kit.kindsOf('howard')).toEqual(['assigned']);
});

test('an answer notifies the requester, theirs notifies the member, and an internal note only who works on it', async () => {
  const { id } = await kit.create('grace', {});
  await kit.update('mia', id, kit.assignedTo('howard'));
  await kit.note('howard', id);
  await kit.note('howard', id);
  expect(await kit.kindsOf('grace')).toEqual(['answered 2']);
  await kit.note('grace', id);
  expect(await kit.kindsOf('howard')).toEqual(['assigned', 'answered']);
  await kit.note('mia', id, true);
  expect(await kit.kindsOf('howard')).toEqual(['assigned', 'answered 2']);
  expect(await kit.kindsOf('grace')).toEqual(['answered 2']);
});

test('who wrote a note is notified of the next ones, unless they chose otherwise', async () => {
  const { id } = await kit.create('grace');
  await kit.note('mia', id);
  expect(await kit.kindsOf('mia')).toEqual([]);
  await kit.note('howard', id, true);
  expect(await kit.kindsOf('mia')).toEqual(['answered']);
  for (const level of ['none', 'own']) {
    await kit.watch('mia', id, level);
    await kit.note('mia', id);
    await kit.note('howard', id, true);
    expect([level, await kit.kindsOf('mia')]).toEqual([level, ['answered']]);
  }
});

test('an internal note notifies no requester, even one who watches all, and none who may read it but does not work on it', async () => {
  const { id } = await kit.create('grace');
  await kit.watch('grace', id, 'all');
  const { id: own } = await kit.create('audra');
  for (const record of [id, own]) await kit.note('mia', record, true);
  expect([await kit.kindsOf('grace'), await kit.kindsOf('audra')]).toEqual([[], []]);
});

test('a requester who wrote a note is not notified of every change', async () => {
  const { id } = await kit.create('grace');
  await kit.note('grace', id);
  await kit.update('mia', id, kit.assignedTo('howard'));
  expect(await kit.kindsOf('grace')).toEqual([]);
});

test('what is made for somebody, completed and reopened notifies them', async () => {
  const { id } = await kit.create('mia', { requestedForId: nodeId('Person', 3) });
  await kit.update('mia', id, kit.assignedTo('howard'));
  await kit.update('mia', id, { status: 'completed', completionReason: 'solved', note: 'It works.' });
  await kit.update('mia', id, { status: 'assigned' });
  expect(await kit.kindsOf('grace')).toEqual(['created', 'ended', 'reopened']);
  expect(await kit.kindsOf('howard')).toEqual(['assigned', 'ended', 'reopened']);
});

test('who watches all is notified of changes, who watches the ending of that alone, and who mutes of assignments', async () => {
  const { id } = await kit.create('grace');
  await kit.update('admin', id, kit.assignedTo('howard'));
  await kit.graph.settled();
  await kit.graph.connection.collection('notices').deleteMany({});
  await kit.watch('audra', id, 'all');
  await kit.watch('mia', id, 'ending');
  await kit.watch('howard', id, 'none');
  await kit.watch('grace', id, 'none');
  await kit.update('admin', id, { status: 'in_progress' });
  await kit.note('admin', id);
  expect(await kit.kindsOf('audra')).toEqual(['changed', 'answered']);
  await kit.update('admin', id, { status: 'completed', completionReason: 'solved' });
  expect(await kit.kindsOf('audra')).toEqual(['changed', 'answered', 'ended']);
  expect(await kit.kindsOf('mia')).toEqual(['ended']);
  expect([await kit.kindsOf('howard'), await kit.kindsOf('grace')]).toEqual([[], []]);
  await kit.update('admin', id, { memberId: nodeId('Person', 1) });
  await kit.update('admin', id, kit.assignedTo('howard'));
  expect(await kit.kindsOf('howard')).toEqual(['assigned']);
  await kit.watch('audra', id, 'own');
  await kit.note('admin', id);
  expect(await kit.kindsOf('audra')).toEqual(['answered', 'ended', 'changed 3']);
});

test('a change of anything else notifies nobody', async () => {
  const { id } = await kit.create('grace');
  await kit.watch('audra', id, 'all');
  await kit.update('mia', id, { subject: 'Another subject', impact: 'high' });
  expect(await kit.kindsOf('audra')).toEqual([]);
});

test('nobody who is disabled, without a role in the account or not concerned any more is notified', async () => {
  const { id, number } = await kit.create('grace');
  for (const [person, more] of [
    [21, { disabled: true, roles: { wdc: ['specialist'] } }],
    [22, { roles: { other: ['specialist'] } }],
    // Whose record it no longer is.
    [23, { roles: { wdc: ['end_user'] } }],
  ] satisfies [number, Partial<PersonSaved>][]) {
    await kit.graph.publishPerson({ id: person, ...more });
    const _id = `wdc/request/${person}`;
    const about = { accountId: 'wdc', recordType: 'request', recordId: number, personId: person, level: 'all' };
    await kit.graph.connection.collection<{ _id: string }>('watches').insertOne({ _id, ...about });
  }
  await kit.graph.publishPerson({ id: 24, roles: {} });
  await kit.create('mia', { requestedForId: nodeId('Person', 24) });
  await kit.note('mia', id);
  await kit.graph.settled();
  expect(await kit.graph.connection.collection('notices').countDocuments({ personId: { $in: [21, 22, 23, 24] } })).toBe(
    0,
  );
});

test('one that happens again is unread again and counts from one, and the same happening counts once', async () => {
  const { id } = await kit.create('grace');
  await kit.note('mia', id);
  await kit.graph.settled();
  expect(await kit.read('grace', { recordId: id })).toEqual({ unread: 0, errors: [] });
  expect((await kit.list(kit.as('grace'))).map(({ unread }) => unread)).toEqual([false]);
  await kit.note('mia', id);
  expect(await kit.kindsOf('grace')).toEqual(['answered']);
  await repeatedly(2);
  expect(await kit.kindsOf('grace')).toEqual(['answered']);
  await kit.read('grace', { recordId: id });
  await repeatedly(1);
  expect((await kit.list(kit.as('grace'))).map(({ unread }) => unread)).toEqual([false]);
});

test('an import notifies nobody', async () => {
  await kit.create('grace', { source: 'csv', sourceID: 'x' });
  const rows = [
    { source: 'csv', sourceID: 'x', note: 'Imported' },
    { source: 'csv', sourceID: 'y', subject: 'New', requested_for_id: '3' },
  ];
  expect(await kit.importRows(rows)).toEqual([{ outcome: 'updated' }, { outcome: 'created' }]);
  expect(await kit.kindsOf('grace')).toEqual([]);
});

test('whom to notify waits behind the events of a write', async () => {
  const { id } = await kit.create('grace');
  const client = kit.graph.connection.getClient();
  const written: string[][] = [];
  const take = ({ command }: { readonly command: object }): void => {
    const names = [...JSON.stringify(command).matchAll(/"contract":"([^"]*)"/g)].map(([, name]) => name ?? '');
    if (names.length > 1) written.push(names);
  };
  client.on('commandStarted', take);
  await kit.note('mia', id);
  client.off('commandStarted', take);
  expect(written[0]).toEqual(['graph.trail.left.v1', recordChanged.name, happened.name]);
});

test('ten happenings at once count ten times', async () => {
  const { id } = await kit.create('grace');
  await Promise.all(Array.from({ length: 10 }, () => kit.note('mia', id)));
  expect(await kit.kindsOf('grace')).toEqual(['answered 10']);
});

/** What happened last waits in the outbox again, as after the end of a process that had notified of it. */
async function repeatedly(times: number): Promise<void> {
  const [notice] = await kit.graph.connection.collection('notices').find({ personId: 3 }).toArray();
  const { accountId, recordType, recordId, at, by, happenings } = notice as unknown as {
    readonly recordId: number;
    readonly happenings: readonly string[];
    readonly [member: string]: unknown;
  };
  const happening = { accountId, recordType, recordId, at, person: by, isNew: false, changed: [], workers: {} };
  const message = JSON.stringify({ ...happening, note: { id: 1, internal: false }, owners: [3] });
  const entry = { id: happenings.at(-1), contract: happened.name, message };
  for (let time = 0; time < times; time += 1) {
    const waiting = { $set: { outbox: [entry], outboxAt: kit.graph.clock.now() } };
    await kit.graph.connection.collection<{ _id: number }>('requests').updateOne({ _id: recordId }, waiting);
    await kit.graph.settled();
  }
}
