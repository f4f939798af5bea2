import { openSignedIn } from '../testing/browser';
import { call, headersOf, nodeId } from '../testing/caller';
import { bodyIn, introspect, requestToken } from '../testing/client';
import { createPeopleClient, createText, grace, idIn, payloadIn, updateText } from '../testing/people';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const { answerOffer, colleague, create, offerRoles, revisionOf, stored, update } = createPeopleClient(() => auth);

test.each([['personCreate'], ['personUpdate']])('%s needs its scope and an administrator', async (field) => {
  const administrator = await seedPerson(auth);
  const specialist = await colleague(administrator, { roles: ['specialist', 'auditor', 'key_contact'] });
  const input = field === 'personCreate' ? grace : { id: nodeId('Person', specialist.id), name: 'X' };
  const text = field === 'personCreate' ? createText : updateText;
  const scopes = [{ effect: 'allow' as const, actions: ['person:Read', 'account:*'] }];
  const denied = [
    { effect: 'allow' as const, actions: ['*:*'] },
    { effect: 'deny' as const, actions: ['person:*'] },
  ];
  const action = field === 'personCreate' ? 'person:Create' : 'person:Update';
  for (const refused of [scopes, denied]) {
    const { data, errors } = await call(auth, administrator, text, { input }, { scopes: refused });
    expect(data).toEqual({ [field]: null });
    expect(errors).toMatchObject([
      { message: `Missing required scope(s): ${action}`, extensions: { code: 'FORBIDDEN' } },
    ]);
  }
  const { errors } = await call(auth, specialist, text, { input });
  expect(errors).toMatchObject([{ message: 'Forbidden', extensions: { code: 'FORBIDDEN' } }]);
  expect((await stored(specialist.id))?.['version']).toBe(1);
});

test('end users and key contacts see their own roles, and nobody else’s', async () => {
  const administrator = await seedPerson(auth);
  const specialist = await colleague(administrator, { roles: ['specialist'] });
  for (const role of ['end_user', 'key_contact', 'specialist', 'auditor'] as const) {
    const reader = await colleague(administrator, { roles: [role] });
    const isWorking = role === 'specialist' || role === 'auditor';
    const ids = [administrator, specialist, reader].map(({ id }) => id);
    const expected = [isWorking ? ['account_administrator'] : [], isWorking ? ['specialist'] : [], [role]];
    const { data } = await call(auth, reader, '{ people(first: 50) { nodes { id roles } } }');
    const { nodes } = data?.['people'] as { nodes: { id: string; roles: unknown }[] };
    expect(ids.map((id) => nodes.find((node) => node.id === nodeId('Person', id))?.roles)).toEqual(expected);
    const headers = await headersOf(auth, reader);
    const inRest = ids.map(async (id) => bodyIn(await auth.http.get(`/v1/people/${id}`).set(headers).expect(200)));
    expect(await Promise.all(inRest)).toMatchObject(expected.map((roles) => ({ roles })));
  }
});

test('people of another account are neither found nor changed, like unknown ones', async () => {
  const person = await seedPerson(auth);
  const stranger = await seedPerson(auth);
  for (const change of [{ name: 'X' }, { disabled: true }, { roles: ['end_user'] }, {}]) {
    for (const id of [stranger.id, 999_999_999]) {
      expect(await update(person, id, change)).toMatchObject({
        data: { personUpdate: null },
        errors: [{ message: 'Not Found', extensions: { code: 'NOT_FOUND' } }],
      });
    }
  }
  expect((await call(auth, person, updateText, { input: { id: 'nonsense' } })).errors?.[0]?.message).toBe('Not Found');
  expect((await stored(stranger.id))?.['version']).toBe(1);
});

test('a directory administrator manages people, but neither creates nor changes administrators', async () => {
  const administrator = await seedPerson(auth);
  const keeper = await colleague(administrator, { roles: ['directory_administrator'] });
  const made = payloadIn(await create(keeper, { ...grace, roles: ['directory_administrator', 'specialist'] }));
  expect(made.errors).toEqual([]);
  const refusal = {
    message: 'Only an account administrator can give or take the role account_administrator',
    path: ['roles'],
  };
  const second = { name: 'X', primaryEmail: 'x@wdc.example', roles: ['account_administrator'] };
  expect(payloadIn(await create(keeper, second))).toMatchObject({ person: null, errors: [refusal] });
  for (const id of [idIn(made), keeper.id]) {
    expect(payloadIn(await update(keeper, id, { roles: ['account_administrator'] })).errors).toEqual([refusal]);
  }
  expect(payloadIn(await update(keeper, administrator.id, { roles: [] })).errors).toEqual([refusal]);
  for (const change of [{ primaryEmail: 'taken.over@wdc.example' }, { authenticationID: 'mine' }, { disabled: true }]) {
    expect(payloadIn(await update(keeper, administrator.id, change)).errors).toMatchObject([
      { message: expect.stringContaining('of an administrator can only be changed by an account administrator') },
    ]);
  }
  expect((await stored(administrator.id))?.['version']).toBe(1);
});

