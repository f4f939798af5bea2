import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { buildClientSchema, getIntrospectionQuery, isNonNullType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLSchema, IntrospectionQuery } from 'graphql';
import { recordTypes } from '../record-types/all';
import { nodeId, startGraph } from '../testing/start-graph';
import { inverseRelations } from '../read/record-relations';
import { columnName } from '../write/record.input';
import type { Client, Method, RunningGraph } from '../testing/start-graph';
import { inputName, memberName, restName } from '@itsm/shared/declared/names';
import type { Field, Kind } from '@itsm/shared/declared/language';
import { savedListType } from '../kept/saved-list';
import { textTemplateType } from '../kept/text-template';
import type { RecordType } from '../record-types/record-type';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let owner: Client;
let stranger: Client;
let schema: GraphQLSchema;
/** Node ids of the records of `wdc`, by GraphQL type. */
const theirs = new Map<string, string>();
const secret = 'Secretword';
/** What people keep beside records. */
const kept: readonly Kind[] = [savedListType, textTemplateType];

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  owner = graph.as('account_administrator', { sub: '2' });
  stranger = graph.as('account_administrator', { sub: '9', home: 'acme', name: 'Eve' }, 'acme');
  for (const id of ['wdc', 'acme']) await graph.publishAccount({ id });
  await graph.publishPerson({ id: 2, name: secret });
  await graph.publishPerson({ id: 9, accountId: 'acme', name: 'Eve' });
  theirs.set('Person', nodeId('Person', 2)).set('Account', nodeId('Account', 'wdc'));
  // Two passes, so that each type can refer to records of types that come after it.
  for (const type of [...recordTypes, ...recordTypes]) await createFull(type);
  for (const type of kept) await createKept(type);
  const request = theirs.get('Request') ?? '';
  const trail = await owner.ask<{ notes: { nodes: { id: string }[] }; auditLines: { nodes: { id: string }[] } }>(
    'request',
    `{ request(id: "${request}") { notes(first: 1) { nodes { id } } auditLines(first: 1) { nodes { id } } } }`,
  );
  theirs.set('Note', trail.notes.nodes[0]?.id ?? '').set('AuditLine', trail.auditLines.nodes[0]?.id ?? '');
  schema = buildClientSchema(
    await stranger
      .ask<IntrospectionQuery['__schema']>('__schema', getIntrospectionQuery())
      .then((__schema) => ({ __schema })),
  );
  await waitUntil('all events', () => graph.events.length >= 2 * recordTypes.length);
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

function theirValue(field: Field): unknown {
  if (field.kind === 'text') return field.name === 'source' ? 'src' : secret;
  if (field.kind === 'person') return theirs.get('Person');
  if (field.kind === 'people') return [theirs.get('Person')];
  if (field.kind === 'account') return theirs.get('Account');
  return field.kind === 'record' ? theirs.get(field.to.graphqlName) : undefined;
}

async function createFull(type: RecordType): Promise<void> {
  const values = type.fields
    .filter(({ written, name }) => !written && name !== 'sourceID')
    .map((field) => [inputName(field), theirValue(field)] as const)
    .filter(([, value]) => value !== undefined);
  const member = memberName(type);
  const input = { ...Object.fromEntries(values), ...(type.hasNotes && { note: secret }) };
  const payload = await owner.ask<Record<string, { id: string } | null>>(
    `${member}Create`,
    `mutation ($input: ${type.graphqlName}CreateInput!) { ${member}Create(input: $input) { ${member} { id } errors { message } } }`,
    { input },
  );
  const id = payload[member]?.id;
  if (id !== undefined) theirs.set(type.graphqlName, id);
}

async function createKept({ graphqlName, plural }: Kind): Promise<void> {
  const given = { name: secret, ...(plural === 'saved_lists' ? { type: 'Request' } : { text: secret }) };
  const { body } = await owner.rest('post', `/v1/${plural}`, given).expect(201);
  theirs.set(graphqlName, (body as { readonly nodeID: string }).nodeID);
}

/** Events are published, and records counted, some time after a write. */
const changesByItself = (member: string): boolean =>
  member.startsWith('outbox') || member === 'counted' || member === 'uncounted';

/** Everything that is stored, except what changes by itself. */
async function everything(): Promise<Readonly<Record<string, unknown>>> {
  const others = ['notes', 'audit_lines', 'notices', 'watches', 'visits', ...kept.map(({ plural }) => plural)];
  const names = [...recordTypes.map(({ plural }) => plural), ...others];
  const all = await Promise.all(
    names.map(async (name) => [name, await graph.connection.collection(name).find().sort({ _id: 1 }).toArray()]),
  );
  const text = JSON.stringify(all, (key, value: unknown) => (changesByItself(key) ? undefined : value));
  return Object.fromEntries(JSON.parse(text) as [string, unknown][]);
}

