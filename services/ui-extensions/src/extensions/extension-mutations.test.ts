import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { bodyIn, startStore } from '../testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

type Client = ReturnType<Awaited<ReturnType<typeof store.start>>['as']>;

const ask = async (client: Client, query: string, variables: object = {}): Promise<unknown> =>
  bodyIn(await client.post('/graphql').send({ query, variables }).expect(200));

const create = (client: Client, input: object) =>
  ask(
    client,
    `mutation ($input: UiExtensionCreateInput!) { uiExtensionCreate(input: $input) {
      uiExtension { id name disabled activeVersion { versionNr css } preparedVersion { id versionNr html useDesigner } }
      errors { message path } clientMutationId
    } }`,
    { input },
  );

const update = (client: Client, input: object) =>
  ask(
    client,
    `mutation ($input: UiExtensionUpdateInput!) { uiExtensionUpdate(input: $input) {
      uiExtension { name title activeVersion { versionNr html status localizedHtml(locale: "nl-BE")
        translations { locale texts { phrase text } } formattedActivatedAt formattedArchivedAt } preparedVersion { versionNr } }
      errors { message path } clientMutationId
    } }`,
    { input },
  );

const node = (id: number): string => toNodeId('service.example', 'UiExtension', id);

test('uiExtensionCreate makes an extension with version 1 being prepared', async () => {
  const { as } = await store.start();
  const form = JSON.stringify({ sections: [{ name: 'A', fields: [] }] });
  const input = { name: ' Laptop ', formDefinition: form, disabled: true, clientMutationId: 'c1' };
  expect(await create(as('wdc'), input)).toEqual({
    data: {
      uiExtensionCreate: {
        uiExtension: {
          id: node(1),
          name: 'Laptop',
          disabled: true,
          activeVersion: null,
          preparedVersion: {
            id: toNodeId('service.example', 'UiExtensionVersion', 1),
            versionNr: 1,
            html: null,
            useDesigner: true,
          },
        },
        errors: [],
        clientMutationId: 'c1',
      },
    },
  });
});

test('uiExtensionUpdate edits, translates and activates in one call', async () => {
  const { as } = await store.start();
  await create(as('wdc'), { name: 'A', html: '<p>Order</p>' });
  const translations = [{ locale: 'NL', texts: [{ phrase: 'Order', text: 'Bestel' }] }];
  expect(await update(as('wdc'), { id: node(1), title: 'T', translations, activate: true })).toEqual({
    data: {
      uiExtensionUpdate: {
        uiExtension: {
          name: 'A',
          title: 'T',
          preparedVersion: { versionNr: 2 },
          activeVersion: {
            versionNr: 1,
            html: '<p>Order</p>',
            status: 'active',
            localizedHtml: '<p>Bestel</p>',
            translations: [{ locale: 'nl', texts: [{ phrase: 'Order', text: 'Bestel' }] }],
            formattedActivatedAt: 'Mar 18, 2026, 7:04 PM',
            formattedArchivedAt: '',
          },
        },
        errors: [],
        clientMutationId: null,
      },
    },
  });
  expect(await update(as('wdc'), { id: '1', translations: [{ locale: 'nl' }], activate: true })).toMatchObject({
    data: {
      uiExtensionUpdate: { uiExtension: { activeVersion: { translations: [], localizedHtml: '<p>Order</p>' } } },
    },
  });
});

test.each([
  [{ name: '' }, 'name', 'Name is required'],
  [{ css: '.a {' }, 'css', 'Css is not valid: expected end of rule. (line 1, column 5)'],
  [{ formDefinition: '[' }, 'formDefinition', 'Form definition must be a JSON object'],
  [{ javascript: 'x'.repeat(65_537) }, 'javascript', 'JavaScript is longer than 64 KB (65,536 bytes of UTF-8)'],
  [{ darkModeSafe: null }, 'darkModeSafe', 'Dark mode safe is not true or false'],
  [{ translations: [{ locale: 'a b', texts: [] }] }, 'translations', 'a b is not a locale'],
  [
    { translations: [{ locale: 'nl', texts: [{ phrase: 'X', text: 'Y' }] }] },
    'translations',
    'Translations of nl: there is no phrase "X"',
  ],
])('%j is refused in errors, with the member', async (input, member, message) => {
  const { as } = await store.start();
  await create(as('wdc'), { name: 'A' });
  expect(await update(as('wdc'), { id: node(1), ...input, clientMutationId: 'c' })).toEqual({
    data: { uiExtensionUpdate: { uiExtension: null, errors: [{ message, path: [member] }], clientMutationId: 'c' } },
  });
});

