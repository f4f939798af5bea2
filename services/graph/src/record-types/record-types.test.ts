import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { isRecordEvent } from '@itsm/shared/contracts/events';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKind } from '@itsm/shared/contracts/record-kinds';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { inputName, memberName, restName, rootField } from '@itsm/shared/declared/names';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from './record-type';
import { textsOf } from './texts';
import { badValue } from '../testing/given-values';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';
import { recordTypes } from './all';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let admin: Client;
const related: Record<string, number> = {};

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  admin = graph.as('account_administrator', { sub: '2', name: 'Ada Administrator' });
  await graph.publishAccount({ id: 'wdc' });
  await graph.publishPerson({ id: 2, name: 'Ada Administrator' });
  await graph.publishForm({ id: 1 });
  for (const type of recordTypes.filter(isReferredTo))
    related[type.name] = idOf(type, await create(type, { [titleOf(type)]: `Some ${type.name}` }));
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const isReferredTo = ({ name }: RecordType): boolean =>
  recordTypes.some(({ fields }) => fields.some((field) => field.kind === 'record' && field.to.name === name));

const titleOf = (type: RecordType): string => type.fields.find(({ kind }) => kind === 'text')?.name ?? '';

/** A valid value for every writable field. */
function sample(field: Field): unknown {
  switch (field.kind) {
    case 'text':
      return `Text of ${field.name}`.slice(0, field.maxLength);
    case 'choice':
      return field.choices[0];
    case 'flag':
      return true;
    case 'integer':
      return 7;
    case 'timestamp':
      return '2026-03-18T19:04:06Z';
    case 'date':
      return '2026-03-18';
    case 'person':
      return nodeId('Person', 2);
    case 'people':
      return [nodeId('Person', 2)];
    case 'account':
      return nodeId('Account', 'wdc');
    case 'reference':
      return nodeId(field.to.graphqlName, 1);
    case 'custom':
      return [{ id: 'floor', value: 3 }];
    case 'record':
      return nodeId(field.to.graphqlName, related[field.to.name] ?? 0);
  }
}

/** The statuses of its test deliveries, between which a change is allowed. */
const statusesOf = ({ name }: RecordType): readonly string[] =>
  (recordKinds as Readonly<Record<string, RecordKind>>)[name]?.statuses ?? [];

const required = (type: RecordType): Record<string, unknown> =>
  Object.fromEntries(
    type.fields
      .filter((field) => field.name === titleOf(type) || (field.required && field.kind === 'record'))
      .map((field) => [inputName(field), sample(field)]),
  );

const complete = (type: RecordType): Record<string, unknown> =>
  Object.fromEntries(
    type.fields.filter(({ written }) => !written).map((field) => [inputName(field), valueOf(type, field)]),
  );

/** In a closed status, since a record that has come to its end may have a value in every field. */
const valueOf = (type: RecordType, field: Field): unknown =>
  ({ source: type.name, status: type.closed?.[0] })[field.name] ?? sample(field);

const selection = (type: RecordType): string =>
  [
    'id account { id } createdAt updatedAt',
    ...type.fields.map(({ name, kind }) => {
      if (kind === 'people') return `${name}(first: 5) { nodes { id } }`;
      if (kind === 'custom') return `${name} { id value }`;
      return kind === 'reference' || kind === 'person' || kind === 'record' || kind === 'account'
        ? `${name} { id }`
        : name;
    }),
  ].join(' ');

type Shown = Record<string, unknown> & { readonly id: string };
interface Payload {
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
}

async function mutate(
  type: RecordType,
  verb: 'Create' | 'Update',
  input: object,
): Promise<Payload & { record: Shown }> {
  const member = memberName(type);
  const payload = await admin.ask<Record<string, unknown> & Payload>(
    `${member}${verb}`,
    `mutation ($input: ${type.graphqlName}${verb}Input!) { ${member}${verb}(input: $input) {
      ${member} { ${selection(type)} } errors { message path }
    } }`,
    { input },
  );
  return { ...payload, record: payload[member] as Shown };
}

async function create(type: RecordType, input: object): Promise<Shown> {
  const { record, errors } = await mutate(type, 'Create', input);
  expect(errors).toEqual([]);
  return record;
}

const idOf = (type: RecordType, { id }: Shown): number =>
  Number(Buffer.from(id, 'base64url').toString().replace(`test.example/${type.graphqlName}/`, ''));

const eventsOf = (type: RecordType, id: number) =>
  graph.events.filter(({ event, object }) => event.startsWith(`${type.name}.`) && object.id === id);

