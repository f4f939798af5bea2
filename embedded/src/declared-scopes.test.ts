import type { GraphQLSchema } from 'graphql';
import { startScopedPlatform } from './testing/scoped-platform';
import type { ScopedPlatform } from './testing/scoped-platform';
import { fieldQueries, groupBy, mutationQuery } from './testing/field-queries';
import type { FieldQuery } from './testing/field-queries';

let platform: ScopedPlatform;
let schema: GraphQLSchema;
let scopes: ScopedPlatform['scopes'];
beforeAll(async () => {
  platform = await startScopedPlatform();
  ({ schema, scopes } = platform);
});
afterAll(() => platform.close());
const tokenOf = (actions: readonly string[]) => platform.tokenOf(actions);
const ask = <T>(token: string, query: string) => platform.ask<T>(token, query);

/** Their scope depends on the record that they return, or they need none. */
const notAsked = new Set([
  'Query.node',
  'Query.rateLimit',
  'Note.record',
  'AuditLine.record',
  'WebhookDelivery.record',
]);
/** Readable only by the person themself, whatever the scopes. */
const ofOneself = new Set(['Person.memberships']);
const asked = (): FieldQuery[] =>
  fieldQueries(
    schema,
    (name) => !notAsked.has(name) && !ofOneself.has(name),
    (name) => scopeOf(name) === undefined,
  );

const missing = 'Missing required scope(s): ';
const scopeOf = (name: string): string | undefined => scopes.fields[name];
const actionsOf = (names: readonly string[]): string[] =>
  [...new Set(names.flatMap((name) => scopeOf(name) ?? []))].sort();

/** All mutations of the schema. */
const mutations = () => Object.values(schema.getMutationType()?.getFields() ?? {});

test('with the declared scopes every field is answered', async () => {
  const groups = groupBy(asked(), ({ above, name }) => actionsOf([...above, name]).join(' '));
  expect(groups.size).toBeGreaterThan(40);
  const faults: object[] = [];
  for (const [actions, fields] of groups) {
    const token = await tokenOf(actions.split(' '));
    for (const { name, query } of fields) {
      const { errors } = await ask(token, query);
      if (errors) faults.push({ name, query, actions, errors });
    }
  }
  expect(faults).toEqual([]);
});

/** Empty here: nobody has authorized an application on the consent page, or changed somebody else there. */
const withoutData = new Set(['OAuthAuthorization.person', 'SecurityLogEntry.actor']);

test('without its declared scope each field is refused', async () => {
  const guarded = asked().filter(
    ({ above, name }) => scopeOf(name) && !actionsOf(above).includes(scopeOf(name) ?? '') && !withoutData.has(name),
  );
  const every = [...new Set(Object.values(scopes.fields))];
  const silent: string[] = [];
  for (const [action, fields] of groupBy(guarded, ({ name }) => scopeOf(name) ?? '')) {
    const token = await tokenOf(every.filter((other) => other !== action));
    for (const { name, query } of fields) {
      const { errors = [] } = await ask(token, query);
      const isRefused = errors.some(
        ({ message, path }) => message === missing + action && path?.includes(name.split('.')[1] ?? ''),
      );
      if (!isRefused) silent.push(name);
    }
  }
  expect(guarded.length).toBeGreaterThan(60);
  expect(silent).toEqual([]);
});

test('mutations need their declared scopes, and no others', async () => {
  const every = [...new Set(Object.values(scopes.fields))];
  for (const [action, fields] of groupBy(mutations(), ({ name }) => scopeOf(`Mutation.${name}`) ?? '')) {
    const without = await tokenOf(every.filter((other) => other !== action));
    for (const field of fields) {
      const { errors } = await ask(without, mutationQuery(field));
      expect([field.name, errors?.map(({ message }) => message)]).toEqual([field.name, [missing + action]]);
    }
    const token = await tokenOf([action]);
    for (const field of fields) {
      const { errors = [] } = await ask(token, mutationQuery(field));
      expect([field.name, errors.filter(({ message }) => message.startsWith(missing))]).toEqual([field.name, []]);
    }
  }
});

test('every declared scope can be chosen, and has a label', () => {
  const offered = new Map(scopes.actions.map(({ action, label }) => [action, label]));
  const named = [...Object.values(scopes.fields), ...Object.values(scopes.types)];
  expect(named.filter((action) => !offered.has(action))).toEqual([]);
  expect(offered.get('request:Read')).toBe('See requests');
  expect(scopes.fields).toMatchObject({
    'Query.requests': 'request:Read',
    'Request.notes': 'note:Read',
    'Request.requestedBy': 'person:Read',
    'WebhookDelivery.webhook': 'webhook:Read',
    'Mutation.requestCreate': 'request:Create',
  });
  expect(scopes.fields).not.toHaveProperty(['Request.subject']);
  expect(scopes.types).toMatchObject({ Request: 'request:Read', Person: 'person:Read' });
});
