import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { idIn, startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

async function startWithExtensions() {
  const service = await store.start();
  const client = service.as('wdc');
  const post = (name: string) =>
    client
      .post('/v1/ui_extensions')
      .send({ name, html: `<p>${name}</p>` })
      .expect(201);
  const ids = [idIn(await post('A')), idIn(await post('B')), idIn(await post('C'))];
  for (let count = 0; count < 4; count += 1)
    await client.patch(`/v1/ui_extensions/${ids[0]}`).send({ activate: true }).expect(200);
  const ask = async (query: string, as = client): Promise<unknown> => {
    const answer = await as.post('/graphql').send({ query }).expect(200);
    return answer.body as unknown;
  };
  return { ...service, ask };
}

const node = (type: string, id: number): string => toNodeId('service.example', type, id);

test('extensions and their versions are connections', async () => {
  const { ask } = await startWithExtensions();
  const answer = await ask(`{
    uiExtensions(first: 2) {
      totalCount
      pageInfo { hasNextPage }
      nodes {
        id name title category description disabled createdAt
        versions(last: 2) { totalCount pageInfo { hasPreviousPage } nodes { id versionNr status html phrases uiExtension { name } } }
      }
    }
  }`);
  const described = {
    title: null,
    category: null,
    description: null,
    disabled: false,
    createdAt: '2026-03-18T19:04:06Z',
  };
  const version = (id: number, versionNr: number, status: string, name: string) => ({
    id: node('UiExtensionVersion', id),
    versionNr,
    status,
    html: `<p>${name}</p>`,
    phrases: [name],
    uiExtension: { name },
  });
  expect(answer).toEqual({
    data: {
      uiExtensions: {
        totalCount: 3,
        pageInfo: { hasNextPage: true },
        nodes: [
          {
            id: node('UiExtension', 1),
            name: 'A',
            ...described,
            versions: {
              totalCount: 5,
              pageInfo: { hasPreviousPage: true },
              nodes: [version(6, 4, 'active', 'A'), version(7, 5, 'being_prepared', 'A')],
            },
          },
          {
            id: node('UiExtension', 2),
            name: 'B',
            ...described,
            versions: {
              totalCount: 1,
              pageInfo: { hasPreviousPage: false },
              nodes: [version(2, 1, 'being_prepared', 'B')],
            },
          },
        ],
      },
    },
  });
});

test('cursors lead through archived and current versions in both directions', async () => {
  const { ask } = await startWithExtensions();
  const page = async (args: string) => {
    const answer = (await ask(`{ uiExtensions(first: 1) { nodes { versions(${args}) {
      nodes { versionNr } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    } } } }`)) as { data: { uiExtensions: { nodes: [{ versions: Versions }] } } };
    const { nodes, pageInfo } = answer.data.uiExtensions.nodes[0].versions;
    return { numbers: nodes.map(({ versionNr }) => versionNr), ...pageInfo };
  };
  const first = await page('first: 2');
  expect(first).toMatchObject({ numbers: [1, 2], hasNextPage: true, hasPreviousPage: false });
  const second = await page(`first: 2, after: "${first.endCursor}"`);
  expect(second).toMatchObject({ numbers: [3, 4], hasNextPage: true });
  expect(await page(`first: 2, after: "${second.endCursor}"`)).toMatchObject({ numbers: [5], hasNextPage: false });
  expect(await page(`last: 2, before: "${second.endCursor}"`)).toMatchObject({
    numbers: [2, 3],
    hasPreviousPage: true,
  });
  expect(await page(`first: 9, after: "${first.startCursor}", before: "${second.endCursor}"`)).toMatchObject({
    numbers: [2, 3],
  });
});

interface Versions {
  readonly nodes: readonly { readonly versionNr: number }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
}

const entities = (...references: [type: string, id: string][]): string => {
  const representations = references.map(([type, id]) => `{__typename: "${type}", id: "${id}"}`).join(', ');
  return `{ _entities(representations: [${representations}]) { ... on UiExtension { name } ... on UiExtensionVersion { versionNr status } } }`;
};

test('entities are found by their node id, whatever the status of the version', async () => {
  const { ask } = await startWithExtensions();
  const versions = [1, 4, 5, 6, 7].map((id): [string, string] => [
    'UiExtensionVersion',
    node('UiExtensionVersion', id),
  ]);
  expect(await ask(entities(['UiExtension', node('UiExtension', 2)], ...versions))).toEqual({
    data: {
      _entities: [
        { name: 'B' },
        { versionNr: 1, status: 'archived' },
        { versionNr: 2, status: 'archived' },
        { versionNr: 3, status: 'archived' },
        { versionNr: 4, status: 'active' },
        { versionNr: 5, status: 'being_prepared' },
      ],
    },
  });
});

test("another account's, unknown and malformed ids are null", async () => {
  const { ask, as } = await startWithExtensions();
  const nothing = { data: { _entities: [null, null] } };
  const real = entities(['UiExtension', node('UiExtension', 1)], ['UiExtensionVersion', node('UiExtensionVersion', 1)]);
  expect(await ask(real, as('acme'))).toEqual(nothing);
  expect(await ask(entities(['UiExtension', 'x'], ['UiExtensionVersion', node('UiExtension', 1)]))).toEqual(nothing);
  expect(await ask('{ uiExtensions(first: 5) { totalCount nodes { id } } }', as('acme'))).toEqual({
    data: { uiExtensions: { totalCount: 0, nodes: [] } },
  });
});

test('without the scope neither the connection nor the entities answer', async () => {
  const { ask, as } = await startWithExtensions();
  const stranger = as('wdc', { scopes: [{ effect: 'allow', actions: ['request:*'] }] });
  const refusal = {
    message: 'Missing required scope(s): ui-extension:Read',
    extensions: { code: 'FORBIDDEN' },
  };
  expect(await ask('{ uiExtensions(first: 5) { totalCount } }', stranger)).toMatchObject({ errors: [refusal] });
  expect(await ask(entities(['UiExtension', node('UiExtension', 1)]), stranger)).toMatchObject({ errors: [refusal] });
});

test('the SDL needs no token, for composition; operations need one', async () => {
  const { anonymous } = await store.start();
  const { text } = await anonymous.get('/graphql').expect(200);
  expect(text).toContain('type UiExtension implements Node @key(fields: "id")');
  await anonymous.post('/graphql').send({ query: '{ __typename }' }).expect(401, { message: 'Unauthorized' });
});
