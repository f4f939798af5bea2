import { propertyOf } from '@itsm/shared/declared/names';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';
import { applicationType } from './application';
import { newClientToken } from './client-token';
import { applicationCollection, createApplicationRepository } from './application.repository';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const full = {
  description: 'Sells things',
  homepage: 'https://shop.example/',
  audience: 'shop',
  ssoConfigurationId: 7,
  actsAsPersonId: 8,
  pkceRequired: true,
  jwks: '{}',
  jwksUri: 'https://shop.example/jwks',
  privateKeyJwtRequired: true,
  disabledAt: new Date(0),
  source: 'shop',
  sourceID: 's-1',
};

const updatedAt = new Date(0);

type Settings = (typeof applicationType.fields)[number];

/** Another value of a setting of each kind. */
const others: Readonly<Record<Exclude<Settings['kind'], 'derived'>, unknown>> = {
  text: 'Other',
  flag: false,
  choices: ['refresh_token', 'authorization_code'],
  texts: [],
  shape: [{ effect: 'deny', actions: ['me:Name', 'person:Read'] }],
  person: null,
  reference: null,
  standing: null,
};
const changes = applicationType.fields
  .filter((field) => field.kind !== 'derived')
  .map((field) => [propertyOf(field), others[field.kind]] as const);

async function seed() {
  const { accountId } = await seedPerson(auth);
  const { id, clientId } = await seedApplication(auth, accountId);
  const applications = createApplicationRepository(auth.connection);
  await applications.change(accountId, id, { ...full, updatedAt });
  const versionNow = async () => (await applications.find(accountId, id))?.version;
  return { accountId, id, clientId, applications, versionNow };
}

test.each(changes)('a conditional write does nothing after a change of %s', async (name, value) => {
  const { accountId, id, applications, versionNow } = await seed();
  const version = await versionNow();
  expect(await applications.change(accountId, id, { [name]: value, updatedAt }, version)).toBe('changed');
  expect(await versionNow()).toBe((version ?? 0) + 1);
  expect(await applications.change(accountId, id, { description: 'Blind', updatedAt }, version)).toBe('missing');
  expect(await applications.delete(accountId, id, version)).toBeUndefined();
});

test('client tokens are of the version too, and their last use is not', async () => {
  const { accountId, id, clientId, applications, versionNow } = await seed();
  const versions = [await versionNow()];
  const after = async (change: Promise<unknown>) => {
    await change;
    versions.push(await versionNow());
  };
  const { token } = newClientToken(new Date(0), null);
  await after(applications.addToken(accountId, id, token, 5));
  await after(
    applications.changeToken(
      { id, accountId },
      { clientId, version: 1 },
      { disabledAt: updatedAt, enabledAt: null },
      updatedAt,
    ),
  );
  await after(applications.touchToken(accountId, id, clientId, new Date(0)));
  await after(applications.deleteToken(accountId, clientId, updatedAt));
  expect(versions).toEqual([2, 3, 4, 4, 5]);
});

test('a document of an earlier release is changed and deleted in its version, which is 0', async () => {
  const { accountId, id, applications, versionNow } = await seed();
  const stored = auth.connection.collection<{ _id: number }>(applicationCollection);
  const age = () => stored.updateOne({ _id: id }, { $unset: { version: true } });
  await age();
  expect(await versionNow()).toBe(0);
  expect(await applications.change(accountId, id, { description: 'Seen', updatedAt }, 0)).toBe('changed');
  expect(await versionNow()).toBe(1);
  expect(await applications.change(accountId, id, { description: 'Blind', updatedAt }, 0)).toBe('missing');
  await age();
  expect(await applications.delete(accountId, id, 1)).toBeUndefined();
  expect(await applications.delete(accountId, id, 0)).toMatchObject({ id, description: 'Seen' });
});

test('every change has a time; a document of an earlier release gets that of its first token, and that of the start', async () => {
  const { accountId, id, clientId, applications } = await seed();
  const timesOf = async () => {
    const { createdAt, updatedAt: changedAt } = (await applications.find(accountId, id))!;
    return [createdAt, changedAt].map((time) => time.getTime());
  };
  const [made] = (await timesOf()) as [number];
  const { token } = newClientToken(new Date(made + 1), null);
  await applications.addToken(accountId, id, token, 5);
  expect(await timesOf()).toEqual([made, made + 1]);
  const standing = { disabledAt: updatedAt, enabledAt: null };
  await applications.changeToken({ id, accountId }, token, standing, new Date(made + 2));
  expect(await timesOf()).toEqual([made, made + 2]);
  await applications.touchToken(accountId, id, clientId, new Date(made + 3));
  expect(await timesOf()).toEqual([made, made + 2]);
  await applications.deleteToken(accountId, token.clientId, new Date(made + 4));
  expect(await timesOf()).toEqual([made, made + 4]);

  const stored = auth.connection.collection<{ _id: number }>(applicationCollection);
  await stored.updateOne({ _id: id }, { $unset: { createdAt: true, updatedAt: true } });
  expect(await timesOf()).toEqual([0, 0]);
  expect(await applications.completeTimes(new Date(made + 5))).toBe(1);
  expect(await timesOf()).toEqual([made, made + 5]);
  expect(await applications.completeTimes(new Date(made + 6))).toBe(0);
});
