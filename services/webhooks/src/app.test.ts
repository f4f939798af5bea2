import request from 'supertest';
import type { Router } from 'express';
import { allowedAction } from '@itsm/shared/api/identity/allow';
import { startEngines, startService } from './testing/start';
import type { Engines, Service } from './testing/start';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

type Layer = Router['stack'][number];

const routesOf = (layers: readonly Layer[]): NonNullable<Layer['route']>[] =>
  layers.flatMap(({ route, handle }) => [
    ...(route ? [route] : []),
    ...routesOf((handle as Partial<Router>).stack ?? []),
  ]);

test('every route names the action it needs, except the callback, the pages and what policies publish', () => {
  const callback = '/accounts/:account/webhooks/:id/verify';
  const published = ['jwks', '.well-known/openid-configuration'].map(
    (document) => `get /accounts/:account/webhook_policies/:name/${document}`,
  );
  // A token in the link authorizes these pages, no caller JWT.
  const pages = ['get /accounts/:account/webhooks/:id/page', 'post /accounts/:account/webhooks/:id/resend'];
  const routes = routesOf((service.app.http as unknown as { router: Router }).router.stack);
  const unguarded = routes.flatMap(({ path, stack }) => {
    const methods = new Set(stack.flatMap(({ method }) => method ?? []));
    const guarded = new Set(
      stack.flatMap(({ method, handle }) => (method && allowedAction(handle) !== undefined ? [method] : [])),
    );
    return [...methods].filter((method) => !guarded.has(method)).map((method) => `${method} ${path}`);
  });
  expect(routes.length).toBeGreaterThan(5);
  // The subgraph's own routes are guarded field by field; GET is the schema. What types are is public.
  expect(unguarded.sort()).toEqual(
    [
      'get /',
      'get /v1/types',
      'post /',
      ...published,
      ...pages,
      ...['get', 'head', 'post'].map((method) => `${method} ${callback}`),
    ].sort(),
  );
});

test('every root field of the subgraph names the action it needs', () => {
  const { Query, Mutation } = service.app.resolvers;
  const fields = Object.entries<object>({ ...Query, ...Mutation });
  expect(fields.length).toBeGreaterThan(12);
  for (const [name, resolver] of fields)
    expect([name, allowedAction(resolver)]).toEqual([name, expect.stringMatching(/^webhook(-policy)?:[A-Z]/)]);
});

test('the subgraph hands out its schema and asks operations for a caller', async () => {
  const { text } = await request(service.app.http).get('/graphql').expect(200);
  expect(text).toContain('type Webhook implements Node');
  await request(service.app.http).post('/graphql').send({ query: '{ __typename }' }).expect(401);
});