test('an account gives roles only to people of its directory account and of partners', async () => {
  const [customer, provider, directory] = [await seedPerson(auth), await seedPerson(auth), await seedPerson(auth)];
  await auth.app.operator.ensureAccount({
    id: customer.accountId,
    name: 'Customer',
    directoryAccountId: directory.accountId,
  });
  expect(payloadIn(await update(customer, directory.id, { roles: ['auditor'] })).person).toMatchObject({
    roles: ['auditor'],
  });
  const trust = (from: SeededPerson, to: SeededPerson, as: string) =>
    call(auth, from, 'mutation ($input: AccountUpdateInput!) { accountUpdate(input: $input) { errors { message } } }', {
      input: { trusts: [{ accountID: to.accountId, as }] },
    });
  await trust(customer, provider, 'provider');
  expect((await update(customer, provider.id, { roles: ['specialist'] })).errors?.[0]?.message).toBe('Not Found');
  await trust(provider, customer, 'provider');
  expect((await update(customer, provider.id, { roles: ['specialist'] })).errors?.[0]?.message).toBe('Not Found');
  await trust(provider, customer, 'customer');
  // With role offers, a person must accept first, and an id reveals nothing about its person.
  for (const id of [provider.id, 999_999]) {
    for (const change of [{ name: 'X' }, { roles: ['specialist'] }, { roles: [] }]) {
      const refused = await update(customer, id, change);
      expect([refused.data, refused.errors?.[0]?.message]).toEqual([{ personUpdate: null }, 'Not Found']);
    }
  }
  const before = await revisionOf(provider.accountId);
  await offerRoles(customer, provider, ['specialist']);
  expect((await update(customer, provider.id, { roles: [] })).errors?.[0]?.message).toBe('Not Found');
  await answerOffer(await openSignedIn(auth, provider), 'accept');
  expect(await revisionOf(provider.accountId)).not.toBe(before);

  const inCustomer = { accountId: customer.accountId };
  expect((await call(auth, provider, '{ me { name roles } }', {}, inCustomer)).data).toEqual({
    me: { name: 'Ellen Brown', roles: ['specialist'] },
  });
  expect(payloadIn(await update(customer, provider.id, { name: 'X', disabled: true })).errors).toMatchObject([
    { path: ['name'] },
    { path: ['disabled'] },
  ]);
  expect((await stored(provider.id))?.['roles']).toEqual({
    [provider.accountId]: ['account_administrator'],
    [customer.accountId]: ['specialist'],
  });
  await update(customer, provider.id, { roles: [] });
  expect((await stored(provider.id))?.['roles']).toEqual({ [provider.accountId]: ['account_administrator'] });
  expect((await update(customer, provider.id, { name: 'X' })).errors?.[0]?.message).toBe('Not Found');
});

test('the authentication ID is shown only to the person and to administrators', async () => {
  const administrator = await seedPerson(auth);
  const person = await colleague(administrator, { authenticationID: 'idp|1' });
  const other = await colleague(administrator);
  const seenBy = async (viewer: SeededPerson) =>
    (
      await call(auth, viewer, 'query ($id: ID!) { person(id: $id) { authenticationID } }', {
        id: nodeId('Person', person.id),
      })
    ).data;
  expect(await seenBy(administrator)).toEqual({ person: { authenticationID: 'idp|1' } });
  expect(await seenBy(person)).toEqual({ person: { authenticationID: 'idp|1' } });
  expect(await seenBy(other)).toEqual({ person: { authenticationID: null } });
});

test('an application of another account that acts as the person does not see the authentication ID', async () => {
  const [parent, child] = [await seedPerson(auth), await seedPerson(auth)];
  await auth.app.operator.ensureAccount({
    id: child.accountId,
    name: 'Child',
    directoryAccountId: parent.accountId,
  });
  const person = await colleague(parent, { authenticationID: 'idp|2' });
  await update(child, person.id, { roles: ['end_user'] });
  const seenBy = async (accountId: string) => {
    const acting = { grantTypes: ['client_credentials'], actsAsPersonId: person.id } as const;
    const application = await seedApplication(auth, accountId, acting);
    const answer = bodyIn(await requestToken(auth, application, { grant_type: 'client_credentials' }).expect(200));
    const { caller_token } = await introspect(auth, (answer as { access_token: string }).access_token);
    const headers = { Authorization: `Bearer ${caller_token}`, 'X-Service-Account': accountId };
    const { body } = await auth.http.get('/v1/me').set(headers).expect(200);
    const query = '{ me { authenticationID } }';
    const { data } = bodyIn(await auth.http.post('/graphql').set(headers).send({ query })) as { data: object };
    return [(body as Record<string, unknown>)['authenticationID'], data];
  };
  expect(await seenBy(child.accountId)).toEqual([null, { me: { authenticationID: null } }]);
  expect(await seenBy(parent.accountId)).toEqual(['idp|2', { me: { authenticationID: 'idp|2' } }]);
});