test('an unknown, malformed or foreign id is Not Found in mutations and null in uiExtension', async () => {
  const { as } = await store.start();
  await create(as('wdc'), { name: 'A' });
  const missing = { errors: [{ message: 'Not Found', extensions: { code: 'NOT_FOUND' } }] };
  for (const id of [node(2), 'x', toNodeId('service.example', 'Request', 1)])
    expect(await update(as('wdc'), { id, name: 'B' })).toMatchObject(missing);
  expect(await update(as('acme'), { id: node(1), name: 'B' })).toMatchObject(missing);
  const find = (client: Client, id: string) => ask(client, `{ uiExtension(id: "${id}") { name } }`);
  expect(await find(as('wdc'), node(1))).toEqual({ data: { uiExtension: { name: 'A' } } });
  for (const [client, id] of [[as('acme'), node(1)] as const, [as('wdc'), node(2)] as const, [as('wdc'), 'x'] as const])
    expect(await find(client, id)).toEqual({ data: { uiExtension: null } });
});

test('only an account administrator writes', async () => {
  const { as } = await store.start();
  const forbidden = { errors: [{ message: 'Forbidden', extensions: { code: 'FORBIDDEN' } }] };
  const specialist = as('wdc', { accounts: { wdc: ['specialist'] } });
  expect(await create(specialist, { name: 'A' })).toMatchObject(forbidden);
  await create(as('wdc'), { name: 'A' });
  expect(await update(specialist, { id: node(1), name: 'B' })).toMatchObject(forbidden);
});

test('uiExtensions are filtered and ordered, with cursors in both directions', async () => {
  const { as } = await store.start();
  const client = as('wdc');
  for (const [name, category] of [
    ['B', 'x'],
    ['A', 'y'],
    ['D', 'x'],
    ['C', null],
  ])
    await create(client, { name, category });
  const page = async (args: string) => {
    const fields = '{ nodes { name } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';
    const answer = await ask(client, `{ uiExtensions(${args}) ${fields} }`);
    const { nodes, totalCount, pageInfo } = (answer as { data: { uiExtensions: Page } }).data.uiExtensions;
    return { names: nodes.map(({ name }) => name).join(''), totalCount, ...pageInfo };
  };
  const byName = 'order: [{ field: name, direction: desc }]';
  const first = await page(`first: 2, ${byName}`);
  expect(first).toMatchObject({ names: 'DC', totalCount: 4, hasNextPage: true, hasPreviousPage: false });
  expect(await page(`first: 2, ${byName}, after: "${first.endCursor}"`)).toMatchObject({
    names: 'BA',
    hasNextPage: false,
  });
  const last = await page(`last: 2, ${byName}`);
  expect(last).toMatchObject({ names: 'BA', hasPreviousPage: true });
  expect(await page(`last: 1, ${byName}, before: "${last.startCursor}"`)).toMatchObject({
    names: 'C',
    hasPreviousPage: true,
  });
  expect(await page(`first: 9, ${byName}, after: "${first.startCursor}", before: "${last.endCursor}"`)).toMatchObject({
    names: 'CB',
  });
  expect(await page('first: 9, filter: { category: { values: ["x"] } }')).toMatchObject({ names: 'BD', totalCount: 2 });
  expect(await page('first: 9, filter: { category: { values: ["x", null], negate: true } }')).toMatchObject({
    names: 'A',
  });
  expect(await page('first: 9, filter: { disabled: true }')).toMatchObject({ names: '', totalCount: 0 });
  const since = (time: string) =>
    page(`first: 9, view: current_account, filter: { createdAt: { greaterThanOrEqualTo: "${time}" } }`);
  expect([(await since('2026-03-18T19:04:06Z')).names, (await since('2026-03-18T19:04:07Z')).names]).toEqual([
    'BADC',
    '',
  ]);
  expect(await ask(client, '{ uiExtensions(first: 1, after: "x") { totalCount } }')).toMatchObject({
    errors: [{ message: 'after is not a cursor of this collection', extensions: { code: 'BAD_USER_INPUT' } }],
  });
});

interface Page {
  readonly nodes: readonly { readonly name: string }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly startCursor: string; readonly endCursor: string };
}
