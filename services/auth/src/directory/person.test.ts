import { waitUntil } from '@itsm/shared/testing/wait-until';
import { openBrowser, signIn } from '../testing/browser';
import { nodeId } from '../testing/caller';
import { createPeopleClient, grace, idIn, payloadIn } from '../testing/people';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const { create, eventsOf, stored, update } = createPeopleClient(() => auth);

test('an administrator makes a person of the account', async () => {
  const person = await seedPerson(auth);
  const answer = await create(person, { ...grace, clientMutationId: 'one' });
  expect(answer).toEqual({
    data: {
      personCreate: {
        person: { id: expect.any(String) as string, ...grace, roles: ['specialist'], disabled: false },
        errors: [],
        clientMutationId: 'one',
      },
    },
  });
  expect(await stored(idIn(payloadIn(answer)))).toMatchObject({ accountId: person.accountId, password: null });
});

test('a person with only name and address is an end user, and signs in only after the operator has set a password', async () => {
  const person = await seedPerson(auth);
  const email = `new@${person.accountId}.example`;
  const { person: made } = payloadIn(await create(person, { name: ' New ', primaryEmail: email, roles: null }));
  expect(made).toMatchObject({ name: 'New', roles: ['end_user'], locale: 'en', timeZone: 'UTC', source: null });
  const as = { ...person, email, password: 'correct horse battery' };
  expect((await signIn(openBrowser(auth), as)).status).not.toBe(303);
  await auth.app.operator.setPassword(person.accountId, email.toUpperCase(), as.password);
  expect((await signIn(openBrowser(auth), as)).status).toBe(303);
  await expect(auth.app.operator.setPassword(person.accountId, email, 'short')).rejects.toThrow('Validation Failed');
  await expect(auth.app.operator.setPassword('elsewhere', email, as.password)).rejects.toThrow('Not Found');
});

test.each<[string, object, string]>([
  ['name', { name: undefined }, 'Name is required'],
  ['name', { name: '  ' }, 'Name is required'],
  ['name', { name: 'x'.repeat(256) }, 'Name is too long (at most 255 characters)'],
  ['name', { name: 'a\nb' }, 'Name may not hold control characters'],
  ['primaryEmail', { primaryEmail: undefined }, 'Primary email is required'],
  ['primaryEmail', { primaryEmail: 'nobody' }, 'Primary email is not an e-mail address'],
  ['primaryEmail', { primaryEmail: 'a@x..example' }, 'Primary email has a domain to which no mail can be sent'],
  ['primaryEmail', { primaryEmail: 'a@bücher..example' }, 'Primary email has a domain to which no mail can be sent'],
  ['primaryEmail', { primaryEmail: 'a@x.example, b@x.example' }, 'Primary email is not an e-mail address'],
  [
    'primaryEmail',
    { primaryEmail: `${'a'.repeat(260)}@x.example` },
    'Primary email is too long (at most 254 characters)',
  ],
  ['authenticationID', { authenticationID: 'x'.repeat(256) }, 'Authentication ID is too long (at most 255 characters)'],
  ['locale', { locale: 'x_y' }, 'Locale is not a language tag such as en or nl-NL'],
  ['timeZone', { timeZone: 'Mars/Base' }, 'Time zone is not a name such as Europe/Amsterdam'],
  ['source', { source: 'x'.repeat(31) }, 'Source is too long (at most 30 characters)'],
  ['sourceID', { sourceID: 'x'.repeat(129) }, 'Source ID is too long (at most 128 characters)'],
])('a refused %s is named: %o', async (member, change, message) => {
  const person = await seedPerson(auth);
  const payload = payloadIn(await create(person, { ...grace, ...change }));
  expect(payload).toMatchObject({ person: null, errors: [{ message, path: [member] }] });
});

