import { openSignedIn } from '../testing/browser';
import { tokenOf } from '../testing/caller';
import { introspect } from '../testing/client';
import { createPeopleClient, payloadIn } from '../testing/people';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const { colleague, revisionOf, stored, update } = createPeopleClient(() => auth);

test('disabling ends personal tokens and sessions at once, and enabling does not revive them', async () => {
  const administrator = await seedPerson(auth);
  const person = await colleague(administrator);
  const token = await tokenOf(auth, person);
  const browser = await openSignedIn(auth, person);
  await browser.get('/oauth/profile').expect(200);
  expect((await introspect(auth, token)).active).toBe(true);
  const before = await revisionOf(person.accountId);
  expect(payloadIn(await update(administrator, person.id, { disabled: true })).person).toMatchObject({
    disabled: true,
  });
  expect(await introspect(auth, token)).toEqual({ active: false });
  expect(await revisionOf(person.accountId)).not.toBe(before);
  await browser.get('/oauth/profile').expect(303);
  await update(administrator, person.id, { disabled: false });
  auth.clock.offset += 1_000;
  expect(await introspect(auth, token)).toEqual({ active: false });
  await browser.get('/oauth/profile').expect(303);
  expect((await introspect(auth, await tokenOf(auth, person))).active).toBe(true);
});

test('a removed role is missing in the next introspection', async () => {
  const administrator = await seedPerson(auth);
  const person = await colleague(administrator, { roles: ['specialist'] });
  const token = await tokenOf(auth, person);
  const before = await revisionOf(person.accountId);
  await update(administrator, person.id, { roles: ['end_user'] });
  expect((await introspect(auth, token)).claims['accounts']).toEqual({ [person.accountId]: ['end_user'] });
  expect(await revisionOf(person.accountId)).not.toBe(before);
});

test('the last enabled administrator of an account cannot be removed', async () => {
  const last = await seedPerson(auth);
  const former = await colleague(last, { roles: ['account_administrator'] });
  await auth.app.services.persons.disable(former.accountId, former.id);
  const message = 'An account needs at least one enabled account administrator';
  expect(payloadIn(await update(last, last.id, { roles: ['specialist'] }))).toMatchObject({
    person: null,
    errors: [{ message, path: ['roles'] }],
  });
  expect(payloadIn(await update(last, last.id, { disabled: true })).errors).toEqual([{ message, path: ['disabled'] }]);
  await update(last, former.id, { disabled: false });
  expect(payloadIn(await update(last, last.id, { roles: ['specialist'] })).errors).toEqual([]);
});

test('administrators stored by an earlier release are indexed after the next start', async () => {
  const last = await seedPerson(auth);
  const [appointed, dismissed] = [
    await colleague(last, { roles: ['specialist'] }),
    await colleague(last, { roles: ['account_administrator'] }),
  ];
  const people = auth.connection.collection<{ _id: number }>('people');
  const role = `roles.${last.accountId}`;
  // The earlier release does not write `administers`.
  await people.updateOne({ _id: last.id }, { $unset: { administers: '' } });
  await people.updateOne({ _id: dismissed.id }, { $set: { [role]: ['specialist'] } });
  const leaves = async () => payloadIn(await update(last, last.id, { roles: ['specialist'] })).errors.length === 0;
  await auth.app.prepareStore();
  expect(await stored(last.id)).toMatchObject({ administers: [last.accountId], version: 1 });
  expect(await stored(dismissed.id)).toMatchObject({ administers: [] });
  expect(await leaves()).toBe(false);
  await people.updateOne({ _id: dismissed.id }, { $set: { administers: [last.accountId] } });
  expect(await leaves()).toBe(false);
  await people.updateOne({ _id: appointed.id }, { $set: { [role]: ['account_administrator'] } });
  await auth.app.prepareStore();
  expect(await leaves()).toBe(true);
});

test('of administrators who disable each other concurrently, one remains', async () => {
  for (let round = 0; round < 5; round += 1) {
    const first = await seedPerson(auth);
    const others = await Promise.all([1, 2].map(() => colleague(first, { roles: ['account_administrator'] })));
    const all = [first, ...others];
    await Promise.all(
      all.map(({ id, accountId }) => {
        const editor = { personId: id, name: 'E', accountId, roles: ['account_administrator'] as const };
        return auth.app.services.personAdministration
          .update(accountId, editor, id, { disabled: true })
          .catch((error: unknown) => expect(error).toMatchObject({ code: 'validation_failed' }));
      }),
    );
    const enabled = await Promise.all(all.map(async ({ id }) => !(await stored(id))?.['disabledAt']));
    expect(enabled.filter(Boolean)).toHaveLength(1);
  }
  const waiting = await auth.connection.collection('administrator_departures').find().toArray();
  for (const queue of waiting) expect(queue['departures']).toEqual([]);
});
