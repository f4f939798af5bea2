import { mostOrderFields } from '@itsm/shared/api/graphql/list-arguments';
import { freePort } from '../free-port';
import { patiently } from '../patiently';
import { makePlatformData } from '../platform-data';
import { startPlatformProcess } from '../platform-process';
import type { PlatformProcess } from '../platform-process';

const data = makePlatformData('nodes');
let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatformProcess({ port: await freePort(), data });
});
afterAll(async () => {
  await platform.stop();
  await data.remove();
});

type AccountName = 'wdc' | 'acme';
interface Found {
  readonly __typename: string;
  readonly id: string;
}

interface Answer {
  readonly data: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

async function answerTo(account: AccountName, query: string): Promise<Answer> {
  const init = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${platform.demo.accounts[account].administrator.personal_access_token}`,
      'x-service-account': account,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query }),
  };
  const response = await patiently(() => fetch(platform.demo.graphql_url, init));
  return (await response.json()) as Answer;
}

async function ask<T>(account: AccountName, query: string): Promise<T> {
  const { data, errors } = await answerTo(account, query);
  expect({ query, errors }).toEqual({ query, errors: undefined });
  return data as T;
}

const nodeOf = (account: AccountName, id: string): Promise<{ node: Found | null }> =>
  ask(account, `{ node(id: "${id}") { __typename id } }`);

interface Typed {
  readonly name: string;
}

/** Types that the demo data lack. */
const created = [
  'problemCreate(input: {subject: "Node"}) { record: problem { __typename id } errors { message } }',
  'workflowCreate(input: {subject: "Node"}) { record: workflow { __typename id } errors { message } }',
  'projectCreate(input: {subject: "Node"}) { record: project { __typename id } errors { message } }',
  'serviceLevelAgreementCreate(input: {name: "Node"}) { record: serviceLevelAgreement { __typename id } errors { message } }',
  'webhookPolicyCreate(input: {name: "Node", jwtAlg: "es256"}) { record: webhookPolicy { __typename id auditLines(first: 1) { nodes { __typename id } } } errors { message } }',
  'webhookCreate(input: {event: "request.create", uri: "http://127.0.0.1:9/node"}) { record: webhook { __typename id auditLines(first: 1) { nodes { __typename id } } } errors { message } }',
];
const listed = [
  'people(first: 1) { nodes { __typename id } }',
  'accounts(first: 1) { nodes { __typename id } }',
  'securityLog(first: 1) { nodes { __typename id } }',
  'oauthApplications(first: 1) { nodes { __typename id } }',
  'requests(first: 1) { nodes { __typename id auditLines(first: 1) { nodes { __typename id } } notes(first: 1) { nodes { __typename id } } } }',
  'teams(first: 1) { nodes { __typename id } }',
  'uiExtensions(first: 1) { nodes { __typename id activeVersion { __typename id } auditLines(first: 1) { nodes { __typename id } } } }',
];

/** All records in an answer, at any depth. */
function recordsIn(value: unknown): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(recordsIn);
  return '__typename' in value && 'id' in value ? [value as Found, ...below] : below;
}

/** One id per type. */
const found = new Map<string, string>();
beforeAll(async () => {
  for (const operation of [...created.map((text) => `mutation { ${text} }`), ...listed.map((text) => `{ ${text} }`)]) {
    for (const { __typename, id } of recordsIn(await ask('wdc', operation))) found.set(__typename, id);
  }
});

test('records are found by their id, but not from another account', async () => {
  const { type } = await ask<{ type: { possibleTypes: readonly Typed[] } }>(
    'wdc',
    '{ type: __type(name: "Node") { possibleTypes { name } } }',
  );
  const known = type.possibleTypes.map(({ name }) => name);
  expect(known).toEqual(expect.arrayContaining([...found.keys()]));
  for (const [name, id] of found) {
    expect(await nodeOf('wdc', id)).toEqual({ node: { __typename: name, id } });
    expect([name, await nodeOf('acme', id)]).toEqual([name, { node: null }]);
  }
  for (const name of known) {
    const unknown = Buffer.from(`service.example/${name}/987654321`).toString('base64url');
    expect([name, await nodeOf('wdc', unknown)]).toEqual([name, { node: null }]);
  }
  for (const malformed of ['', 'x', '12', '../etc', 'c2VydmljZS5leGFtcGxlL05vdGhpbmcvMQ'])
    expect([malformed, await nodeOf('wdc', malformed)]).toEqual([malformed, { node: null }]);
});

interface Singular {
  readonly name: string;
  readonly args: readonly { readonly name: string }[];
  readonly type: { readonly name: string | null; readonly fields: readonly Typed[] | null };
}

test('a numbered record is found by its number or id, but not by the id of another type', async () => {
  const { type } = await ask<{ type: { fields: readonly Singular[] } }>(
    'wdc',
    '{ type: __type(name: "Query") { fields { name args { name } type { name fields { name } } } } }',
  );
  const singular = type.fields.filter(
    ({ args, type: { name: of, fields } }) =>
      args.map(({ name }) => name).join() === 'id' &&
      fields?.some(({ name }) => name === 'number') &&
      found.has(of ?? ''),
  );
  expect(singular.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'request',
      'team',
      'person',
      'webhook',
      'webhookPolicy',
      'uiExtension',
      'oauthApplication',
    ]),
  );
  for (const { name, type: of } of singular) {
    const id = found.get(of.name ?? '') ?? '';
    const number = Number(Buffer.from(id, 'base64url').toString().split('/')[2]);
    const foreign = Buffer.from(`service.example/Nothing/${number}`).toString('base64url');
    const asked = `a: ${name}(id: "${id}") { id number } b: ${name}(id: "${number}") { id number }`;
    expect(await ask('wdc', `{ ${asked} c: ${name}(id: "${foreign}") { id } }`)).toEqual({
      a: { id, number },
      b: { id, number },
      c: null,
    });
  }
});

interface Listed {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly description: string | null }[];
}

test('every orderable list documents its limit of fields, and refuses one more', async () => {
  const { type } = await ask<{ type: { fields: readonly Listed[] } }>(
    'wdc',
    '{ type: __type(name: "Query") { fields { name args { name description } } } }',
  );
  const ordered = type.fields.filter(({ args }) => args.some(({ name }) => name === 'order'));
  expect(ordered.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['requests', 'webhooks', 'webhookPolicies', 'webhookDeliveries', 'uiExtensions']),
  );
  for (const { name, args } of ordered) {
    const description = args.find((argument) => argument.name === 'order')?.description;
    expect([name, description]).toEqual([name, `At most ${mostOrderFields} fields.`]);
    const step = `{ field: ${name === 'webhookDeliveries' ? 'createdAt' : 'id'} }`;
    const order = Array.from({ length: mostOrderFields + 1 }, () => step).join(' ');
    const { errors } = await answerTo('wdc', `{ ${name}(first: 1, order: [${order}]) { nodes { id } } }`);
    expect([name, errors?.map(({ message }) => message)]).toEqual([name, ['`order` takes at most 3 fields']]);
  }
});

test('requests of people, and people of requests, are joined from two services in one answer', async () => {
  const { me } = await ask<{ me: { id: string; name: string } }>('wdc', '{ me { id name } }');
  const asked = 'requestCreate(input: {subject: "Of two services"}) { request { id } errors { message } }';
  const { requestCreate } = await ask<{ requestCreate: { request: { id: string } } }>('wdc', `mutation { ${asked} }`);
  interface OfPerson {
    readonly id: string;
    readonly requests: { readonly nodes: { readonly id: string; readonly requestedBy: { name: string } | null }[] };
  }
  const { people } = await ask<{ people: { nodes: OfPerson[] } }>(
    'wdc',
    '{ people(first: 10) { nodes { id requests(last: 5) { nodes { id requestedBy { name } } } } } }',
  );
  const own = people.nodes.find(({ id }) => id === me.id)?.requests.nodes;
  expect(own).toContainEqual({ id: requestCreate.request.id, requestedBy: { name: me.name } });
  for (const { id, requests } of people.nodes.filter((person) => person.id !== me.id))
    expect({ id, theirs: requests.nodes.map((request) => request.id) }).not.toMatchObject({
      theirs: expect.arrayContaining([requestCreate.request.id]) as unknown,
    });
});