describe.each(recordTypes.map((type) => [type.graphqlName, type] as const))('%s', (_name, type) => {
  const eventNamed = (action: string) => isRecordEvent(`${type.name}.${action}`);

  test('needs only its title, and is published once', async () => {
    const record = await create(type, required(type));
    const id = idOf(type, record);
    const [event, ...others] = await waitUntil('the event', () => {
      const found = eventsOf(type, id);
      return found.length > 0 ? found : undefined;
    });
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      event: `${type.name}.create`,
      visibleTo: ['wdc'],
      object: { id, nodeID: record.id },
      person: { id: 2, nodeID: nodeId('Person', 2), name: 'Ada Administrator' },
      links: { canonical: `/${type.plural}/${id}`, resource: `/v1/${type.plural}/${id}` },
    });
    expect(event?.payload).toHaveProperty('audit_line_id');
    const hasStatus = type.fields.some(({ name }) => name === 'status');
    expect('status' in (event?.payload ?? {})).toBe(hasStatus);
    expect(event?.payload).not.toHaveProperty('source');
    expect(event?.payload).not.toHaveProperty('previous_status');
    expect(event?.payload).not.toHaveProperty('note_id');
  });

  test('keeps every field, in GraphQL and in REST', async () => {
    const record = await create(type, complete(type));
    for (const field of type.fields.filter(({ written }) => !written)) {
      const given = valueOf(type, field);
      const shown = record[field.name] as { readonly id?: string; readonly nodes?: readonly { readonly id: string }[] };
      if (field.kind === 'people') expect(shown.nodes?.map(({ id }) => id)).toEqual(given);
      else if (['person', 'record', 'reference', 'account'].includes(field.kind)) expect(shown).toEqual({ id: given });
      else expect(shown).toEqual(given);
    }
    const { body } = await admin.get(`/v1/${type.plural}/${record.id}`).expect(200);
    const rest = body as Record<string, unknown>;
    const shared = ['id', 'nodeID', 'account', 'life_cycle_state', 'created_at', 'updated_at'];
    const own = [...shared, ...(textsOf(type).length > 0 ? ['attachments'] : [])];
    const declared = type.fields.map(({ name }) => restName(name));
    expect(Object.keys(rest).sort()).toEqual([...own, ...declared].sort());
    expect(rest).toMatchObject({ nodeID: record.id, account: { id: 'wdc', name: 'Widget Data Center' } });
    for (const { name, kind } of type.fields) {
      if (kind === 'text' || kind === 'choice') expect(rest[restName(name)]).toEqual(record[name]);
      if (kind === 'person') expect(rest[restName(name)]).toEqual({ id: 2, name: 'Ada Administrator' });
      if (kind === 'reference') expect(rest[restName(name)]).toEqual({ id: 1, name: 'Form' });
      if (kind === 'custom') expect(rest[restName(name)]).toEqual([{ id: 'floor', value: 3 }]);
      if (kind === 'record') expect(rest[restName(name)]).toMatchObject({ name: expect.any(String) as string });
    }
  });

  test('publishes each change with the events of the type', async () => {
    const record = await create(type, required(type));
    const id = idOf(type, record);
    const owned = type.fields.filter(({ name }) => ['team', 'member', 'manager'].includes(name));
    const status = type.fields.find(({ name }) => name === 'status');
    const input = {
      id: record.id,
      [titleOf(type)]: 'Renamed',
      ...Object.fromEntries(owned.map((field) => [inputName(field), sample(field)])),
      ...(status && { status: statusesOf(type)[0] }),
      ...(type.hasNotes && { note: 'Seen to.' }),
    };
    expect((await mutate(type, 'Update', input)).errors).toEqual([]);
    const changed = owned.map(({ name }) => name).filter((name) => (record[name] ?? null) === null);
    const expected = [
      'create',
      'update',
      ...(status ? ['status-changed'] : []),
      ...['team', 'member', 'manager'].filter((name) => changed.includes(name)).map((name) => `${name}-changed`),
      ...(type.hasNotes ? ['note-added'] : []),
    ].filter(eventNamed);
    const events = await waitUntil('the events', () => {
      const found = eventsOf(type, id);
      return found.length === expected.length ? found : undefined;
    });
    expect(events.map(({ event }) => event)).toEqual(expected.map((action) => `${type.name}.${action}`));
    for (const { event, payload } of events.slice(1)) {
      expect('previous_status' in payload).toBe(event.endsWith('.status-changed'));
      if (owned.some(({ name }) => name === 'team')) {
        const team = { id: related['team'], nodeID: nodeId('Team', related['team'] ?? 0), name: 'Some team' };
        expect(payload.team).toEqual({ ...team, account: { id: 'wdc', name: 'Widget Data Center' } });
      }
      expect('member' in payload).toBe(owned.some(({ name }) => name === 'member'));
      expect('note_id' in payload).toBe(type.hasNotes === true);
    }
  });

  test('can be read by id and in its collection, in both APIs', async () => {
    const record = await create(type, required(type));
    const single = `query ($id: ID!) { ${memberName(type)}(id: $id) { id } }`;
    expect(await admin.ask(memberName(type), single, { id: record.id })).toEqual({ id: record.id });
    expect(await admin.ask(memberName(type), single, { id: nodeId('Person', 1) })).toBeNull();
    const entity = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on ${type.graphqlName} { ${titleOf(type)} } } }`;
    const of = [{ __typename: type.graphqlName, id: record.id }];
    expect(await admin.ask('_entities', entity, { of })).toEqual([{ [titleOf(type)]: record[titleOf(type)] }]);
    const list = `{ ${rootField(type)}(last: 1) { nodes { id } } }`;
    expect(await admin.ask(`${rootField(type)}.nodes`, list)).toEqual([{ id: record.id }]);
    const { body } = await admin.get(`/v1/${type.plural}?sort=-id&per_page=1&fields=nodeID`).expect(200);
    expect(body).toEqual([{ id: idOf(type, record), nodeID: record.id }]);
  });

  test("refuses invalid values, with the field's name", async () => {
    for (const field of type.fields.filter(({ written }) => !written)) {
      if (field.kind === 'choice') {
        const text = `mutation ($input: ${type.graphqlName}CreateInput!) { ${memberName(type)}Create(input: $input) { errors { message } } }`;
        const { errors } = await admin.graphql(text, {
          input: { ...required(type), [inputName(field)]: 'no_such_choice' },
        });
        expect(errors?.[0]?.message).toContain(`at "input.${inputName(field)}"`);
        continue;
      }
      const bad = badValue(field);
      if (bad === undefined) continue;
      const { record, errors } = await mutate(type, 'Create', { ...required(type), [inputName(field)]: bad });
      expect(record).toBeNull();
      expect(errors.map(({ path }) => path)).toEqual([[inputName(field)]]);
      expect(errors[0]?.message).toMatch(new RegExp(`^${field.label} `));
    }
    expect((await mutate(type, 'Create', {})).errors.map(({ message }) => message)).toContain(
      `${type.fields.find(({ name }) => name === titleOf(type))?.label} is required`,
    );
  });
});

test.each([
  ['startAt: "yesterday"', 'task'],
  ['startAt: "2026-02-30T00:00:00Z"', 'task'],
  ['startAt: "2026-02-03T00:00:00"', 'task'],
  ['targetAt: 5', 'workflow'],
  ['startDate: "2026-02-30"', 'project'],
  ['startDate: "18.3.2026"', 'project'],
])('the date %s is refused before anything is written', async (date, member) => {
  const { errors } = await admin.graphql(
    `mutation { ${member}Create(input: { subject: "s", ${date} }) { errors { message } } }`,
  );
  expect(errors?.length).toBe(1);
  expect(['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED']).toContain(errors?.[0]?.extensions.code);
});

const refusals = (type: RecordType, verb: 'Create' | 'Update', input: object) =>
  mutate(type, verb, input).then(({ errors }) => errors.map(({ message }) => message));

const typeNamed = (name: string) => recordTypes.find((type) => type.name === name) as RecordType;

test('the statuses of a task depend on its category, and a finished task must be reopened first', async () => {
  const task = typeNamed('task');
  expect(await refusals(task, 'Create', { subject: 's', status: 'approved' })).toEqual([
    'Status cannot be approved for the category implementation',
  ]);
  const { id } = await create(task, { subject: 's', category: 'approval', status: 'approved' });
  expect(await refusals(task, 'Update', { id, status: 'rejected' })).toEqual([
    'Status cannot go from approved to rejected',
  ]);
  expect(await refusals(task, 'Update', { id, status: 'assigned' })).toEqual([]);
});

test('a workflow cannot return to its initial status', async () => {
  const workflow = typeNamed('workflow');
  const { id, completedAt } = await create(workflow, { subject: 's', status: 'completed' });
  expect(completedAt).toMatch(/Z$/);
  expect(await refusals(workflow, 'Update', { id, status: 'registered' })).toEqual([
    'Status cannot go from completed to registered',
  ]);
  expect(await refusals(workflow, 'Update', { id, status: 'in_progress' })).toEqual([]);
});

test('an end before the start is refused', async () => {
  expect(
    await refusals(typeNamed('project'), 'Create', { subject: 's', startDate: '2026-05-02', endDate: '2026-05-01' }),
  ).toEqual(['End date is before the start date']);
});

test('a problem can wait for a workflow only when it refers to one', async () => {
  expect(await refusals(typeNamed('problem'), 'Create', { subject: 's', status: 'workflow_pending' })).toEqual([
    'Workflow is required while the status is workflow_pending',
  ]);
});

test('time spent is an update without an audit line', async () => {
  const request = typeNamed('request');
  const record = await create(request, { subject: 's' });
  await mutate(request, 'Update', { id: record.id, timeSpent: 30 });
  const event = await waitUntil('the update', () => eventsOf(request, idOf(request, record))[1]);
  expect(event.event).toBe('request.update');
  expect(event.payload).not.toHaveProperty('audit_line_id');
});
