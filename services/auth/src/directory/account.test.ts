import { hostNames } from '@itsm/shared/api/identity/account-id';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { obtainCode, openBrowser, openSignedIn, signIn } from '../testing/browser';
import { call, nodeId, tokenOf } from '../testing/caller';
import { introspect, pairIn, redeem, refresh } from '../testing/client';
import { createPeopleClient } from '../testing/people';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const { colleague, revisionOf, update: updatePerson } = createPeopleClient(() => auth);

const fields =
  'id accountID name customUrl disabled directoryAccount { accountID } trusts { accountID as mutual account { name } }';
const updateText = `mutation ($input: AccountUpdateInput!) { accountUpdate(input: $input) {
  account { ${fields} } errors { message path } clientMutationId } }`;

const change = async (person: SeededPerson, input: object, options = {}) => {
  const answer = await call(auth, person, updateText, { input }, options);
  return { ...answer, payload: answer.data?.['accountUpdate'] as Record<string, unknown> | null };
};
const setParent = (child: SeededPerson, parent: SeededPerson) =>
  auth.app.operator.ensureAccount({
    id: child.accountId,
    name: `Account ${child.accountId}`,
    directoryAccountId: parent.accountId,
  });
const idsIn = (data: unknown) =>
  (data as { accounts: { nodes: { accountID: string }[] } }).accounts.nodes.map(({ accountID }) => accountID);

test('an administrator changes the name, the address and the trusts of the account, and the other services hear of it', async () => {
  const person = await seedPerson(auth);
  const { accountId } = person;
  const trusts = [{ accountID: 'partner', as: 'customer' }];
  const input = { name: ' Widgets ', customUrl: 'https://help.wdc.example/', trusts, clientMutationId: 'x' };
  const { payload } = await change(person, input);
  expect(payload).toEqual({
    account: {
      id: nodeId('Account', accountId),
      accountID: accountId,
      name: 'Widgets',
      customUrl: 'https://help.wdc.example/',
      disabled: false,
      directoryAccount: null,
      trusts: [{ accountID: 'partner', as: 'customer', mutual: false, account: { name: 'partner' } }],
    },
    errors: [],
    clientMutationId: 'x',
  });
  expect((await change(person, { id: accountId, customUrl: '' })).payload).toMatchObject({
    account: { name: 'Widgets', customUrl: null, trusts: [{ accountID: 'partner' }] },
  });
  await change(person, { name: 'Widgets' });
  const published = await waitUntil('the messages', () => {
    const messages = auth.published.accounts.filter(({ id }) => id === accountId);
    return messages.length >= 3 ? messages : undefined;
  });
  expect(published.slice(1)).toEqual([
    {
      id: accountId,
      name: 'Widgets',
      customUrl: 'https://help.wdc.example/',
      directoryAccountId: null,
      trusts: [{ accountId: 'partner', as: 'customer' }],
      disabled: false,
      version: 2,
    },
    expect.objectContaining({ customUrl: null, version: 3 }),
  ]);
});

test("a trust without the other side's agreement shows only the given account id", async () => {
  const [own, parent, silent] = (await Promise.all(Array.from({ length: 3 }, () => seedPerson(auth)))) as [
    SeededPerson,
    SeededPerson,
    SeededPerson,
  ];
  await setParent(own, parent);
  await change(silent, { name: 'Silent Ltd', customUrl: 'https://silent.example/' });
  const trusts = [parent.accountId, silent.accountId, 'nobody-there'].map((accountID) => ({
    accountID,
    as: 'customer',
  }));
  await change(own, { trusts });
  const read = async () => {
    const account =
      'account { id accountID name customUrl disabled trusts { accountID } directoryAccount { accountID } }';
    const { data } = await call(auth, own, `{ account { trusts { accountID mutual ${account} } } }`);
    return (data as { account: { trusts: { accountID: string; mutual: boolean; account: object }[] } }).account.trusts;
  };
  const named = (accountID: string) => ({
    accountID,
    mutual: false,
    account: {
      id: nodeId('Account', accountID),
      accountID,
      name: accountID,
      customUrl: null,
      disabled: false,
      trusts: [],
      directoryAccount: null,
    },
  });
  // The directory account is always visible. Of the others, an existing account looks like one that does not exist.
  expect(await read()).toEqual([
    expect.objectContaining({
      mutual: false,
      account: expect.objectContaining({ name: `Account ${parent.accountId}` }) as object,
    }),
    named(silent.accountId),
    named('nobody-there'),
  ]);
  await change(silent, { trusts: [{ accountID: own.accountId, as: 'provider' }] });
  expect((await read())[1]).toMatchObject({
    mutual: true,
    account: { name: 'Silent Ltd', customUrl: 'https://silent.example/' },
  });
});

