import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { roles } from '@itsm/shared/contracts/directory';
import { memberName, rootField } from '@itsm/shared/declared/names';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { recordTypes } from '../record-types/all';
import { keepers, moveNames } from '../record-types/life-cycle';
import type { Move } from '../record-types/life-cycle';
import { titleField } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { lifeCycleSteps } from '../testing/life-cycle-steps';
import type { Made } from '../testing/life-cycle-steps';
import { startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let administrator: Client;
let steps: ReturnType<typeof lifeCycleSteps>;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  administrator = graph.as('account_administrator', { sub: '2', name: 'Ada' });
  steps = lifeCycleSteps(administrator);
  await graph.publishPerson({ id: 2, name: 'Ada' });
  await graph.publishPerson({ id: 3, name: 'Sam' });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

/** In which lists a record is found, and in which ways by itself. */
async function whereabouts(type: RecordType, { id, nodeID, title }: Made & { title: string }) {
  const root = rootField(type);
  const all = await administrator.graphql(`{
    list: ${root}(first: 100) { totalCount nodes { id } }
    all: ${root}(first: 100, view: all) { nodes { id } }
    ordered: ${root}(first: 100, order: [{ field: updatedAt, direction: desc }]) { nodes { id } }
    searched: ${root}(first: 100, filter: { query: "${title}" }) { totalCount nodes { id } }
    filtered: ${root}(first: 100, filter: { ${titleField(type)}: { values: ["${title}"] } }) { totalCount nodes { id } }
    archive: ${root}(first: 100, view: archive, filter: { query: "${title}" }) { totalCount nodes { id lifeCycleState } }
    trash: ${root}(first: 100, view: trash, filter: { query: "${title}" }) { totalCount nodes { id lifeCycleState } }
    single: ${memberName(type)}(id: "${nodeID}") { id }
    entity: _entities(representations: [{ __typename: "${type.graphqlName}", id: "${nodeID}" }]) { ... on ${type.graphqlName} { id } }
  }`);
  expect(all.errors).toBeUndefined();
  const data = all.data as Record<string, { nodes: Made[]; totalCount: number } & { id: string }>;
  const isIn = (name: string) => data[name]?.nodes.some((node) => String(node.id) === nodeID) ?? false;
  const rest = (await administrator.get(`/v1/${type.plural}?per_page=100`).expect(200)).body as Made[];
  const aside = async (path: string) =>
    ((await administrator.get(`/v1/${path}?per_page=100`).expect(200)).body as Record<string, Made | null>[]).some(
      (entry) => entry[type.name]?.id === id,
    );
  return {
    lists: [...['list', 'all', 'ordered', 'searched', 'filtered'].map(isIn), rest.some((one) => one.id === id)],
    counts: [data['searched']?.totalCount, data['filtered']?.totalCount],
    total: data['list']?.totalCount ?? 0,
    archive: [isIn('archive'), data['archive']?.totalCount === 1, await aside('archive')],
    trash: [isIn('trash'), data['trash']?.totalCount === 1, await aside('trash')],
    single: [
      data['single'] !== null,
      (data['entity'] as unknown as unknown[])[0] !== null,
      (await administrator.get(`/v1/${type.plural}/${id}`)).status === 200,
    ],
  };
}

const [everywhere, nowhere, both] = [Array(6).fill(true), Array(6).fill(false), [true, true, true]];
const neither = [false, false, false];

describe.each(['REST', 'GraphQL'] as const)('through %s', (edge) => {
  test.each(recordTypes.map((type) => [type.name, type] as const))(
    'a %s is archived, trashed and restored',
    async (_name, type) => {
      const record = await steps.makeOne(type, type.hasNotes ? { note: 'Seen' } : {});
      const move = (to: Move) => steps.moveBy[edge](type, record, to);
      const active = await whereabouts(type, record);
      expect(active).toMatchObject({
        lists: everywhere,
        counts: [1, 1],
        archive: neither,
        trash: neither,
        single: both,
      });
      const before = (await administrator.get(`/v1/${type.plural}/${record.id}`)).body as object;
      const total = active.total - 1;
      await move('archive');
      expect(await whereabouts(type, record)).toEqual({
        lists: nowhere,
        counts: [0, 0],
        total,
        archive: both,
        trash: neither,
        single: both,
      });
      await move('trash');
      expect(await whereabouts(type, record)).toEqual({
        lists: nowhere,
        counts: [0, 0],
        total,
        archive: neither,
        trash: both,
        single: neither,
      });
      await move('restore');
      expect(await whereabouts(type, record)).toEqual(active);
      const after = (await administrator.get(`/v1/${type.plural}/${record.id}`)).body as object;
      expect({ ...after, updated_at: 0 }).toEqual({ ...before, updated_at: 0 });
      const lines = (await administrator.get(`/v1/${type.plural}/${record.id}/audit?sort=id`).expect(200))
        .body as object[];
      expect(lines.slice(1)).toMatchObject(
        [
          ['active', 'archived'],
          ['archived', 'trashed'],
          ['trashed', 'active'],
        ].map(([from, to]) => ({ person: { name: 'Ada' }, changes: [{ field: 'lifeCycleState', from, to }] })),
      );
      if (type.hasNotes)
        expect((await administrator.get(`/v1/${type.plural}/${record.id}/notes`)).body).toMatchObject([
          { text: 'Seen' },
        ]);
    },
  );

  test.each(recordTypes.map((type) => [type.name, type] as const))(
    'a %s is moved by administrators alone',
    async (_name, type) => {
      const record = await steps.makeOne(type);
      const scopes = [{ effect: 'allow' as const, actions: [`${type.name.replaceAll('_', '-')}:Read`] }];
      const clients = [
        ...roles.filter((role) => !keepers.includes(role)).map((role) => graph.as(role, { sub: '3' })),
        graph.as('account_administrator', { sub: '2', scopes }),
      ];
      for (const client of clients)
        for (const move of moveNames) await expect(steps.moveBy[edge](type, record, move, client)).rejects.toThrow();
      const foreign = graph.as('account_administrator', { sub: '2', home: 'acme' }, 'acme');
      for (const move of moveNames) await expect(steps.moveBy[edge](type, record, move, foreign)).rejects.toThrow();
      expect(await whereabouts(type, record)).toMatchObject({ lists: everywhere, single: both });
      await steps.moveBy[edge](type, record, 'trash', graph.as('directory_administrator', { sub: '2' }));
    },
  );
});