const fieldsOf = (root: 'Query' | 'Mutation'): GraphQLField<unknown, unknown>[] => {
  const type = schema.getType(root);
  return isObjectType(type) ? Object.values(type.getFields()) : [];
};

/** Selects every field of a type, with one page of each connection, to the given depth. */
function selectionOf(typeName: string, depth: number): string {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) return ' { id __typename }';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const name = String(field.type).replace(/[[\]!]/g, '');
    const args = field.args.some((arg) => arg.name === 'first') ? '(first: 50)' : '';
    const nested = schema.getType(name);
    const isLeaf = !isObjectType(nested) && name !== 'Node';
    if (isLeaf) return [field.name];
    return depth > 0 ? [`${field.name}${args}${selectionOf(name, depth - 1)}`] : [];
  });
  return ` { __typename ${fields.join(' ')} }`;
}

/** A value of an enum. */
const firstOf = (type: unknown): string | undefined => {
  const named = schema.getType(String(type).replace('!', ''));
  return named && 'getValues' in named ? named.getValues()[0]?.name : undefined;
};

const namesSecret = (answer: unknown): boolean => JSON.stringify(answer).includes(secret);

test('the account itself finds its secret through each of these queries', async () => {
  const roots = fieldsOf('Query').filter(({ args }) => args.some(({ name }) => name === 'view'));
  expect(roots).toHaveLength(recordTypes.length + kept.length);
  for (const { name, type } of roots) {
    expect([name, namesSecret(await owner.graphql(`{ ${name}(first: 50) ${selectionOf(String(type), 4)} }`))]).toEqual([
      name,
      true,
    ]);
  }
});

test('no query shows another account anything', async () => {
  const before = await everything();
  const ids = [...theirs.values()];
  const fields = fieldsOf('Query').filter(({ name }) => !name.startsWith('_'));
  // What is the caller's own; attachments.test.ts and mails.test.ts test these.
  const own = ['attachmentStorage', 'noticePreferences'];
  expect(fields.filter(({ args }) => args.length === 0).map(({ name }) => name)).toEqual(own);
  for (const field of fields.filter(({ args }) => args.length > 0)) {
    const isList = field.args.some(({ name }) => name === 'first');
    const views = schema.getType(`${String(field.type).replace('Connection', '')}View`);
    const viewNames = views && 'getValues' in views ? views.getValues().map(({ name }) => name) : [];
    const calls =
      isList && !views
        ? [`${field.name}(first: 50)`]
        : isList
          ? viewNames.map((view) => `${field.name}(first: 50, view: ${view})`)
          : ids.map((id) => `${field.name}(id: "${id}")`);
    for (const call of calls) {
      const answer = await stranger.graphql(`{ ${call} ${selectionOf(String(field.type), 4)} }`);
      expect([call, answer.errors]).toEqual([call, undefined]);
      const found = answer.data?.[field.name] as { totalCount?: number } | null;
      expect([call, found === null || found.totalCount === 0]).toEqual([call, true]);
    }
  }
  expect(await everything()).toEqual(before);
});