test.each<[string, object, string]>([
  ['name', { name: '' }, 'Name is required'],
  ['name', { name: 'x'.repeat(256) }, 'Name is too long (at most 255 characters)'],
  ['customUrl', { customUrl: 'http://wdc.example' }, 'Custom URL is not a valid https address'],
  ['customUrl', { customUrl: 'https://a:b@wdc.example' }, 'Custom URL is not a valid https address'],
  ['customUrl', { customUrl: 'javascript:alert(1)' }, 'Custom URL is not a valid https address'],
  ['customUrl', { customUrl: `https://${'x'.repeat(300)}.example` }, 'Custom URL is too long (at most 255 characters)'],
  ['trusts', { trusts: null }, 'Trusts are required'],
  ['trusts', { trusts: [{ accountID: 'A b', as: 'customer' }] }, 'Account ID is malformed'],
  ['disabled', { disabled: true }, 'Only the directory account or the operator can disable an account'],
])('a refused %s is named: %o', async (member, input, message) => {
  const person = await seedPerson(auth);
  const { payload } = await change(person, input);
  expect(payload).toMatchObject({
    account: null,
    errors: expect.arrayContaining([expect.objectContaining({ message })]) as unknown,
  });
  expect((payload?.['errors'] as { path: string[] }[])[0]?.path[0]).toBe(member);
});

test('an account trusts neither itself nor one account twice', async () => {
  const person = await seedPerson(auth);
  const itself = { accountID: person.accountId, as: 'customer' };
  expect((await change(person, { trusts: [itself] })).payload).toMatchObject({
    errors: [{ message: 'An account cannot name itself', path: ['trusts'] }],
  });
  const twice = ['customer', 'provider'].map((as) => ({ accountID: 'partner', as }));
  expect((await change(person, { trusts: twice })).payload).toMatchObject({
    errors: [{ message: 'Trusts name an account more than once', path: ['trusts'] }],
  });
});

