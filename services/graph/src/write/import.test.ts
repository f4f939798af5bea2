import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import type { Connection } from 'mongoose';
import { createImporter } from '../testing/create-engine';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let own: Connection;
let importer: ReturnType<typeof createImporter>;
let specialist: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
});
beforeEach(async () => {
  graph = await startGraph(mongo, keys);
  own = await connectPatiently(mongo.urlOf(graph.connection.name));
  importer = createImporter(own);
  specialist = graph.as('specialist', { sub: '2' });
  await graph.publishPerson({ id: 2 });
});
afterEach(async () => {
  await own.close();
  await graph.stop();
});
afterAll(async () => {
  await keys.close();
  await mongo.close();
});

const requests = (fields: string): Promise<Record<string, unknown>[]> =>
  specialist.ask('requests.nodes', `{ requests(first: 50) { nodes { ${fields} } } }`);

test('the columns are those of the writable fields', () => {
  expect(importer.columnsOf('request').names).toEqual([
    'id',
    'subject',
    'category',
    'impact',
    'priority',
    'status',
    'completion_reason',
    'team_id',
    'member_id',
    'requested_by_id',
    'requested_for_id',
    'problem_id',
    'workflow_id',
    'project_id',
    'desired_completion_at',
    'ui_extension_id',
    'custom_fields',
    'time_spent',
    'source',
    'sourceID',
    'note',
    'internal_note',
  ]);
});

test('custom fields have a column of JSON, or one for each id', async () => {
  await graph.publishForm({ id: 1 });
  const named = (n: number) => ({ subject: `S${n}`, source: 'csv', sourceID: String(n), ui_extension_id: '1' });
  const rows = [
    { ...named(1), 'custom_fields.floor': '3', 'custom_fields.__proto__': 'own', 'custom_fields.a.b': '' },
    { ...named(2), custom_fields: '[{"id":"floor","value":4}]', 'custom_fields.agreed': 'true' },
    { ...named(3), ui_extension_id: '', 'custom_fields.floor': '' },
    { ...named(4), ui_extension_id: '', 'custom_fields.floor': '3' },
    { ...named(5), custom_fields: '{' },
    { ...named(6), 'custom_fields.floor': 'third', 'custom_fields.other': 'x' },
    { ...named(7), 'custom_fields.kind': 'b' },
  ];
  const refused = (...errors: [path: string[], message: string][]) => ({
    errors: errors.map(([path, message]) => ({ path, message })),
  });
  expect(await importer.importRows('request', rows)).toEqual([
    { outcome: 'created' },
    { outcome: 'created' },
    { outcome: 'created' },
    refused([['custom_fields'], 'Custom fields need a UI extension']),
    refused([['custom_fields'], 'Custom fields are not a list of `id` and `value`']),
    refused(
      [['custom_fields', 'floor'], 'Floor is not a number'],
      [['custom_fields', 'other'], 'other is not a field of the form'],
    ),
    refused([['custom_fields', 'why'], 'Why is required']),
  ]);
  const later = [{ ...named(1), 'custom_fields.floor': '', 'custom_fields.kind': 'a' }, named(2)];
  expect(await importer.importRows('request', later)).toEqual([{ outcome: 'updated' }, { outcome: 'unchanged' }]);
  expect(await requests('customFields { id value }')).toEqual([
    {
      customFields: [
        { id: '__proto__', value: 'own' },
        { id: 'kind', value: 'a' },
      ],
    },
    {
      customFields: [
        { id: 'agreed', value: true },
        { id: 'floor', value: 4 },
      ],
    },
    { customFields: null },
  ]);
});

test('rows create records, update them, and leave equal ones unchanged', async () => {
  const row = { subject: 'Printer', source: 'csv', sourceID: '1', member_id: '2', note: 'From the old system' };
  expect(await importer.importRows('request', [row, { subject: 'No source' }])).toEqual([
    { outcome: 'created' },
    { outcome: 'created' },
  ]);
  expect(
    await requests(
      'subject status member { id } notes(first: 5) { nodes { text } } auditLines(first: 5) { nodes { action person { id } } }',
    ),
  ).toEqual([
    {
      subject: 'Printer',
      status: 'assigned',
      member: { id: nodeId('Person', 2) },
      notes: { nodes: [{ text: 'From the old system' }] },
      auditLines: { nodes: [{ action: 'create', person: { id: nodeId('Person', 2) } }] },
    },
    expect.objectContaining({ subject: 'No source', notes: { nodes: [] } }),
  ]);
  const same = { subject: row.subject, source: row.source, sourceID: row.sourceID, member_id: row.member_id };
  expect(
    await importer.importRows('request', [
      same,
      { id: '2', subject: 'By number' },
      { id: nodeId('Request', 2), impact: 'high', status: 'completed' },
      { source: 'csv', sourceID: '1', member_id: '', status: 'on_backlog' },
    ]),
  ).toEqual([{ outcome: 'unchanged' }, { outcome: 'updated' }, { outcome: 'updated' }, { outcome: 'updated' }]);
  expect(
    await requests('subject status impact member { id } auditLines(last: 1) { totalCount nodes { action } }'),
  ).toEqual([
    expect.objectContaining({ subject: 'Printer', status: 'on_backlog', member: null }),
    expect.objectContaining({ subject: 'By number', status: 'completed', impact: 'high' }),
  ]);
  expect(graph.events).toEqual([]);
});

