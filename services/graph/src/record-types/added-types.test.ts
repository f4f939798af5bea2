import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { typesWithAdded } from '../testing/added-types';
import { createImporters } from '../testing/importers';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys, undefined, { types: typesWithAdded });
  await graph.publishAccount({ id: 'wdc' });
  await graph.publishPerson({ id: 2 });
  specialist = graph.as('specialist', { sub: '2' });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

interface Payload {
  readonly request: Record<string, unknown> | null;
  readonly errors: readonly { readonly message: string }[];
}

const createItem = () =>
  specialist.ask<{ id: string; number: number }>(
    'configurationItemCreate.configurationItem',
    'mutation { configurationItemCreate(input: { name: "Server" }) { configurationItem { id number } } }',
  );

const createRequest = (item: string) =>
  specialist.ask<Payload>(
    'requestCreate',
    `mutation ($item: ID) { requestCreate(input: { subject: "R", configurationItemId: $item }) {
      request { id configurationItem { id } auditLines(first: 1) { nodes { changes { field to } } } }
      errors { message }
    } }`,
    { item },
  );

test('a record refers to one of a type with irregular names, in both directions', async () => {
  const { id, number } = await createItem();
  const { request, errors } = await createRequest(id);
  expect(errors).toEqual([]);
  expect(request).toMatchObject({ configurationItem: { id } });
  expect(request?.['auditLines']).toMatchObject({
    nodes: [{ changes: expect.arrayContaining([{ field: 'configurationItem', to: id }]) as unknown }],
  });
  expect(
    await specialist.ask('cis.nodes', '{ cis(first: 5) { nodes { id requests(first: 5) { nodes { id } } } } }'),
  ).toEqual([{ id, requests: { nodes: [{ id: request?.['id'] }] } }]);
  const filtered = `{ requests(first: 5, filter: { configurationItem: { values: ["${id}"] } }) { nodes { id } } }`;
  expect(await specialist.ask('requests.nodes', filtered)).toEqual([{ id: request?.['id'] }]);
  const { body } = await specialist.get(`/v1/requests/${String(request?.['id'])}`).expect(200);
  expect(body).toMatchObject({ configuration_item: { id: number, name: 'Server' } });
  const { body: shown } = await specialist.get(`/v1/cis/${number}`).expect(200);
  expect(shown).toMatchObject({ id: number, nodeID: id, name: 'Server' });
});

test('a record of another type is refused by the label of the field', async () => {
  for (const other of [nodeId('Ci', 1), nodeId('Team', 1), nodeId('ConfigurationItem', 999_999)])
    expect(await createRequest(other)).toEqual({
      request: null,
      errors: [{ message: 'Configuration item was not found' }],
    });
});

test('a row of an import refers to it by number or node id', async () => {
  const importer = createImporters(graph.app.http, keys)();
  await importer.run('ci', 'name\nServer');
  const [item] = await importer.list('/v1/cis');
  const rows = `subject,configuration_item_id\nA,${String(item?.['id'])}\nB,${String(item?.['nodeID'])}\nC,${nodeId('Ci', 1)}`;
  expect((await importer.run('request', rows)).results).toMatchObject({ created: 2, failures: 1 });
  const named = { configuration_item: { id: item?.['id'] } };
  expect(await importer.list('/v1/requests?fields=configuration_item')).toMatchObject([named, named]);
});
