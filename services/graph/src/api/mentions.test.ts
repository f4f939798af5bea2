import { startNotices } from '../testing/notice-kit';
import { nodeId } from '../testing/start-graph';

let kit: Awaited<ReturnType<typeof startNotices>>;
beforeAll(async () => {
  kit = await startNotices();
  // Somebody of another account, whose people this one does not see.
  await kit.graph.publishPerson({ id: 31, accountId: 'other', name: 'Otto', roles: { other: ['specialist'] } });
  await kit.graph.publishPerson({ id: 32, name: 'Dora', disabled: true, roles: { wdc: ['specialist'] } });
});
beforeEach(() => kit.clear());
afterAll(() => kit.close());

const ids = { howard: 2, grace: 3, audra: 4, mia: 1 } as const;
const at = (name: keyof typeof ids, id: string | number = ids[name]): string => `@[${name}](person:${id})`;

interface NoteRead {
  readonly text: string;
  readonly mentions: readonly { readonly id: string }[] | null;
}
const notesOf = (id: string, claims = {}) =>
  kit
    .as('mia', claims)
    .ask<NoteRead[]>(
      'request.notes.nodes',
      `{ request(id: "${id}") { notes(last: 30) { nodes { text mentions { id } } } } }`,
    );

test('who is named in a note is notified of it, by number or node id, and watches the record from then on', async () => {
  const { id, number } = await kit.create('grace');
  await kit.note('mia', id, true, `Please look, ${at('howard')} and ${at('audra', nodeId('Person', 4))}.`);
  expect([await kit.kindsOf('howard'), await kit.kindsOf('audra')]).toEqual([['mentioned'], ['mentioned']]);
  const [notice] = await kit.list(kit.as('howard'));
  expect(notice).toMatchObject({ by: { id: nodeId('Person', 1) }, record: { number } });
  await kit.note('mia', id, true);
  expect(await kit.kindsOf('howard')).toEqual(['mentioned', 'answered']);
});

test('being named comes before every other reason', async () => {
  const { id } = await kit.create('grace');
  await kit.update('mia', id, { ...kit.assignedTo('howard'), internalNote: `Yours, ${at('howard')}` });
  expect(await kit.kindsOf('howard')).toEqual(['mentioned']);
  await kit.update('mia', id, { status: 'completed', completionReason: 'solved', note: `Done, ${at('grace')}` });
  expect(await kit.kindsOf('grace')).toEqual(['mentioned']);
});

test('what somebody chose to watch stays, and who mutes it is notified of being named alone', async () => {
  const { id } = await kit.create('grace');
  await kit.watch('howard', id, 'none');
  await kit.note('mia', id, true, at('howard'));
  await kit.note('mia', id, true);
  expect(await kit.kindsOf('howard')).toEqual(['mentioned']);
});

test('nobody is notified who does not see the note, and the note does not tell who that is', async () => {
  const { id } = await kit.create('grace');
  const { id: foreign } = await kit.create('mia');
  const everybody = `${at('grace')} ${at('mia')} @[Dora](person:32)`;
  await kit.note('mia', id, true, everybody);
  await kit.note('mia', foreign, false, everybody);
  expect([await kit.kindsOf('grace'), await kit.kindsOf('mia')]).toEqual([[], []]);
  expect(await kit.graph.connection.collection('notices').countDocuments()).toBe(0);
  expect(await kit.graph.connection.collection('watches').countDocuments({ personId: { $in: [3, 32] } })).toBe(0);
  const named = [3, 1, 32].map((person) => ({ id: nodeId('Person', person) }));
  for (const record of [id, foreign]) expect((await notesOf(record)).map(({ mentions }) => mentions)).toEqual([named]);
});

test('unknown people, those of another account and other spellings are text, as if they did not exist', async () => {
  const { id, number } = await kit.create('grace');
  const text = [
    '@[Otto](person:31)',
    '@[Nobody](person:999)',
    `@[Otto](person:${nodeId('Person', 31)})`,
    `@[A request](person:${nodeId('Request', 2)})`,
    '@[Howard](person:02) @[a[b]](person:2) @[](person:2) @[a\nb](person:2) @howard [Howard](person:2) @[Howard](2)',
  ].join(' ');
  expect(await kit.note('mia', id, false, text)).toEqual([]);
  expect(await notesOf(id)).toEqual([{ text, mentions: [] }]);
  const { body } = await kit.as('mia').rest('get', `/v1/requests/${number}/notes`).expect(200);
  expect(body).toMatchObject([{ text, mentions: [] }]);
  expect(await kit.kindsOf('howard')).toEqual([]);
  expect(await kit.graph.connection.collection('notices').countDocuments({ personId: 31 })).toBe(0);
});

test('the first twenty people of a note count, each once', async () => {
  const crowd = Array.from({ length: 21 }, (_, n) => 100 + n);
  for (const person of crowd) await kit.graph.publishPerson({ id: person, roles: { wdc: ['specialist'] } });
  const { id } = await kit.create('grace');
  const text = `@[a](person:100) ${crowd.map((person) => `@[a](person:${person})`).join('')}`;
  await kit.note('mia', id, false, text);
  await kit.graph.settled();
  const notified = await kit.graph.connection.collection('notices').find({ kind: 'mentioned' }).toArray();
  expect(notified.map(({ personId }) => personId as number).sort()).toEqual(crowd.slice(0, 20));
});

test('a long text of openings is read in one pass', async () => {
  const { id } = await kit.create('grace');
  await kit.note('mia', id, false, `${'@['.repeat(20_000)}${at('howard')}`);
  expect(await kit.kindsOf('howard')).toEqual(['mentioned']);
});

test('REST gives the names, and nobody without the scope of people', async () => {
  const { id, number } = await kit.create('grace');
  await kit.note('mia', id, false, at('howard'));
  const path = `/v1/requests/${number}/notes`;
  const { body } = await kit.as('grace').rest('get', path).expect(200);
  expect(body).toMatchObject([{ mentions: [{ id: 2, name: 'howard' }] }]);
  const claims = { scopes: [{ effect: 'allow' as const, actions: ['request:Read', 'note:Read'] }] };
  const answer = await kit.as('grace', claims).rest('get', path).expect(200);
  expect(answer.body).toMatchObject([{ mentions: [] }]);
  await expect(notesOf(id, claims)).rejects.toThrow('Missing required scope(s): person:Read');
});

test('a note of an import names nobody', async () => {
  await kit.create('grace', { source: 'csv', sourceID: 'named' });
  const row = { source: 'csv', sourceID: 'named', note: `imported ${at('howard')}` };
  expect(await kit.importRows([row, { ...row, sourceID: 'new', subject: 'New' }])).toMatchObject([
    { outcome: 'updated' },
    { outcome: 'created' },
  ]);
  expect(await kit.kindsOf('howard')).toEqual([]);
  const written = { text: { $regex: 'imported' } };
  const notes = await kit.graph.connection.collection('notes').find(written).toArray();
  expect(notes.map(({ mentions }) => mentions as unknown)).toEqual([undefined, undefined]);
});
