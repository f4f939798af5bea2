import { allowedAction } from '@itsm/shared/api/identity/allow';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createAccountResolvers } from './account.resolvers';
import type { AccountRepository } from './account.repository';
import { createPersonResolvers } from './person.resolvers';
import type { PersonRepository } from './person.repository';
import type { Directory } from './directory';
import type { PersonLinks } from './person-links.service';
import type { RoleOffers } from './role-offer.service';
import { bodyIn, introspect } from '../testing/client';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { everything, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

/** Calls the subgraph as the gateway does, with the caller JWT from introspection. */
async function query(person: SeededPerson, text: string, variables: object = {}, scopes: Scope[] = everything) {
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const input = { personId: person.id, name: 'test', scopes, expiresAt };
  const { token } = await auth.app.operator.createPersonalAccessToken(input);
  const body = bodyIn(
    await auth.http
      .post('/graphql')
      .set('Authorization', `Bearer ${(await introspect(auth, token)).caller_token}`)
      .set('X-Service-Account', person.accountId)
      .send({ query: text, variables }),
  );
  return body as { data: Record<string, never> | null; errors?: { message: string; extensions: { code: string } }[] };
}

const nodeId = (type: string, id: number | string) => toNodeId('service.example', type, id);

test('me is the caller', async () => {
  const person = await seedPerson(auth);
  const { data } = await query(person, '{ me { id name supportID primaryEmail disabled account { id name } } }');
  expect(data).toEqual({
    me: {
      id: nodeId('Person', person.id),
      name: 'Ellen Brown',
      supportID: expect.stringMatching(/^\d{6,}$/) as string,
      primaryEmail: person.email,
      disabled: false,
      account: { id: nodeId('Account', person.accountId), name: `Account ${person.accountId}` },
    },
  });
});

test('people are those of the account and of its directory account, page by page', async () => {
  const directory = await seedPerson(auth);
  const first = await seedPerson(auth);
  const second = await seedPerson(auth, { accountId: first.accountId });
  await seedPerson(auth);
  await auth.app.operator.ensureAccount({
    id: first.accountId,
    name: 'Child',
    directoryAccountId: directory.accountId,
  });
  const pageOf = (args: string) =>
    query(first, `{ people(${args}) { totalCount nodes { primaryEmail } pageInfo { hasNextPage endCursor } } }`);
  const all = await pageOf('first: 10');
  expect(all.data).toMatchObject({
    people: {
      totalCount: 3,
      nodes: [directory, first, second].map(({ email }) => ({ primaryEmail: email })),
      pageInfo: { hasNextPage: false },
    },
  });
  const one = (await pageOf('first: 1')).data as unknown as { people: { pageInfo: { endCursor: string } } };
  expect((await pageOf(`first: 1, after: "${one.people.pageInfo.endCursor}"`)).data).toMatchObject({
    people: { nodes: [{ primaryEmail: first.email }] },
  });
});

test('people are filtered by address regardless of case', async () => {
  const person = await seedPerson(auth);
  const other = await seedPerson(auth, { accountId: person.accountId });
  const text =
    'query ($values: [String]!, $negate: Boolean) { people(first: 5, filter: {primaryEmail: {values: $values, negate: $negate}}) { nodes { primaryEmail } } }';
  const values = [person.email.toUpperCase(), null];
  expect((await query(person, text, { values })).data).toEqual({ people: { nodes: [{ primaryEmail: person.email }] } });
  expect((await query(person, text, { values, negate: true })).data).toEqual({
    people: { nodes: [{ primaryEmail: other.email }] },
  });
});

test('another account finds nobody, neither by list nor by id nor by reference', async () => {
  const person = await seedPerson(auth);
  const stranger = await seedPerson(auth);
  const text = `query ($id: ID!, $references: [_Any!]!) {
    people(first: 100) { nodes { primaryEmail } }
    person(id: $id) { name }
    _entities(representations: $references) { ... on Person { name } ... on Account { name } }
  }`;
  const id = nodeId('Person', person.id);
  const references = [
    { __typename: 'Person', id },
    { __typename: 'Account', id: nodeId('Account', person.accountId) },
    { __typename: 'Person', id: 'nonsense' },
    { __typename: 'Person', id: nodeId('Person', stranger.id) },
  ];
  expect(await query(stranger, text, { id, references })).toEqual({
    data: {
      people: { nodes: [{ primaryEmail: stranger.email }] },
      person: null,
      _entities: [null, null, null, { name: 'Ellen Brown' }],
    },
  });
});

test('a missing scope is refused with its name', async () => {
  const person = await seedPerson(auth);
  const { errors } = await query(person, '{ people(first: 1) { totalCount } }', {}, [
    { effect: 'allow', actions: ['me:Name'] },
  ]);
  expect(errors).toEqual([
    expect.objectContaining({ message: 'Missing required scope(s): person:Read', extensions: { code: 'FORBIDDEN' } }),
  ]);
});

test('a person referenced by another service needs the scope for people', async () => {
  const person = await seedPerson(auth);
  const text = 'query ($references: [_Any!]!) { _entities(representations: $references) { ... on Person { name } } }';
  const references = [{ __typename: 'Person', id: nodeId('Person', person.id) }];
  const scopes: Scope[] = [{ effect: 'allow', actions: ['request:Read', 'me:All'] }];
  const { data, errors } = await query(person, text, { references }, scopes);
  expect(data).toEqual({ _entities: [null] });
  expect(errors).toMatchObject([{ message: 'Missing required scope(s): person:Read' }]);
});

test('calls without a caller JWT or without an account are refused', async () => {
  await auth.http.post('/graphql').send({ query: '{ me { id } }' }).expect(401, { message: 'Unauthorized' });
  const forged = await auth.http
    .post('/graphql')
    .set('Authorization', 'Bearer a.b.c')
    .set('X-Service-Account', 'wdc')
    .send({});
  expect(forged.status).toBe(401);
});

test('every root field names its action', () => {
  const nothing = {} as PersonRepository & AccountRepository;
  const unused = () => Promise.reject<never>(new Error('nobody calls it'));
  const accounts = createAccountResolvers({
    accounts: nothing,
    edits: { list: unused, find: unused, update: unused },
    nodeIdDomain: 'x',
  });
  const people = createPersonResolvers({
    edits: { list: unused, find: unused, create: unused, update: unused },
    directoryOf: () => ({}) as Directory,
    personLinks: {} as PersonLinks,
    roleOffers: {} as RoleOffers,
    people: nothing,
    accounts: nothing,
    nodeIdDomain: 'x',
  });
  const roots = [people.Query, accounts.Query, accounts.Mutation, people.Mutation].flatMap((fields) =>
    Object.values<object>(fields),
  );
  expect(roots).toHaveLength(11);
  for (const resolver of roots) expect(allowedAction(resolver)).toMatch(/^\w+:\w+$/);
});

test('accounts and people are published once per change, with growing versions', async () => {
  const person = await seedPerson(auth);
  const { accountId } = person;
  const account = { id: accountId, name: `Account ${accountId}` };
  await auth.app.operator.ensureAccount(account);
  await auth.app.operator.ensureAccount({ ...account, name: 'Renamed' });
  await auth.app.services.persons.disable(accountId, person.id);
  const people = await waitUntil('both messages of the person', () => {
    const published = auth.published.people.filter(({ id }) => id === person.id);
    return published.length === 2 ? published : undefined;
  });
  expect(people).toEqual([
    expect.objectContaining({
      accountId,
      disabled: false,
      version: 1,
      roles: { [accountId]: ['account_administrator'] },
    }),
    expect.objectContaining({ disabled: true, version: 2 }),
  ]);
  const accounts = await waitUntil('both messages of the account', () => {
    const published = auth.published.accounts.filter(({ id }) => id === accountId);
    return published.length === 2 ? published : undefined;
  });
  expect(accounts.map(({ name, version }) => [name, version])).toEqual([
    [account.name, 1],
    ['Renamed', 2],
  ]);
});
