import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { inputName, memberName } from '@itsm/shared/declared/names';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import fc from 'fast-check';
import { recordTypes } from '../record-types/all';
import { titleField } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { columnName, restPath } from '../write/record.input';
import { fileKeys, membersOf, valuesOf } from '../testing/given-values';
import type { Members } from '../testing/given-values';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

/** One service is written by GraphQL, the other by REST; both number their records alike. */
let mongo: EmbeddedMongo;
let keys: CallerKeys;
let byGraphql: RunningGraph;
let byRest: RunningGraph;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  [byGraphql, byRest] = await Promise.all([startGraph(mongo, keys), startGraph(mongo, keys)]);
  // Their clocks stand still at the same time.
  const ahead = byRest.clock.now().getTime() - byGraphql.clock.now().getTime();
  (ahead > 0 ? byGraphql : byRest).clock.pass(Math.abs(ahead));
  for (const graph of [byGraphql, byRest]) {
    await graph.publishAccount({ id: 'wdc' });
    for (const [id, name] of [
      [2, 'Ada Administrator'],
      [3, 'Bo'],
    ] as const)
      await graph.publishPerson({ id, name });
    for (const id of [1, 2]) await graph.publishForm({ id, name: `Form ${id}` });
    await graph.connection.collection<{ _id: string }>('attachments').insertMany(fileKeys.map(uploadedFile));
  }
  for (const type of [...recordTypes, ...recordTypes]) await writeBoth(type, 'create', 0, needed(type));
});
afterAll(async () => {
  await byGraphql.stop();
  await byRest.stop();
  await keys.close();
  await mongo.close();
});

/** A file that the writer has uploaded, with the same secret in both services. */
const uploadedFile = (key: string) => ({
  _id: key.split('/').slice(1, -1).join('/'),
  accountId: 'wdc',
  personId: 2,
  name: 'a.txt',
  secret: 'secret',
  size: 5,
  contentType: 'application/octet-stream',
  isStored: true,
});

const admin = (graph: RunningGraph): Client =>
  graph.as('account_administrator', { sub: '2', name: 'Ada Administrator' });

/** What a record of the type cannot be without. */
function needed(type: RecordType): Members {
  const title = titleField(type);
  const fields = type.fields.filter(({ name, kind, required }) => name === title || (required && kind === 'record'));
  const ids = fields.map((field) => (field.kind === 'record' ? 1 : 'Title'));
  return {
    input: Object.fromEntries(
      fields.map((field, index) => [
        inputName(field),
        field.kind === 'record' ? nodeId(field.to.graphqlName, 1) : ids[index],
      ]),
    ),
    body: Object.fromEntries(fields.map((field, index) => [columnName(field), ids[index]])),
  };
}

interface Answered {
  /** The number of the written record; undefined for a refusal. */
  readonly id: number | undefined;
  readonly version: number | undefined;
  readonly refusals: readonly unknown[];
}

type Verb = 'create' | 'update';

async function mutate(type: RecordType, verb: Verb, id: number, input: object): Promise<Answered> {
  const member = memberName(type);
  const name = `${member}${verb === 'create' ? 'Create' : 'Update'}`;
  const inputType = name.charAt(0).toUpperCase() + name.slice(1);
  const query = `mutation ($input: ${inputType}Input!) { ${name}(input: $input) {
    ${member} { number version } errors { message path } } }`;
  const payload = await admin(byGraphql).ask<{
    errors: { message: string; path: string[] }[];
    [member: string]: unknown;
  }>(name, query, { input: { ...(verb === 'update' && { id: nodeId(type.graphqlName, id) }), ...input } });
  const record = payload[member] as { number: number; version: number } | null;
  const refusals = payload.errors.map(({ message, path }) => [restPath(path).join('.'), message]);
  return { id: record?.number, version: record?.version, refusals };
}

