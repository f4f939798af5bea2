import type { Scope } from '@itsm/shared/contracts/scopes';
import { expectWhole } from '@itsm/shared/testing/whole-record';
import { obtainCode, openSignedIn } from '../testing/browser';
import { call, headersOf, nodeId } from '../testing/caller';
import { introspect, pairIn, redeem } from '../testing/client';
import { createPeopleClient } from '../testing/people';
import { createRestClient, refusal } from '../testing/rest';
import type { Body } from '../testing/rest';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';
import { accountType } from './account';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

const { colleague, stored } = createPeopleClient(() => auth);
const { answer, send } = createRestClient(() => auth);
const scopesOf = (...actions: string[]): Scope[] => [{ effect: 'allow', actions }];
const children = (parent: SeededPerson, child: SeededPerson) =>
  auth.app.operator.ensureAccount({ id: child.accountId, name: 'Child', directoryAccountId: parent.accountId });

test('what others have changed meanwhile is not overwritten, by either edge', async () => {
  const person = await seedPerson(auth);
  for (const path of [`/v1/people/${person.id}`, `/v1/accounts/${person.accountId}`]) {
    const tagOf = async () => ({ 'If-Match': (await send(person, 'get', path)).get('ETag') ?? '' });
    const before = await tagOf();
    expect((await send(person, 'patch', path, { name: 'First' }, before)).status).toBe(200);
    expect((await send(person, 'patch', path, { name: 'Late' }, before)).status).toBe(412);
    const now = await tagOf();
    const names = Array.from({ length: 5 }, (_none, index) => `At once ${index}`);
    const all = await Promise.all(names.map((name) => send(person, 'patch', path, { name }, now)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
    expect((await send(person, 'patch', path, { name: 'Any' }, { 'If-Match': '*' })).status).toBe(200);
  }
  const text = (type: string) => `mutation ($input: ${type}UpdateInput!) {
    answer: ${type.toLowerCase()}Update(input: $input) { errors { message path } record: ${type.toLowerCase()} { version } } }`;
  for (const [type, id] of [
    ['Person', nodeId('Person', person.id)],
    ['Account', undefined],
  ] as const) {
    const read = `{ answer: ${type === 'Person' ? 'me' : 'account'} { version } }`;
    const { version } = (await call(auth, person, read)).data?.['answer'] as { version: number };
    const change = async (name: string) =>
      (await call(auth, person, text(type), { input: { ...(id && { id }), name, ifVersion: version } })).data;
    expect(await change('Renamed')).toEqual({ answer: { errors: [], record: { version: version + 1 } } });
    const message = `The record has changed: its version is ${version + 1}`;
    expect(await change('Late')).toEqual({ answer: { errors: [{ message, path: ['ifVersion'] }], record: null } });
  }
});

test('people and accounts of earlier releases are shown and changed as what they stood for', async () => {
  const person = await seedPerson(auth);
  const { id } = await colleague(person);
  const address = `/v1/people/${id}`;
  const [, made] = await answer(person, 'get', address);
  const $unset = { verified: true, authenticationId: true, source: true, sourceID: true, disabledAt: true } as const;
  await auth.connection.collection<{ _id: number }>('people').updateOne({ _id: id }, { $unset });
  expect(await answer(person, 'get', address)).toEqual([200, { ...made, verified: true }]);
  const zone = { time_zone: 'Asia/Tokyo' };
  expect(await answer(person, 'patch', address, zone)).toMatchObject([200, zone]);
  expect(await stored(id)).toMatchObject({ verified: true, authenticationId: null });
  const own = `/v1/accounts/${person.accountId}`;
  const accounts = auth.connection.collection<{ _id: string }>('accounts');
  const absent = { trusts: true, secondFactorRequired: true, customUrl: true, disabledAt: true } as const;
  await accounts.updateOne({ _id: person.accountId }, { $unset: absent });
  const former = { custom_url: null, trusts: [], second_factor_required: false, disabled: false };
  expect(await answer(person, 'get', own)).toMatchObject([200, former]);
  expect(await answer(person, 'patch', own, { name: 'Renamed' })).toMatchObject([200, { ...former, name: 'Renamed' }]);
});

test('an account is changed by its ID and node ID, and takes back what it shows', async () => {
  const [person, partner] = [await seedPerson(auth), await seedPerson(auth)];
  const own = `/v1/accounts/${person.accountId}`;
  const trusts = [{ account_id: partner.accountId, as: 'customer' }];
  const change = { name: ' Widgets ', custom_url: 'https://help.wdc.example/', trusts, second_factor_required: 'true' };
  const [status, after] = await answer(person, 'patch', own, change);
  expect(status).toBe(200);
  expectWhole(accountType, after, {
    id: person.accountId,
    nodeID: nodeId('Account', person.accountId),
    name: 'Widgets',
    custom_url: 'https://help.wdc.example/',
    directory_account: null,
    trusts: [{ account_id: partner.accountId, as: 'customer', mutual: false }],
    second_factor_required: true,
    disabled: false,
  });
  expect(await answer(person, 'get', own)).toEqual([200, after]);
  const { trusts: same } = after;
  expect(await answer(person, 'put', `/v1/accounts/${nodeId('Account', person.accountId)}`, { trusts: same })).toEqual([
    200,
    after,
  ]);
  const events = auth.connection.collection('security_log').find({ accountIds: person.accountId });
  expect((await events.toArray()).map(({ event, facts }): unknown => [event, facts])).toContainEqual([
    'account.updated',
    expect.objectContaining({ members: ['name', 'customUrl', 'trusts', 'secondFactorRequired'] }),
  ]);
  for (const method of ['post', 'delete'] as const)
    expect((await send(person, method, method === 'post' ? '/v1/accounts' : own, {})).status).toBe(405);
});

test.each<[string, Body, string]>([
  ['name', { name: null }, 'Name is required'],
  ['custom_url', { custom_url: 'http://wdc.example' }, 'Custom URL is not a valid https address'],
  ['trusts', { trusts: {} }, 'Trusts must be a list'],
  ['trusts', { trusts: null }, 'Trusts are required'],
  ['trusts.0.account_id', { trusts: [{ account_id: 'A b', as: 'customer' }] }, 'Account ID is malformed'],
  ['trusts.0.account_id', { trusts: [{ as: 'customer' }] }, 'Account ID is required'],
  ['trusts.0.as', { trusts: [{ account_id: 'x', as: 'friend' }] }, 'As is not one of provider, customer'],
  ['trusts.0.x', { trusts: [{ account_id: 'x', as: 'customer', x: 1 }] }, 'Unknown member'],
  ['second_factor_required', { second_factor_required: 'x' }, 'Second factor required is not true or false'],
  ['disabled', { disabled: true }, 'Only the directory account or the operator can disable an account'],
  ['directory_account', { directory_account: 'x' }, 'Unknown member'],
  ['id', { id: 'x' }, 'Unknown member'],
])('a refused %s of an account is named: %p', async (member, change, text) => {
  const person = await seedPerson(auth);
  const own = `/v1/accounts/${person.accountId}`;
  const [, before] = await answer(person, 'get', own);
  expect(await answer(person, 'patch', own, change)).toEqual(refusal([member, text]));
  expect(await answer(person, 'get', own)).toEqual([200, before]);
});

test('writing accounts needs a token, its scope, its administrator, and no other account is written', async () => {
  const [person, parent, stranger] = [await seedPerson(auth), await seedPerson(auth), await seedPerson(auth)];
  await children(parent, person);
  const own = `/v1/accounts/${person.accountId}`;
  const named = { name: `Account ${person.accountId}` };
  for (const method of ['patch', 'put'] as const) {
    const write = (headers: Record<string, string>) => auth.http[method](own).set(headers).send({ name: 'Mine' });
    await write({ 'X-Service-Account': person.accountId }).expect(401);
    const blind = await headersOf(auth, person, { scopes: scopesOf('account:Read', 'person:*') });
    await write(blind).expect(403, { message: 'Missing required scope(s): account:Update' });
    for (const role of ['end_user', 'key_contact', 'specialist', 'auditor', 'directory_administrator'] as const)
      await write(await headersOf(auth, await colleague(person, { roles: [role] }))).expect(403);
    await write(await headersOf(auth, stranger)).expect(404, { message: 'Not Found' });
  }
  const inItself = 'can only be changed in the account itself';
  expect(await answer(parent, 'patch', own, { name: 'Mine', second_factor_required: true, disabled: true })).toEqual(
    refusal(['name', `Name ${inItself}`], ['second_factor_required', `Second factor required ${inItself}`]),
  );
  for (const wrong of [parent.accountId, 'nobody', 'x.y', nodeId('Person', person.id)])
    expect((await send(person, 'patch', `/v1/accounts/${wrong}`, { disabled: true })).status).toBe(404);
  expect(await answer(parent, 'patch', own, { disabled: 'true' })).toMatchObject([200, { disabled: true }]);
  expect(await answer(parent, 'get', own)).toMatchObject([200, { ...named, disabled: true }]);
});

test('whether a second factor is required is known to administrators of the account', async () => {
  const [person, parent] = [await seedPerson(auth), await seedPerson(auth)];
  await children(parent, person);
  const text =
    'mutation ($input: AccountUpdateInput!) { accountUpdate(input: $input) { account { secondFactorRequired } } }';
  const { data } = await call(auth, person, text, { input: { secondFactorRequired: true } });
  expect(data).toEqual({ accountUpdate: { account: { secondFactorRequired: true } } });
  const id = person.accountId;
  const seenBy = async (reader: SeededPerson) => {
    const query = '{ accounts(first: 9) { nodes { accountID secondFactorRequired } } }';
    const { nodes } = (await call(auth, reader, query)).data?.['accounts'] as { nodes: Body[] };
    const [, { second_factor_required: inRest }] = await answer(reader, 'get', `/v1/accounts/${id}`);
    return [nodes.find(({ accountID }) => accountID === id)?.['secondFactorRequired'], inRest];
  };
  expect(await seenBy(person)).toEqual([true, true]);
  const others = ['auditor', 'specialist', 'directory_administrator'] as const;
  for (const role of others) expect(await seenBy(await colleague(person, { roles: [role] }))).toEqual([null, null]);
  expect(await seenBy(parent)).toEqual([null, null]);
});

test('requiring a second factor needs a recent sign-in, and other changes do not', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, { scopes: everything });
  const browser = await openSignedIn(auth, person);
  const { access_token } = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const write = async (body: object) => {
    const { caller_token } = await introspect(auth, access_token);
    const headers = { Authorization: `Bearer ${caller_token}`, 'X-Service-Account': person.accountId };
    return auth.http.patch(`/v1/accounts/${person.accountId}`).set(headers).send(body);
  };
  expect((await write({ second_factor_required: true })).status).toBe(200);
  auth.clock.offset = 30 * 60_000;
  const stale = await write({ second_factor_required: false });
  expect([stale.status, stale.get('WWW-Authenticate')]).toEqual([
    401,
    expect.stringContaining('insufficient_user_authentication'),
  ]);
  expect((await write({ name: 'Renamed' })).status).toBe(200);
  expect(await answer(person, 'get', `/v1/accounts/${person.accountId}`)).toMatchObject([
    200,
    { name: 'Renamed', second_factor_required: true },
  ]);
});
test('making somebody an account administrator needs a recent sign-in, and other changes of people do not', async () => {
  const person = await seedPerson(auth);
  const colleague = await seedPerson(auth, { accountId: person.accountId, roles: ['specialist'] });
  const application = await seedApplication(auth, person.accountId, { scopes: everything });
  const browser = await openSignedIn(auth, person);
  const { access_token } = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const write = async (method: 'post' | 'patch', path: string, body: object) => {
    const { caller_token } = await introspect(auth, access_token);
    const headers = { Authorization: `Bearer ${caller_token}`, 'X-Service-Account': person.accountId };
    return (await auth.http[method](path).set(headers).send(body)).status;
  };
  const roles = ['account_administrator'];
  const newcomer = { name: 'Nina', primary_email: 'nina@wdc.example', roles };
  const path = `/v1/people/${colleague.id}`;
  auth.clock.offset = 30 * 60_000;
  expect(await write('patch', path, { roles })).toBe(401);
  expect(await write('post', '/v1/people', newcomer)).toBe(401);
  expect(await write('patch', path, { name: 'Renamed', roles: ['auditor'] })).toBe(200);
  auth.clock.offset = 0;
  expect(await write('patch', path, { roles })).toBe(200);
  expect(await write('post', '/v1/people', newcomer)).toBe(201);
});