test('audit lines are stored with times as texts and other values as they are', async () => {
  const row = { subject: 'Printer', desired_completion_at: '2026-03-18T19:04:06Z', member_id: '2' };
  expect(await importer.importRows('request', [row])).toEqual([{ outcome: 'created' }]);
  const stored = await own.collection('audit_lines').findOne();
  expect(stored?.['changes']).toEqual(
    expect.arrayContaining([
      { field: 'subject', from: null, to: 'Printer' },
      { field: 'desiredCompletionAt', from: null, to: '2026-03-18T19:04:06.000Z' },
      { field: 'member', from: null, to: 2 },
    ]),
  );
});

test('rows for the same record are applied one after the other', async () => {
  const rows = ['first', 'second', 'second', 'third'].map((subject) => ({ subject, source: 'csv', sourceID: 'x' }));
  expect(await importer.importRows('request', rows)).toEqual([
    { outcome: 'created' },
    { outcome: 'updated' },
    { outcome: 'unchanged' },
    { outcome: 'updated' },
  ]);
  expect(await requests('subject')).toEqual([{ subject: 'third' }]);
});

test('the same rows with the same reserved numbers create no duplicates, whatever others did in between', async () => {
  await importer.importRows('request', [{ subject: 'Old', source: 'csv', sourceID: 'old' }]);
  const rows = [
    { subject: 'Plain', note: 'A' },
    { subject: 'With source', source: 'csv', sourceID: '1', note: 'B' },
    { subject: 'New name', source: 'csv', sourceID: 'old', note: 'C' },
    { subject: '' },
  ];
  const reserved = await importer.reserve('request', 500);
  const first = await importer.importRows('request', rows, reserved);
  expect(first.map((row) => ('outcome' in row ? row.outcome : 'refused'))).toEqual([
    'created',
    'created',
    'updated',
    'refused',
  ]);
  const changed = await importer.importRows('request', [{ id: String(reserved.record + 1), subject: 'Changed' }]);
  expect(changed).toEqual([{ outcome: 'updated' }]);
  expect(await importer.importRows('request', rows, reserved)).toEqual(first);
  expect(await requests('subject notes(first: 9) { nodes { text } }')).toEqual([
    { subject: 'New name', notes: { nodes: [{ text: 'C' }] } },
    { subject: 'Plain', notes: { nodes: [{ text: 'A' }] } },
    { subject: 'Changed', notes: { nodes: [{ text: 'B' }] } },
  ]);
});

test('a refused row names its column and does not stop the others', async () => {
  const rows = [
    { subject: 'Fine' },
    { subject: '' },
    { subject: 's', status: 'lost' },
    { subject: 's', team_id: '99' },
    { subject: 's', member_id: 'Mia' },
    { subject: 's', desired_completion_at: '2026-02-30T10:00:00Z' },
    { subject: 's', time_spent: 'long' },
    { id: '99', subject: 's' },
    { id: 'x', subject: 's' },
    { subject: 'x'.repeat(256) },
    { subject: 'Fine too' },
  ];
  const outcomes = await importer.importRows('request', rows);
  expect(outcomes.map((outcome) => ('errors' in outcome ? outcome.errors[0]?.message : outcome.outcome))).toEqual([
    'created',
    'Subject is required',
    expect.stringMatching(/^Status is not one of/),
    'Team was not found',
    'Member was not found',
    'Desired completion is not a date',
    'Time spent is not a whole number from 0 to 1000000',
    'Id was not found',
    'Id was not found',
    'Subject is too long (at most 255 characters)',
    'created',
  ]);
  expect(await requests('subject')).toHaveLength(2);
});

test("another account's records are neither found nor overwritten", async () => {
  const theirs = await graph.app.seed.ensureRequest('acme', {
    source: 'csv',
    sourceID: '1',
    subject: 'Theirs',
    requestedById: 9,
  });
  expect(
    await importer.importRows('request', [
      { id: String(theirs.id), subject: 'Mine now' },
      { source: 'csv', sourceID: '1', subject: 'Mine' },
    ]),
  ).toEqual([{ errors: [{ message: 'Id was not found', path: ['id'] }] }, { outcome: 'created' }]);
  const stored = await graph.connection.collection<{ _id: number }>('requests').findOne({ _id: theirs.id });
  expect(stored).toMatchObject({ accountId: 'acme', version: 1, values: { subject: 'Theirs' } });
});

test('two concurrent imports of the same rows create each record once', async () => {
  const rows = Array.from({ length: 50 }, (_, n) => ({ subject: `No ${n}`, source: 'csv', sourceID: String(n) }));
  const both = await Promise.all([importer.importRows('request', rows), importer.importRows('request', rows)]);
  expect(await graph.connection.collection('requests').countDocuments()).toBe(50);
  const created = both.flat().filter((outcome) => 'outcome' in outcome && outcome.outcome === 'created');
  expect(created).toHaveLength(50);
});