test('changing the account needs the scope and its administrator', async () => {
  const person = await seedPerson(auth);
  const keeper = await colleague(person, { roles: ['directory_administrator', 'specialist'] });
  const scopes = [{ effect: 'allow', actions: ['account:Read', 'person:*'] }];
  expect((await change(person, { name: 'X' }, { scopes })).errors).toMatchObject([
    { message: 'Missing required scope(s): account:Update', extensions: { code: 'FORBIDDEN' } },
  ]);
  expect((await change(keeper, { name: 'X' })).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  const reading = [{ effect: 'allow' as const, actions: ['person:Read'] }];
  const { data, errors } = await call(
    auth,
    person,
    '{ account { name } accounts(first: 1) { totalCount } }',
    {},
    { scopes: reading },
  );
  expect(data).toEqual({ account: null, accounts: null });
  expect(errors?.map(({ message }) => message)).toEqual(Array(2).fill('Missing required scope(s): account:Read'));
});

test('visible accounts are the own one, its parent, children and partners, in pages; no other is seen or changed', async () => {
  const [own, parent, child, partner, oneSided, stranger] = (await Promise.all(
    Array.from({ length: 6 }, () => seedPerson(auth)),
  )) as [SeededPerson, SeededPerson, SeededPerson, SeededPerson, SeededPerson, SeededPerson];
  await setParent(own, parent);
  await setParent(child, own);
  const trusts = [partner, oneSided].map(({ accountId }) => ({ accountID: accountId, as: 'provider' }));
  await change(own, { trusts });
  await change(partner, { trusts: [{ accountID: own.accountId, as: 'customer' }] });
  await change(oneSided, { trusts: [{ accountID: stranger.accountId, as: 'customer' }] });
  const visible = [own, parent, child, partner].map(({ accountId }) => accountId).sort();
  const page = (args: string) =>
    call(
      auth,
      own,
      `{ accounts(${args}) { totalCount nodes { accountID } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } }`,
    );
  const all = await page('first: 10');
  expect(all.errors).toBeUndefined();
  expect(idsIn(all.data)).toEqual(visible);
  expect(all.data).toMatchObject({ accounts: { totalCount: 4, pageInfo: { hasNextPage: false } } });
  const first = (await page('first: 3')).data as { accounts: { pageInfo: { endCursor: string } } };
  expect(idsIn(first)).toEqual(visible.slice(0, 3));
  const rest = await page(`first: 3, after: "${first.accounts.pageInfo.endCursor}"`);
  expect(idsIn(rest.data)).toEqual(visible.slice(3));
  expect(idsIn((await page(`last: 2, before: "${first.accounts.pageInfo.endCursor}"`)).data)).toEqual(
    visible.slice(0, 2),
  );
  expect((await page('first: 1, after: "aWQ6MQ"')).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  expect((await page('first: 101')).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');

  const one = async (id: string) =>
    (await call(auth, own, 'query ($id: ID) { account(id: $id) { accountID } }', { id })).data;
  expect(await one(partner.accountId)).toEqual({ account: { accountID: partner.accountId } });
  expect(await one(nodeId('Account', parent.accountId))).toEqual({ account: { accountID: parent.accountId } });
  for (const hidden of [oneSided.accountId, stranger.accountId, 'nobody', 'x/y', nodeId('Person', own.id)]) {
    expect(await one(hidden)).toEqual({ account: null });
    expect((await change(own, { id: hidden, disabled: true })).errors).toMatchObject([{ message: 'Not Found' }]);
  }
  for (const related of [parent, partner]) {
    expect((await change(own, { id: related.accountId, disabled: true })).errors).toMatchObject([
      { message: 'Not Found' },
    ]);
  }
});

test('when the directory account disables an account, all tokens and sessions of its people and applications end at once, for good', async () => {
  const parent = await seedPerson(auth);
  const child = await seedPerson(auth);
  const bystander = await seedPerson(auth);
  await setParent(child, parent);
  await updatePerson(child, parent.id, { roles: ['specialist'] });
  const application = await seedApplication(auth, child.accountId);
  const browser = await openSignedIn(auth, child);
  const pair = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const personal = await tokenOf(auth, child);
  const ofParent = await tokenOf(auth, parent);
  const held = [pair.access_token, personal];
  const active = () => Promise.all(held.map(async (token) => (await introspect(auth, token)).active));
  const others = await tokenOf(auth, bystander);
  expect(await active()).toEqual([true, true]);
  expect((await introspect(auth, ofParent)).claims['accounts']).toHaveProperty(child.accountId);
  const before = await Promise.all([child, parent].map(({ accountId }) => revisionOf(accountId)));

  expect((await change(parent, { id: child.accountId, name: 'Mine', disabled: true })).payload).toMatchObject({
    errors: [{ message: 'Name can only be changed in the account itself', path: ['name'] }],
  });
  const { payload } = await change(parent, { id: child.accountId, disabled: true });
  expect(payload).toMatchObject({ account: { disabled: true }, errors: [] });

  expect(await active()).toEqual([false, false]);
  const after = await Promise.all([child, parent].map(({ accountId }) => revisionOf(accountId)));
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  await refresh(auth, application, pair.refresh_token).expect(400);
  await browser.get('/oauth/profile').expect(303);
  expect((await signIn(openBrowser(auth), child)).status).not.toBe(303);
  expect((await introspect(auth, ofParent)).claims['accounts']).toEqual({
    [parent.accountId]: ['account_administrator'],
  });
  expect((await introspect(auth, others)).active).toBe(true);

  await change(parent, { id: child.accountId, disabled: false });
  auth.clock.offset += 1_000;
  expect(await active()).toEqual([false, false]);
  await refresh(auth, application, pair.refresh_token).expect(400);
  expect((await signIn(openBrowser(auth), child)).status).toBe(303);
  expect((await introspect(auth, await tokenOf(auth, child))).active).toBe(true);
  await waitUntil('the other services', () => {
    const published = auth.published.accounts
      .filter(({ id }) => id === child.accountId)
      .map(({ disabled }) => disabled);
    return published.slice(-2).join() === 'true,false';
  });
});

test('the operator disables an account that has no directory account', async () => {
  const person = await seedPerson(auth);
  const token = await tokenOf(auth, person);
  await auth.app.operator.setAccountDisabled(person.accountId, true);
  await auth.app.operator.setAccountDisabled(person.accountId, true);
  expect(await introspect(auth, token)).toEqual({ active: false });
  await auth.app.operator.setAccountDisabled(person.accountId, false);
  auth.clock.offset += 1_000;
  expect((await introspect(auth, await tokenOf(auth, person))).active).toBe(true);
  await expect(auth.app.operator.setAccountDisabled('nobody', true)).rejects.toThrow('Not Found');
});

test.each([...hostNames, 'wdc-', 'xn--wdc', 'Wdc', 'w_dc', 'w.dc', '-wdc', '', 'w'.repeat(64)])(
  'no account can be given the id %p, as its host could not have that name',
  async (id) => {
    const refused: unknown = await auth.app.operator
      .ensureAccount({ id, name: 'Widgets' })
      .catch((error: unknown) => error);
    const errors = [['id', expect.stringMatching(/^Account ID must /)]] as unknown;
    expect(refused).toMatchObject({ code: 'validation_failed', details: { errors } });
    if (hostNames.includes(id))
      expect(refused).toHaveProperty('details.errors.0.1', expect.stringContaining('these are hosts of the platform'));
  },
);

test('an account of an earlier release keeps its id, valid or not', async () => {
  const accounts = auth.connection.collection<{ _id: string; name: string; version: number }>('accounts');
  await accounts.insertOne({ _id: 'status', name: 'Status', version: 1 });
  await auth.app.operator.ensureAccount({ id: 'status', name: 'Renamed' });
  expect(await accounts.findOne({ _id: 'status' })).toMatchObject({ name: 'Renamed', version: 2 });
});
