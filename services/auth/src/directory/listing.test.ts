import { call, headersOf, nodeId } from '../testing/caller';
import { bodyIn } from '../testing/client';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

interface Page {
  readonly totalCount: number;
  readonly nodes: readonly { readonly name: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string; readonly startCursor: string };
}

async function read(person: SeededPerson, field: string, args: string, accountId = person.accountId): Promise<Page> {
  const text = `{ ${field}(${args}) { totalCount nodes { name } pageInfo { hasNextPage endCursor startCursor } } }`;
  const { data, errors } = await call(auth, person, text, {}, { accountId });
  expect(errors).toBeUndefined();
  return data?.[field] as Page;
}
const names = async (person: SeededPerson, field: string, args: string) =>
  (await read(person, field, args)).nodes.map(({ name }) => name);
const problem = async (person: SeededPerson, field: string, args: string) =>
  (await call(auth, person, `{ ${field}(${args}) { totalCount } }`)).errors?.[0];

const restNames = async (person: SeededPerson, query: string) => {
  const headers = await headersOf(auth, person);
  const body = bodyIn(await auth.http.get(`/v1/people?${query}`).set(headers).expect(200));
  return (body as { name: string }[]).map(({ name }) => name);
};

/** Creates five people in two accounts; the first account is the directory account of the second. */
async function seedPeople() {
  const directory = await seedPerson(auth, { name: 'Dora Directory' });
  const person = await seedPerson(auth, { name: 'Ellen Brown' });
  const add = (name: string, more: object = {}) => seedPerson(auth, { accountId: person.accountId, name, ...more });
  const zoe = await add('Zoë Brown', { sourceID: 'hr-1' });
  const adam = await add('Adam Stone');
  const twin = await add('Adam Stone');
  const { operator, services } = auth.app;
  await operator.ensureAccount({ id: person.accountId, directoryAccountId: directory.accountId });
  await services.persons.disable(person.accountId, twin.id);
  const stranger = await seedPerson(auth, { name: 'Ellen Brown' });
  return { directory, person, zoe, adam, twin, stranger };
}
const id = (person: SeededPerson): string => `"${nodeId('Person', person.id)}"`;

test('people are in the requested order, and by id where equal', async () => {
  const { person } = await seedPeople();
  const byId = ['Dora Directory', 'Ellen Brown', 'Zoë Brown', 'Adam Stone', 'Adam Stone'];
  for (const view of ['', ', view: current_account', ', view: all'])
    expect(await names(person, 'people', `first: 9${view}`)).toEqual(byId);
  expect(await names(person, 'people', 'first: 9, order: [{field: id, direction: desc}]')).toEqual(byId.toReversed());
  const byName = ['Adam Stone', 'Adam Stone', 'Dora Directory', 'Ellen Brown', 'Zoë Brown'];
  expect(await names(person, 'people', 'first: 9, order: [{field: name}]')).toEqual(byName);
  expect(await names(person, 'people', 'last: 2, view: current_account, order: [{field: name}]')).toEqual(
    byName.slice(-2),
  );
  expect(await restNames(person, 'sort=-name')).toEqual(byName.toReversed());
  for (const field of ['primaryEmail', 'createdAt', 'updatedAt']) {
    expect((await read(person, 'people', `first: 9, order: [{field: ${field}, direction: desc}]`)).totalCount).toBe(5);
  }
  expect((await restNames(person, 'sort=primary_email')).length).toBe(5);
});

test('pages of an order neither lose nor repeat anybody while people are added', async () => {
  const { person } = await seedPeople();
  const order = 'order: [{field: name}]';
  const first = await read(person, 'people', `first: 1, ${order}`);
  await seedPerson(auth, { accountId: person.accountId, name: 'Aaron First' });
  const second = await read(person, 'people', `first: 2, after: "${first.pageInfo.endCursor}", ${order}`);
  expect(second.nodes.map(({ name }) => name)).toEqual(['Adam Stone', 'Dora Directory']);
  const rest = await read(person, 'people', `first: 9, after: "${second.pageInfo.endCursor}", ${order}`);
  expect(rest.nodes.map(({ name }) => name)).toEqual(['Ellen Brown', 'Zoë Brown']);
  const back = await read(person, 'people', `last: 9, before: "${second.pageInfo.startCursor}", ${order}`);
  expect(back.nodes.map(({ name }) => name)).toEqual(['Aaron First', 'Adam Stone']);
  const otherOrder = `first: 1, after: "${first.pageInfo.endCursor}", order: [{field: id}]`;
  expect((await problem(person, 'people', otherOrder))?.extensions.code).toBe('BAD_USER_INPUT');
});