async function send(type: RecordType, verb: Verb, id: number, body: object): Promise<Answered> {
  const path = `/v1/${type.plural}${verb === 'create' ? '' : `/${id}`}`;
  const method = verb === 'create' ? 'post' : id % 2 === 0 ? 'patch' : 'put';
  const { status, body: answer, headers } = await admin(byRest).rest(method, path, body);
  const { errors = [], ...shown } = answer as { id?: number; message?: string; errors?: unknown[] };
  if (errors.length > 0) {
    expect([status, shown]).toEqual([422, { message: 'Validation Failed' }]);
    return { id: undefined, version: undefined, refusals: errors };
  }
  expect(status).toBe(verb === 'create' ? 201 : 200);
  expect(headers['location']).toBe(
    verb === 'create' ? `https://api.test.example/v1/${type.plural}/${shown.id}` : undefined,
  );
  expect(answer).toEqual((await admin(byRest).get(`/v1/${type.plural}/${shown.id}`)).body);
  return { id: shown.id, version: Number(/^"(\d+)\./.exec(String(headers['etag']))?.[1]), refusals: [] };
}

/** The same write by both edges, which answer the same. */
async function writeBoth(type: RecordType, verb: Verb, id: number, { input, body }: Members): Promise<Answered> {
  const [mutated, sent] = await Promise.all([mutate(type, verb, id, input), send(type, verb, id, body)]);
  expect([body, sent]).toEqual([body, mutated]);
  return sent;
}

/** What changes by itself. */
const moving = { outbox: 0, outboxAt: 0, outboxLeaseUntil: 0, outboxOwner: 0, counted: 0, uncounted: 0 };

/** What is stored of a record: its document, audit lines, notes and files. */
async function storedIn({ connection }: RunningGraph, type: RecordType, id: number): Promise<unknown> {
  const trail = { recordType: type.name, recordId: id };
  const [record, lines, notes, files] = await Promise.all([
    connection.collection<{ _id: number }>(type.plural).findOne({ _id: id }, { projection: moving }),
    connection.collection('audit_lines').find(trail).sort({ _id: 1 }).toArray(),
    connection.collection('notes').find(trail).sort({ _id: 1 }).toArray(),
    connection.collection('attachments').find(trail).sort({ _id: 1 }).toArray(),
  ]);
  const timeless = (one: object) => ({ ...one, at: undefined, _id: undefined });
  return JSON.parse(JSON.stringify([record, lines.map(timeless), notes.map(timeless), files]));
}

const eventsIn = ({ events }: RunningGraph, type: RecordType, id: number): unknown =>
  events
    .filter(({ event, object }) => event.startsWith(`${type.name}.`) && object.id === id)
    .map(({ event, object, person, visibleTo, payload }) => {
      const { audit_line_id, audit_line_nodeID, note_id, note_nodeID, ...rest } = payload;
      const left = [audit_line_id, audit_line_nodeID, note_id, note_nodeID].map((one) => one === undefined);
      return { event, object, person, visibleTo, left, rest };
    });

/** Record, audit lines, notes and events are the same after both edges have written them. */
async function expectSame(type: RecordType, id: number): Promise<void> {
  expect(await storedIn(byRest, type, id)).toEqual(await storedIn(byGraphql, type, id));
  await waitUntil('the same events', () => {
    const [rest, graphql] = [byRest, byGraphql].map((graph) => eventsIn(graph, type, id) as unknown[]);
    return rest?.length === graphql?.length && rest?.length !== 0;
  });
  expect(eventsIn(byRest, type, id)).toEqual(eventsIn(byGraphql, type, id));
}

const fieldsOf = (type: RecordType) =>
  type.fields.filter(({ written }) => !written).map((field) => [type.name, field.name, type, field] as const);

test.each(recordTypes.flatMap(fieldsOf))(
  '%s.%s alone is the same by REST as by GraphQL',
  async (_n, _f, type, field) => {
    const { id = 0 } = await writeBoth(type, 'create', 0, needed(type));
    // Each of its values, among them those that are refused.
    for (const { graphql, rest } of fc.sample(valuesOf(field), { numRuns: 4, seed: 1 }))
      await writeBoth(type, 'update', id, {
        input: { [inputName(field)]: graphql },
        body: { [columnName(field)]: rest },
      });
    await expectSame(type, id);
  },
);

test.each(recordTypes.map((type) => [type.name, type] as const))(
  'any sequence of changes of a %s is the same by REST as by GraphQL',
  async (_name, type) => {
    const sequence = fc.tuple(membersOf(type), fc.array(membersOf(type), { maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(sequence, async ([first, changes]) => {
        const { id: filled } = await writeBoth(type, 'create', 0, first);
        if (filled !== undefined) await expectSame(type, filled);
        const { id = 0 } = await writeBoth(type, 'create', 0, needed(type));
        for (const change of changes) await writeBoth(type, 'update', id, change);
        await expectSame(type, id);
      }),
      { numRuns: Number(process.env['SEQUENCES'] ?? 6), seed: Number(process.env['SEED'] ?? 1) },
    );
  },
);
