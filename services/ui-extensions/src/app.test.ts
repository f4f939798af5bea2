import { allowedAction } from '@itsm/shared/api/identity/allow';
import { bodyIn, startStore } from './testing/start-service';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

interface Layer {
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: string; readonly stack: readonly (Layer & { readonly method?: string })[] };
}

const routesIn = (layers: readonly Layer[]): NonNullable<Layer['route']>[] =>
  layers.flatMap(({ route, handle }) => (route ? [route] : routesIn(handle.stack ?? [])));

test('every REST endpoint declares its action before its handler', async () => {
  const { app } = await store.start();
  const router = app.http.router as unknown as { readonly stack: readonly Layer[] };
  const endpoints = routesIn(router.stack).flatMap(({ path, stack }) =>
    [...new Set(stack.flatMap(({ method }) => (method ? [method] : [])))].map((method) => ({
      endpoint: `${method} ${path}`,
      action: allowedAction(stack.find((layer) => layer.method === method)?.handle ?? {}),
    })),
  );
  const ofExtensions = [
    { endpoint: 'post /:id/preview', action: 'ui-extension:Read' },
    { endpoint: 'get /:id/versions', action: 'ui-extension:Read' },
    { endpoint: 'get /:id/versions/:versionId', action: 'ui-extension:Read' },
    { endpoint: 'get /:id/versions/:versionId/audit', action: 'ui-extension:Read' },
    { endpoint: 'get /:id/audit', action: 'ui-extension:Read' },
    { endpoint: 'get /:id/translations', action: 'ui-extension:Read' },
    { endpoint: 'get /:id/translations/:locale', action: 'ui-extension:Read' },
    { endpoint: 'put /:id/translations/:locale', action: 'ui-extension:Update' },
    { endpoint: 'delete /:id/translations/:locale', action: 'ui-extension:Update' },
    { endpoint: 'get /current_account', action: 'ui-extension:Read' },
    { endpoint: 'get /enabled', action: 'ui-extension:Read' },
    { endpoint: 'get /disabled', action: 'ui-extension:Read' },
    { endpoint: 'get /', action: 'ui-extension:Read' },
    { endpoint: 'post /', action: 'ui-extension:Create' },
    { endpoint: 'get /:id', action: 'ui-extension:Read' },
    { endpoint: 'patch /:id', action: 'ui-extension:Update' },
    { endpoint: 'put /:id', action: 'ui-extension:Update' },
  ];
  expect(endpoints).toEqual([
    // The subgraph: its SDL is public, and operations are authorized field by field.
    { endpoint: 'get /', action: undefined },
    { endpoint: 'post /', action: undefined },
    // What types are is public.
    { endpoint: 'get /v1/types', action: undefined },
    // Previews: the token in the URL authorizes.
    { endpoint: 'get /:token', action: undefined },
    { endpoint: 'get /:token/content', action: undefined },
    // With and without the API version in the path.
    ...ofExtensions,
    ...ofExtensions,
  ]);
});

test('every GraphQL root field needs a scope', async () => {
  const { as } = await store.start();
  const stranger = as('wdc', { scopes: [] });
  const ask = (query: string) => stranger.post('/graphql').send({ query }).expect(200);
  const fields = '{ queryType { fields { name } } mutationType { fields { name } } }';
  const { data } = bodyIn(await ask(`{ __schema ${fields} }`)) as {
    data: { __schema: Record<string, { fields: { name: string }[] }> };
  };
  const names = Object.values(data.__schema).flatMap((type) => type.fields.map(({ name }) => name));
  const calls: [name: string, action: string, call: string][] = [
    ['uiExtensions', 'Read', '{ uiExtensions(first: 1) { totalCount } }'],
    ['uiExtension', 'Read', '{ uiExtension(id: "1") { name } }'],
    ['uiExtensionCreate', 'Create', 'mutation { uiExtensionCreate(input: { name: "A" }) { errors { message } } }'],
    ['uiExtensionUpdate', 'Update', 'mutation { uiExtensionUpdate(input: { id: "1" }) { errors { message } } }'],
  ];
  expect(names.filter((name) => !name.startsWith('_'))).toEqual(calls.map(([name]) => name));
  for (const [name, action, call] of calls) {
    const refusal = { message: `Missing required scope(s): ui-extension:${action}`, path: [name] };
    expect(bodyIn(await ask(call))).toMatchObject({ errors: [refusal] });
  }
});

test('an unknown path is not found', async () => {
  const { anonymous } = await store.start();
  await anonymous.get('/nothing').expect(404, { message: 'Not Found' });
});

test('there are no events: the collections after an extension was created, edited and activated', async () => {
  const { as, collections } = await store.start();
  await as('wdc').post('/v1/ui_extensions').send({ name: 'A', html: 'a' }).expect(201);
  await as('wdc').patch('/v1/ui_extensions/1').send({ html: 'b', activate: true }).expect(200);
  await as('wdc').patch('/v1/ui_extensions/1').send({ activate: true }).expect(200);
  await as('wdc').patch('/v1/ui_extensions/1').send({ activate: true }).expect(200);
  expect(await collections()).toEqual([
    'archived_versions',
    'audit_lines',
    'extensions',
    'generated_texts',
    'idempotent_calls',
    'previews',
    'processes',
    'sequences',
    'upgrades',
  ]);
});