test('people are filtered by each field, and all conditions must hold', async () => {
  const { directory, person, zoe, adam, twin, stranger } = await seedPeople();
  const found = (filter: string) => names(person, 'people', `first: 9, filter: {${filter}}`);
  expect(await found(`id: {values: [${id(zoe)}, ${id(stranger)}, "nonsense", "${nodeId('Team', 1)}"]}`)).toEqual([
    'Zoë Brown',
  ]);
  expect(await found(`id: {values: [${id(zoe)}, ${id(adam)}, ${id(twin)}], negate: true}`)).toEqual([
    'Dora Directory',
    'Ellen Brown',
  ]);
  expect(await found('id: {values: ["nonsense"]}')).toEqual([]);
  expect(await found(`primaryEmail: {values: ["${directory.email.toUpperCase()}", "${stranger.email}"]}`)).toEqual([
    'Dora Directory',
  ]);
  expect(await found('name: {values: ["Adam Stone"]}, disabled: false')).toEqual(['Adam Stone']);
  expect(await found('disabled: true')).toEqual(['Adam Stone']);
  expect(await found('sourceID: {values: ["hr-1"]}')).toEqual(['Zoë Brown']);
  expect((await found('sourceID: {values: [null]}')).length).toBe(4);
  expect((await found('createdAt: {greaterThan: "2020-01-01T00:00:00Z"}')).length).toBe(5);
  expect(await found('updatedAt: {lessThan: "2020-01-01T00:00:00Z"}')).toEqual([]);
});

test('words are searched in name and address, by their beginnings and by parts of three letters', async () => {
  const { person, zoe } = await seedPeople();
  const found = (query: string) => names(person, 'people', `first: 9, filter: {query: "${query}"}`);
  expect(await found('BROWN')).toEqual(['Ellen Brown', 'Zoë Brown']);
  expect(await found('brown zoë')).toEqual(['Zoë Brown']);
  expect(await found('directory')).toEqual(['Dora Directory']);
  expect(await found(zoe.email)).toEqual(['Zoë Brown']);
  expect(await found('bro')).toEqual(['Ellen Brown', 'Zoë Brown']);
  expect(await found('rown')).toEqual(['Ellen Brown', 'Zoë Brown']);
  expect(await found('irector ora')).toEqual(['Dora Directory']);
  expect(await found('wn')).toEqual([]);
  expect((await found(' ')).length).toBe(5);
  expect((await read(person, 'people', 'first: 1, filter: {query: "brown"}')).totalCount).toBe(2);
});

test('a person stored by an earlier release is found by words after the next start', async () => {
  const person = await seedPerson(auth, { name: 'Olga Early' });
  const people = auth.connection.collection<{ _id: number }>('people');
  await people.updateOne({ _id: person.id }, { $unset: { search: 1 } });
  expect(await names(person, 'people', 'first: 9, filter: {query: "early"}')).toEqual([]);
  await auth.app.prepareStore();
  expect(await names(person, 'people', 'first: 9, filter: {query: "early"}')).toEqual(['Olga Early']);
  // The words of an earlier release, without their parts.
  await people.updateOne({ _id: person.id }, { $set: { search: [`${person.accountId} olga`] } });
  expect(await names(person, 'people', 'first: 9, filter: {query: "lga"}')).toEqual([]);
  await auth.app.prepareStore();
  expect(await names(person, 'people', 'first: 9, filter: {query: "lga"}')).toEqual(['Olga Early']);
});

test('over REST people are filtered by the same fields', async () => {
  const { directory, person, zoe, stranger } = await seedPeople();
  expect(await restNames(person, `primary_email=${directory.email.toUpperCase()},${stranger.email}`)).toEqual([
    'Dora Directory',
  ]);
  expect(await restNames(person, `primary_email=!${directory.email}&sort=name&per_page=1`)).toEqual(['Adam Stone']);
  expect(await restNames(person, `id=${zoe.id},${stranger.id}`)).toEqual(['Zoë Brown']);
  expect(await restNames(person, `id=>${zoe.id}`)).toEqual(['Adam Stone', 'Adam Stone']);
  expect(await restNames(person, 'disabled=true')).toEqual(['Adam Stone']);
  expect((await restNames(person, 'disabled=false')).length).toBe(4);
  expect(await restNames(person, 'disabled=!')).toHaveLength(5);
  expect(await restNames(person, 'sourceID=hr-1')).toEqual(['Zoë Brown']);
  expect(await restNames(person, 'source=!')).toEqual([]);
  expect(await restNames(person, 'created_at=>2020-01-01&updated_at=>2020-01-01')).toHaveLength(5);
  const headers = await headersOf(auth, person);
  await auth.http.get('/v1/people?id=zoe').set(headers).expect(400, { message: 'id must be an integer, not zoe' });
});