test('no entity shows another account anything', async () => {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    const implementsNode = type.getInterfaces().some(({ name }) => name === 'Node');
    if (!implementsNode && type.name !== 'Person') continue;
    const of = [...theirs.values()].map((id) => ({ __typename: type.name, id }));
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on ${type.name} ${selectionOf(type.name, 3)} } }`;
    const answer = await stranger.graphql(query, { of });
    expect(namesSecret(answer)).toBe(false);
    const found = (answer.data?.['_entities'] as (object | null)[]).filter((entity) => entity !== null);
    // The service resolves any person id, but a foreign person leads to no records.
    expect(found).toHaveLength(type.name === 'Person' ? 1 : 0);
    if (type.name === 'Person') expect(JSON.stringify(found)).not.toMatch(/"nodes":\[\{/);
  }
});

test('no mutation reads or changes anything of another account', async () => {
  const before = await everything();
  const events = graph.events.length;
  let refused = 0;
  for (const { name, args } of fieldsOf('Mutation')) {
    const inputType = String(args[0]?.type).replace('!', '');
    const input = schema.getType(inputType);
    if (!input || !('getFields' in input)) throw new Error(`${name} has no input`);
    const members = Object.values(input.getFields() as Record<string, { name: string; type: unknown }>);
    const idMembers = members.filter(({ type }) => /\bID\b/.test(String(type)));
    const title = members.find(({ name: member }) => member === 'subject' || member === 'name' || member === 'text');
    for (const { name: member, type } of idMembers) {
      for (const id of theirs.values()) {
        const value = String(type).startsWith('[') ? [id] : id;
        const required = members
          .filter((each) => isNonNullType(each.type) && each !== title)
          .map((each) => [each.name, firstOf(each.type) ?? id] as const);
        const given = { ...Object.fromEntries(required), ...(title && { [title.name]: 'Mine now' }), [member]: value };
        const result = (await stranger.graphql(
          `mutation ($input: ${inputType}!) { ${name}(input: $input) { errors { message } } }`,
          { input: given },
        )) as unknown as {
          data?: Record<string, { errors: unknown[] } | null>;
          errors?: { message: string }[];
        };
        const payload = result.data?.[name];
        const said = result.errors?.[0]?.message ?? JSON.stringify(payload?.errors);
        expect([name, member, said]).toEqual([name, member, expect.stringMatching(/^Not Found$|not found/)]);
        expect(namesSecret(result)).toBe(false);
        refused += 1;
      }
    }
  }
  expect(refused).toBeGreaterThan(100);
  expect(await everything()).toEqual(before);
  expect(graph.events).toHaveLength(events);
});

test('no REST path changes anything of another account', async () => {
  const before = await everything();
  const events = graph.events.length;
  for (const type of recordTypes) {
    const { plural, hasNotes, mutations, name } = type;
    const title = type.fields.find(({ kind }) => kind === 'text')?.name ?? '';
    const required = type.fields.filter((field) => field.required && field.kind === 'record');
    const children = inverseRelations(recordTypes).filter(({ parent }) => parent.name === name);
    const people = type.fields.filter(({ kind }) => kind === 'people').map((field) => restName(field.name));
    for (const id of theirs.values()) {
      const at = `/v1/${plural}/${id}`;
      const calls: [Method, string, object][] = [
        ...(mutations.update
          ? ([
              ['patch', at, {}],
              ['put', at, { [title]: 'Mine now' }],
            ] as [Method, string, object][])
          : []),
        ...(hasNotes ? [['post', `${at}/notes`, { text: 'Mine now' }] as [Method, string, object]] : []),
        ...children.map(({ field }): [Method, string, object] => ['post', `${at}/${restName(field)}`, {}]),
        ...people.flatMap((field): [Method, string, object][] => [
          ['post', `${at}/${field}`, { person_id: 9 }],
          ['delete', `${at}/${field}/2`, {}],
        ]),
      ];
      for (const [method, path, body] of calls) {
        const answer = await stranger.rest(method, path, body);
        expect([method, path, answer.status, answer.body]).toEqual([method, path, 404, { message: 'Not Found' }]);
      }
      for (const field of type.fields.filter(({ kind, written }) => !written && theirReferences.includes(kind))) {
        const body = {
          [title]: 'Mine now',
          ...Object.fromEntries(required.map((one) => [columnName(one), id])),
          [columnName(field)]: field.kind === 'people' ? [id] : id,
        };
        const answer = await stranger.rest('post', `/v1/${plural}`, body);
        expect([columnName(field), answer.status]).toEqual([columnName(field), 422]);
        expect(JSON.stringify(answer.body)).toMatch(/not found/);
        expect(namesSecret(answer.body)).toBe(false);
      }
    }
  }
  for (const id of theirs.values())
    for (const body of [{ ids: [id] }, { until: id }, { record_id: id }])
      await stranger.rest('post', '/v1/notices/read', body).expect(404, { message: 'Not Found' });
  expect(await everything()).toEqual(before);
  expect(graph.events).toHaveLength(events);
});

const theirReferences: readonly string[] = ['person', 'people', 'record', 'account'] satisfies Field['kind'][];

test('no REST path shows another account anything', async () => {
  for (const path of ['notices', 'archive', ...kept.map(({ plural }) => plural)])
    expect((await stranger.get(`/v1/${path}?fields=*`).expect(200)).body).toEqual([]);
  for (const { plural, hasNotes, graphqlName } of recordTypes) {
    expect((await stranger.get(`/v1/${plural}?fields=*`).expect(200)).body).toEqual([]);
    for (const id of theirs.values()) {
      const number = Buffer.from(id, 'base64url').toString().split('/').pop() ?? '';
      const note = theirs.get('Note');
      const tails = ['', '/audit', ...(hasNotes ? ['/notes', `/notes/${note}`] : [])];
      for (const tail of tails) {
        for (const given of [id, number])
          // A word is the name of no list; any other id is of no record. Neither says what the account has.
          await stranger
            .get(`/v1/${plural}/${given}${tail}`)
            .expect(404, /^{"message":"Not Found(: [a-z_]+ have no list wdc, [^"]*)?"}$/);
      }
    }
    const own = theirs.get(graphqlName) ?? '';
    expect(namesSecret((await owner.get(`/v1/${plural}/${own}`).expect(200)).body)).toBe(true);
  }
});
