import type { Scope } from '@itsm/shared/contracts/scopes';
import { headersOf, nodeId } from '../testing/caller';
import { bodyIn } from '../testing/client';
import { createPeopleClient } from '../testing/people';
import { createRestClient, refusal } from '../testing/rest';
import type { Body } from '../testing/rest';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { baseUrl, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const { colleague, stored } = createPeopleClient(() => auth);
const { answer, send } = createRestClient(() => auth);
const scopesOf = (...actions: string[]): Scope[] => [{ effect: 'allow', actions }];

const people = '/v1/people';
const grace = {
  name: ' Grace Lin ',
  primary_email: 'Grace.Lin@wdc.example',
  authenticationID: 'idp|grace',
  locale: 'nl-NL',
  time_zone: 'Europe/Amsterdam',
  source: 'HR',
  sourceID: 'hr-17',
  roles: ['specialist', 'specialist'],
};
const shown = { ...grace, name: 'Grace Lin', roles: ['specialist'] };

async function make(person: SeededPerson, more: object = {}) {
  const [status, made] = await answer(person, 'post', people, { ...grace, ...more });
  expect([status, made]).toEqual([201, expect.objectContaining({ id: expect.any(Number) as number })]);
  return { made, id: Number(made['id']), address: `${people}/${String(made['id'])}` };
}
const children = (parent: SeededPerson, child: SeededPerson) =>
  auth.app.operator.ensureAccount({ id: child.accountId, name: 'Child', directoryAccountId: parent.accountId });

test('a person is made, found at their address, and changed by PATCH and PUT', async () => {
  const person = await seedPerson(auth);
  const response = await send(person, 'post', people, grace);
  const made = bodyIn(response) as Body;
  const id = String(made['id']);
  expect([response.status, response.get('Location')]).toEqual([201, `${baseUrl}${people}/${id}`]);
  expect(made).toMatchObject({ ...shown, verified: false, disabled: false, account: { id: person.accountId } });
  expect(await answer(person, 'get', `${people}/${id}`)).toEqual([200, made]);
  for (const [method, at] of [
    ['patch', id],
    ['put', nodeId('Person', Number(id))],
  ] as const) {
    const change = { time_zone: 'Asia/Tokyo', source: '', roles: [], disabled: 'true' };
    const after = { ...made, time_zone: 'Asia/Tokyo', source: null, roles: [], disabled: true };
    expect(await answer(person, method, `${people}/${at}`, change)).toEqual([
      200,
      { ...after, updated_at: expect.any(String) as string },
    ]);
  }
  const narrow = await answer(person, 'patch', `${people}/${id}?fields=name`, { disabled: false, locale: '' });
  expect(narrow).toEqual([200, { id: Number(id), name: 'Grace Lin' }]);
  expect(await answer(person, 'get', `${people}/${id}`)).toMatchObject([200, { disabled: false, locale: 'en' }]);
});

test('a person with only name and address is an end user', async () => {
  const person = await seedPerson(auth);
  const given = { name: 'New', primary_email: 'new@wdc.example', locale: null, roles: '' };
  const usual = { roles: ['end_user'], locale: 'en', time_zone: 'UTC', source: null, authenticationID: null };
  const [status, made] = await answer(person, 'post', people, given);
  expect([status, made]).toEqual([201, expect.objectContaining(usual)]);
  for (const none of ['', null])
    expect(await answer(person, 'patch', `${people}/${String(made['id'])}`, { roles: none })).toEqual(
      refusal(['roles', 'Roles are required']),
    );
});

test.each<[string, Body, string]>([
  ['name', { name: '' }, 'Name is required'],
  ['name', { name: 'a\nb' }, 'Name may not hold control characters'],
  ['primary_email', { primary_email: 'nobody' }, 'Primary email is not an e-mail address'],
  ['time_zone', { time_zone: 'Mars/Base' }, 'Time zone is not a name such as Europe/Amsterdam'],
  ['roles', { roles: 'specialist' }, 'Roles must be a list'],
  ['roles', { roles: Array(51).fill('auditor') }, 'Roles must be at most 50'],
  ['verified', { verified: true }, 'Unknown member'],
  ['password', { password: 'a password' }, 'Unknown member'],
  ['account', { account: 'other' }, 'Unknown member'],
  ['version', { version: 7 }, 'Unknown member'],
])('a refused %s is named: %p', async (member, change, text) => {
  const person = await seedPerson(auth);
  const { made, address } = await make(person);
  const other = { primary_email: 'other@wdc.example', authenticationID: null };
  expect(await answer(person, 'post', people, { ...grace, ...other, ...change })).toEqual(refusal([member, text]));
  expect(await answer(person, 'patch', address, change)).toEqual(refusal([member, text]));
  expect(await answer(person, 'get', address)).toEqual([200, made]);
});

test('every refused member is named at once, and what a new person needs', async () => {
  const person = await seedPerson(auth);
  const bad = { ...grace, locale: 'x_y', roles: ['operator'], primary_email: 7 };
  expect(await answer(person, 'post', people, bad)).toEqual(
    refusal(
      ['primary_email', 'Primary email is not a text'],
      ['roles.0', expect.stringMatching(/^Role is not one of account_administrator, /) as string],
      ['locale', 'Locale is not a language tag such as en or nl-NL'],
    ),
  );
  expect(await answer(person, 'post', people, {})).toEqual(
    refusal(['name', 'Name is required'], ['primary_email', 'Primary email is required']),
  );
  expect(await answer(person, 'post', people, { ...grace, disabled: true })).toEqual(
    refusal(['disabled', 'Disabled cannot be given for a new one']),
  );
  const headers = await headersOf(auth, person);
  await auth.http.post(people).set(headers).type('form').send('name=x').expect(415);
  await auth.http.post(people).set(headers).type('json').send('[').expect(400);
  await auth.http.post(`${people}?fields=password`).set(headers).send(grace).expect(400);
  expect((await answer(person, 'get', people))[1]).toHaveLength(1);
});

test('an address and an authentication ID are used once, also of two calls at once', async () => {
  const person = await seedPerson(auth);
  const both = await Promise.all([answer(person, 'post', people, grace), answer(person, 'post', people, grace)]);
  const taken = refusal(
    ['primary_email', 'Primary email is already in use'],
    ['authenticationID', 'Authentication ID is already in use'],
  );
  expect(both.map(([status]) => status).sort()).toEqual([201, 422]);
  expect(both).toContainEqual(taken);
  expect(await answer(person, 'patch', `${people}/${person.id}`, { primary_email: 'grace.lin@WDC.example' })).toEqual(
    refusal(['primary_email', 'Primary email is already in use']),
  );
});

test('writing people needs a token, its scope, and an administrator; nobody writes those of another account', async () => {
  const administrator = await seedPerson(auth);
  const stranger = await seedPerson(auth);
  const { id, address } = await make(administrator);
  const version = (await stored(id))?.['version'];
  for (const [method, path, action] of [
    ['post', people, 'person:Create'],
    ['patch', address, 'person:Update'],
    ['put', address, 'person:Update'],
  ] as const) {
    const body = { ...grace, name: 'Mine', primary_email: 'mine@wdc.example', authenticationID: 'mine' };
    const write = (headers: Record<string, string>) => auth.http[method](path).set(headers).send(body);
    await write({ 'X-Service-Account': administrator.accountId }).expect(401);
    await write({ Authorization: 'Bearer a.b.c', 'X-Service-Account': administrator.accountId }).expect(401);
    const blind = await headersOf(auth, administrator, { scopes: scopesOf('person:Read', 'account:*') });
    await write(blind).expect(403, { message: `Missing required scope(s): ${action}` });
    for (const role of ['end_user', 'key_contact', 'specialist', 'auditor'] as const)
      await write(await headersOf(auth, await colleague(administrator, { roles: [role] }))).expect(403);
    await write(await headersOf(auth, administrator, { accountId: stranger.accountId })).expect(403);
    if (method !== 'post') await write(await headersOf(auth, stranger)).expect(404, { message: 'Not Found' });
  }
  for (const wrong of ['0', 'x', '%00', '1e3', nodeId('Account', id)])
    expect((await send(administrator, 'patch', `${people}/${wrong}`, {})).status).toBe(404);
  expect((await stored(id))?.['version']).toBe(version);
});

test('a directory administrator writes people, but no administrator', async () => {
  const administrator = await seedPerson(auth);
  const keeper = await colleague(administrator, { roles: ['directory_administrator'] });
  const { address } = await make(keeper);
  expect((await send(keeper, 'patch', address, { name: 'Grace L' })).status).toBe(200);
  const roles = ['roles', 'Only an account administrator can give or take the role account_administrator'] as const;
  expect(await answer(keeper, 'patch', address, { roles: ['account_administrator'] })).toEqual(refusal(roles));
  const only = 'of an administrator can only be changed by an account administrator';
  const takeover = { primary_email: 'mine@wdc.example', time_zone: 'UTC' };
  expect(await answer(keeper, 'patch', `${people}/${administrator.id}`, takeover)).toEqual(
    refusal(['primary_email', `Primary email ${only}`], ['time_zone', `Time zone ${only}`]),
  );
});

test('the last administrator stays, and of two who leave at once one does', async () => {
  const [first, second] = [await seedPerson(auth), await seedPerson(auth)];
  const last = 'An account needs at least one enabled account administrator';
  const own = `${people}/${first.id}`;
  expect(await answer(first, 'patch', own, { disabled: true })).toEqual(refusal(['disabled', last]));
  expect(await answer(first, 'patch', own, { roles: ['auditor'] })).toEqual(refusal(['roles', last]));
  const other = await colleague(second, { roles: ['account_administrator'] });
  const leaving = [second, other].map((one) => send(one, 'patch', `${people}/${one.id}`, { roles: ['auditor'] }));
  expect((await Promise.all(leaving)).map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('of a person of the directory account only the roles are changed', async () => {
  const [parent, child] = [await seedPerson(auth), await seedPerson(auth)];
  await children(parent, child);
  const address = `${people}/${parent.id}`;
  const only = "can only be changed in the person's account";
  expect(await answer(child, 'patch', address, { name: 'Mine', disabled: true, roles: ['auditor'] })).toEqual(
    refusal(['name', `Name ${only}`], ['disabled', `Disabled ${only}`]),
  );
  expect(await answer(child, 'patch', address, { roles: ['auditor'] })).toMatchObject([
    200,
    { roles: ['auditor'], authenticationID: null, account: { id: parent.accountId } },
  ]);
  expect(await answer(parent, 'get', address)).toMatchObject([200, { roles: ['account_administrator'] }]);
});

test('the authentication ID is shown to the person and to administrators of their account', async () => {
  const [administrator, child] = [await seedPerson(auth), await seedPerson(auth)];
  await children(administrator, child);
  const { address } = await make(administrator);
  const reader = await colleague(administrator, { roles: ['auditor'], authenticationID: 'idp|reader' });
  const seenBy = async (person: SeededPerson, at: string) => (await answer(person, 'get', at))[1]['authenticationID'];
  expect(await seenBy(administrator, address)).toBe('idp|grace');
  for (const other of [reader, child]) expect(await seenBy(other, address)).toBeNull();
  expect(await seenBy(reader, '/v1/me')).toBe('idp|reader');
});