test('too many values, fields of an order or letters of a query are refused', async () => {
  const person = await seedPerson(auth);
  const values = JSON.stringify(Array.from({ length: 101 }, (_none, n) => `n${n}`));
  const four = Array(4).fill('{field: name}').join(', ');
  for (const field of ['people', 'accounts', 'oauthApplications', 'ssoConfigurations']) {
    for (const args of [
      `filter: {name: {values: ${values}}}`,
      `filter: {query: "${'x'.repeat(129)}"}`,
      `order: [${four}]`,
    ]) {
      expect((await problem(person, field, `first: 1, ${args}`))?.extensions.code).toBe('BAD_USER_INPUT');
    }
  }
});

test('applications and SSO configurations are ordered, filtered and searched, within the account', async () => {
  const person = await seedPerson(auth);
  const stranger = await seedPerson(auth);
  const { ssoConfigurations, applications } = auth.app.services;
  for (const { accountId } of [person, stranger]) {
    for (const name of ['Reports for all', 'Backup', 'Chat']) {
      await seedApplication(auth, accountId, { name, description: `${name} of the night` });
      await ssoConfigurations.create(accountId, { name, issuer: 'https://idp.example/', identifier: 'primary_email' });
    }
  }
  const query = { order: [], limit: 1, skip: 0, fields: ['*'] };
  const [chat] = await (await applications.listing(person.accountId, ['chat'])).read(query);
  await applications.update(person.accountId, [{ effect: 'allow', actions: ['*:*'] }], chat?.id ?? 0, {
    disabled: true,
  });
  const sso = (await ssoConfigurations.list(person.accountId)).find(({ name }) => name === 'Chat');
  await ssoConfigurations.update(person.accountId, sso?.id ?? 0, { disabled: true });
  const other = (await ssoConfigurations.list(stranger.accountId))[0];
  for (const [field, type, own, foreign] of [
    ['oauthApplications', 'OAuthApplication', chat?.id, (chat?.id ?? 0) + 3],
    ['ssoConfigurations', 'SsoConfiguration', sso?.id, other?.id],
  ] as const) {
    expect(await names(person, field, 'first: 9')).toEqual(['Reports for all', 'Backup', 'Chat']);
    const order = 'order: [{field: name, direction: desc}]';
    const first = await read(person, field, `first: 1, ${order}, view: current_account`);
    expect(first).toMatchObject({ totalCount: 3, nodes: [{ name: 'Reports for all' }] });
    const next = `first: 9, after: "${first.pageInfo.endCursor}", ${order}`;
    expect(await names(person, field, next)).toEqual(['Chat', 'Backup']);
    expect(await names(person, field, 'first: 9, filter: {name: {values: ["Chat", "Backup"]}}')).toEqual([
      'Backup',
      'Chat',
    ]);
    expect(await names(person, field, 'first: 9, filter: {disabled: true}')).toEqual(['Chat']);
    expect(await names(person, field, 'first: 9, filter: {disabled: false, query: "BACKUP"}')).toEqual(['Backup']);
    const ids = [own, foreign].map((number) => `"${nodeId(type, number ?? 0)}"`).join();
    expect(await names(person, field, `first: 9, filter: {id: {values: [${ids}]}}`)).toEqual(['Chat']);
  }
});

test('visible accounts are ordered, filtered and searched', async () => {
  const [own, parent, stranger] = await Promise.all([seedPerson(auth), seedPerson(auth), seedPerson(auth)]);
  const { operator } = auth.app;
  await operator.ensureAccount({ id: own.accountId, name: 'Widgets North', directoryAccountId: parent.accountId });
  await operator.ensureAccount({ id: parent.accountId, name: 'Widgets' });
  await operator.ensureAccount({ id: stranger.accountId, name: 'Widgets' });
  expect(await names(own, 'accounts', 'first: 9, order: [{field: name}]')).toEqual(['Widgets', 'Widgets North']);
  expect(await names(own, 'accounts', 'last: 1, order: [{field: name, direction: desc}]')).toEqual(['Widgets']);
  expect(await names(own, 'accounts', 'first: 9, filter: {query: "widgets NORTH"}')).toEqual(['Widgets North']);
  expect(await names(own, 'accounts', `first: 9, filter: {query: "${parent.accountId}"}`)).toEqual(['Widgets']);
  expect(await names(own, 'accounts', 'first: 9, filter: {name: {values: ["Widgets"]}, disabled: false}')).toEqual([
    'Widgets',
  ]);
  const ids = [`"${parent.accountId}"`, `"${stranger.accountId}"`, `"${nodeId('Account', own.accountId)}"`].join();
  expect(await names(own, 'accounts', `first: 9, order: [{field: name}], filter: {id: {values: [${ids}]}}`)).toEqual([
    'Widgets',
    'Widgets North',
  ]);
  await operator.setAccountDisabled(parent.accountId, true);
  expect(await names(own, 'accounts', 'first: 9, filter: {disabled: true}')).toEqual(['Widgets']);
});