test.each([
  { name: 5 },
  { name: { $ne: null } },
  { roles: ['operator'] },
  { roles: 'specialist,auditor' },
  { password: 'a password' },
  { accountId: 'other' },
  { id: 'x' },
])('an input with %o does not fit the schema', async (change) => {
  const person = await seedPerson(auth);
  const { errors } = await create(person, { ...grace, ...change });
  expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

test('an address and an authentication ID are used once in an account, whatever their case, and again in another', async () => {
  const person = await seedPerson(auth);
  const other = await seedPerson(auth);
  expect(payloadIn(await create(person, grace)).errors).toEqual([]);
  expect(payloadIn(await create(person, { ...grace, primaryEmail: 'GRACE.LIN@WDC.EXAMPLE' })).errors).toEqual([
    { message: 'Primary email is already in use', path: ['primaryEmail'] },
    { message: 'Authentication ID is already in use', path: ['authenticationID'] },
  ]);
  const id = idIn(payloadIn(await create(person, { name: 'Second', primaryEmail: 'second@wdc.example' })));
  expect(payloadIn(await update(person, id, { primaryEmail: grace.primaryEmail })).errors).toEqual([
    { message: 'Primary email is already in use', path: ['primaryEmail'] },
  ]);
  expect(payloadIn(await create(other, grace)).errors).toEqual([]);
});

test('of ten concurrent creations with one address one succeeds, with one event', async () => {
  const person = await seedPerson(auth);
  const cases = Array.from({ length: 10 }, (_, n) =>
    n % 2 === 0 ? grace.primaryEmail : grace.primaryEmail.toUpperCase(),
  );
  const payloads = await Promise.all(
    cases.map(async (primaryEmail) => payloadIn(await create(person, { name: 'Grace', primaryEmail }))),
  );
  expect(payloads.filter(({ person: made }) => made)).toHaveLength(1);
  for (const { person: made, errors } of payloads) {
    expect(errors).toEqual(made ? [] : [{ message: 'Primary email is already in use', path: ['primaryEmail'] }]);
  }
  const events = await waitUntil('the event', () => eventsOf(person.accountId, 1));
  expect(events).toHaveLength(1);
});

test('creating and updating are published once each, with exactly what webhooks carry', async () => {
  const parent = await seedPerson(auth);
  const { accountId } = parent;
  const child = await seedPerson(auth);
  await auth.app.operator.ensureAccount({ id: child.accountId, name: 'Child', directoryAccountId: accountId });
  const id = idIn(payloadIn(await create(parent, grace)));
  await update(parent, id, { name: 'Grace Li', sourceID: null, source: '' });
  await update(parent, id, { name: 'Grace Li' });
  await update(parent, id, { disabled: true });
  const events = await waitUntil('three events', () => eventsOf(accountId, 3));
  const common = {
    eventId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    accountId,
    visibleTo: [accountId, child.accountId],
    object: { id, nodeID: nodeId('Person', id) },
    person: { id: parent.id, nodeID: nodeId('Person', parent.id), name: 'Ellen Brown' },
    links: { canonical: `/people/${id}`, resource: `/v1/people/${id}` },
  };
  expect(events).toEqual([
    { ...common, event: 'person.create', payload: { source: 'HR', sourceID: 'hr-17' } },
    { ...common, event: 'person.update', payload: {} },
    { ...common, event: 'person.update', payload: {} },
  ]);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(3);
  const saved = auth.published.people.filter((person) => person.id === id);
  expect(saved.map(({ version, disabled }) => [version, disabled])).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ]);
});

test('absent members do not change, and null clears optional ones', async () => {
  const person = await seedPerson(auth);
  const id = idIn(payloadIn(await create(person, grace)));
  const payload = payloadIn(await update(person, id, { timeZone: 'Asia/Tokyo', authenticationID: null }));
  expect(payload.person).toMatchObject({
    ...grace,
    roles: ['specialist'],
    timeZone: 'Asia/Tokyo',
    authenticationID: null,
  });
  const refused = payloadIn(await update(person, id, { name: null, locale: null, disabled: null, roles: null }));
  expect(refused.errors.map(({ path }) => path[0]).sort()).toEqual(['disabled', 'locale', 'name', 'roles']);
});

test('eight concurrent updates of one person all take effect', async () => {
  const person = await seedPerson(auth);
  const id = idIn(payloadIn(await create(person, grace)));
  const before = Number((await stored(id))?.['version']);
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      update(person, id, n % 2 === 0 ? { name: `Name ${n}` } : { sourceID: `id ${n}` }),
    ),
  );
  expect((await stored(id))?.['version']).toBe(before + 8);
  const events = await waitUntil('all events', () => eventsOf(person.accountId, 9));
  expect(events).toHaveLength(9);
});

test('changes of people are in the security log', async () => {
  const administrator = await seedPerson(auth);
  const id = idIn(payloadIn(await create(administrator, grace)));
  await update(administrator, id, { name: 'Other', disabled: true });
  const entries = await auth.connection
    .collection<{ event: string; actor: { id: number } }>('security_log')
    .find({ accountIds: administrator.accountId, 'person.id': id })
    .toArray();
  expect(entries.map(({ event, actor }) => [event, actor.id]).sort()).toEqual([
    ['person.created', administrator.id],
    ['person.disabled', administrator.id],
    ['person.updated', administrator.id],
  ]);
});
