import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { Closable } from '@itsm/shared/running/app';
import { recordTypes } from '../../services/graph/src/record-types/all';
import { memberName } from '../../services/graph/src/record-types/record-type';
import { openDataDirectory } from './data/data-directory';
import { startPlatform } from './platform';
import { fieldQueries, mutationQuery } from './testing/field-queries';
import type { FieldQuery } from './testing/field-queries';
import { creationOf, inOrderOfCreation } from './testing/sample-records';
import { startGateway } from './testing/start-gateway';
import type { StartedGateway } from './testing/start-gateway';

const folder = mkdtempSync(join(tmpdir(), 'itsm-scopes-'));
const opened: Closable[] = [];
let gateway: StartedGateway;
let administrator: string;
let schema: GraphQLSchema;
let scopes: {
  readonly actions: readonly { readonly action: string; readonly label: string }[];
  readonly fields: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string>>;
};
let tokenOf: (actions: readonly string[]) => Promise<string>;

interface Answer<T> {
  readonly data?: T;
  readonly errors?: readonly GraphQLFormattedError[];
}

const ask = async <T>(token: string, query: string): Promise<Answer<T>> =>
  JSON.parse(await gateway.ask(token, query)) as Answer<T>;

/** Runs a mutation as the administrator, and returns its payload. */
async function make<T>(mutation: string): Promise<T> {
  const { data, errors } = await ask<{ made: T & { errors: readonly unknown[] } }>(
    administrator,
    `mutation { made: ${mutation} }`,
  );
  expect({ mutation, errors, refusals: data?.made.errors }).toEqual({ mutation, errors: undefined, refusals: [] });
  return data?.made as T;
}

const idOf = async (mutation: string, member: string): Promise<string> =>
  (await make<Record<string, { id: string }>>(`${mutation} { ${member} { id } errors { message } }`))[member]?.id ?? '';

/** Creates at least one record of every type, with references wherever it can have them. */
async function makeRecords(person: string): Promise<void> {
  const ids: Record<string, string> = { person };
  for (const type of inOrderOfCreation(recordTypes))
    ids[type.name] = await idOf(creationOf(type, ids), memberName(type));
  const policy = await idOf('webhookPolicyCreate(input: { name: "P", jwtAlg: "es256" })', 'webhookPolicy');
  const webhook = await idOf(
    `webhookCreate(input: { event: "request.create", uri: "http://127.0.0.1:9/", webhookPolicyId: "${policy}" })`,
    'webhook',
  );
  await make(`webhookTest(input: { id: "${webhook}" }) { errors { message } }`);
}

/** Creates an application that acts for `person`. The returned function gets a token of it with the given scopes. */
async function makeTokens(person: string): Promise<typeof tokenOf> {
  const sso = await idOf(
    'ssoConfigurationCreate(input: { name: "S", issuer: "https://idp.example", identifier: primary_email })',
    'ssoConfiguration',
  );
  const settings = `name: "S", grantTypes: ["client_credentials"], actsAsPersonId: "${person}", ssoConfigurationId: "${sso}"`;
  const application = await idOf(
    `oauthApplicationCreate(input: { ${settings}, scopes: [{ effect: allow, actions: ["*:*"] }] })`,
    'oauthApplication',
  );
  const { oauthApplicationToken, clientSecret } = await make<{
    oauthApplicationToken: { clientId: string };
    clientSecret: string;
  }>(
    `oauthApplicationTokenCreate(input: { applicationId: "${application}" }) { oauthApplicationToken { clientId } clientSecret errors { message } }`,
  );
  return async (actions) => {
    const scope = `{ effect: allow, actions: ${JSON.stringify(actions)} }`;
    await make(`oauthApplicationUpdate(input: { id: "${application}", scopes: [${scope}] }) { errors { message } }`);
    const client = { client_id: oauthApplicationToken.clientId, client_secret: clientSecret };
    const response = await fetch(`${gateway.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', ...client }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  };
}

beforeAll(async () => {
  const data = openDataDirectory(folder);
  const settings = { ALLOW_PLAIN_HTTP: 'true' };
  const platform = await startPlatform({ port: 0, data, logLevel: 'error', settings, progress: () => {} });
  opened.push(platform);
  const demo = JSON.parse(readFileSync(data.demoFile, 'utf8')) as {
    accounts: { wdc: { administrator: { personal_access_token: string } } };
  };
  administrator = demo.accounts.wdc.administrator.personal_access_token;
  gateway = await startGateway(platform, 'compiled');
  opened.push(gateway);
  schema = buildSchema(await (await gateway.get(administrator, '/graphql', 'text/plain')).text());
  scopes = (await (await gateway.get(administrator, '/v1/scopes', 'application/json')).json()) as typeof scopes;
  const { data: found } = await ask<{ me: { id: string } }>(administrator, '{ me { id } }');
  await makeRecords(found?.me.id ?? '');
  tokenOf = await makeTokens(found?.me.id ?? '');
}, 1_200_000);
afterAll(async () => {
  for (const one of opened.reverse()) await one.close();
  rmSync(folder, { recursive: true });
});

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
const asked = (): FieldQuery[] => fieldQueries(schema, (name) => !notAsked.has(name) && !ofOneself.has(name));

const missing = 'Missing required scope(s): ';
const scopeOf = (name: string): string | undefined => scopes.fields[name];
const actionsOf = (names: readonly string[]): string[] =>
  [...new Set(names.flatMap((name) => scopeOf(name) ?? []))].sort();

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

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
}, 3_000_000);

/** Their lists are empty here: nobody has authorized an application on the consent page. */
const withoutData = new Set(['OAuthAuthorization.person']);

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
}, 3_000_000);

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
}, 3_000_000);

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
