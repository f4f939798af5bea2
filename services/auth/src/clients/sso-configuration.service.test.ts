import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { readInput } from '@itsm/shared/declared/read-input';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';
import { mostConfigurations } from './sso-configuration.service';
import { ssoConfigurationType } from './sso-configuration';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const input = { name: 'Provider', issuer: 'https://id.example/tenant/', identifier: 'primary_email' } as const;
/** What an edge makes of an input, in which anything may be. */
const read = (given: object) => readInput(ssoConfigurationType, 'service.example', 'update', given);
const service = () => auth.app.services.ssoConfigurations;
const newAccount = async (): Promise<string> => (await seedPerson(auth)).accountId;

async function refusalOf(attempt: Promise<unknown>): Promise<readonly FieldError[] | string | undefined> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AppError ? (error.details.errors ?? error.message) : undefined;
}

test('a configuration is stored as given, its issuer character by character', async () => {
  const accountId = await newAccount();
  const created = await service().create(accountId, input);
  expect(created).toMatchObject({ ...input, accountId, disabledAt: null });
  expect(await service().find(accountId, created.id)).toEqual(created);
  expect(await service().list(accountId)).toEqual([created]);
});

test('the members that are given are changed, the others stay', async () => {
  const accountId = await newAccount();
  const { id } = await service().create(accountId, { ...input, disabled: true });
  const renamed = await service().update(accountId, id, { name: 'Renamed' });
  expect(renamed).toMatchObject({ name: 'Renamed', issuer: input.issuer, disabledAt: expect.any(Date) as Date });
  const enabled = await service().update(accountId, id, { disabled: false, identifier: 'authentication_id' });
  expect(enabled).toMatchObject({ name: 'Renamed', identifier: 'authentication_id', disabledAt: null });
});

test('another account finds nothing', async () => {
  const [accountId, other] = [await newAccount(), await newAccount()];
  const { id } = await service().create(accountId, input);
  expect(await service().find(other, id)).toBeUndefined();
  expect(await service().findLinkable(other, id)).toBeUndefined();
  expect(await service().list(other)).toEqual([]);
  expect(await refusalOf(service().update(other, id, { name: 'Taken over' }))).toBe('Not Found');
});

test('an account may link to its own configurations and to those of its directory account', async () => {
  const [accountId, directoryAccountId] = [await newAccount(), await newAccount()];
  const own = await service().create(accountId, input);
  const shared = await service().create(directoryAccountId, input);
  expect(await service().listLinkable(accountId)).toEqual([own]);
  await auth.app.operator.ensureAccount({ id: accountId, name: accountId, directoryAccountId });
  expect(await service().listLinkable(accountId)).toEqual([own, shared]);
  expect(await service().findLinkable(accountId, shared.id)).toEqual(shared);
  expect(await service().listLinkable(directoryAccountId)).toEqual([shared]);
});

test('an account has at most a hundred, because the sign-in page reads all of them; each account has its own', async () => {
  const accountId = await newAccount();
  for (let n = 0; n < mostConfigurations; n += 1)
    await service().create(accountId, { ...input, name: `Provider ${n}` });
  const tooMany = [['name', 'An account has at most 100 SSO configurations']];
  expect(await refusalOf(service().create(accountId, input))).toEqual(tooMany);
  await service().create(await newAccount(), input);
});

test('a name is unique in an account, also for concurrent calls', async () => {
  const accountId = await newAccount();
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => service().create(accountId, input)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { id } = await service().create(accountId, { ...input, name: 'Second' });
  const taken = [['name', 'Name is already taken']];
  expect(await refusalOf(service().create(accountId, input))).toEqual(taken);
  expect(await refusalOf(service().update(accountId, id, { name: input.name }))).toEqual(taken);
});

test.each([
  ['name', ''],
  ['name', '   '],
  ['name', 7],
  ['issuer', ''],
  ['issuer', 'id.example'],
  ['issuer', 'http://id.example'],
  ['issuer', 'ftp://id.example'],
  ['issuer', 'https://id.example/?a=b'],
  ['issuer', 'https://id.example/#a'],
  ['issuer', 'https://user:secret@id.example/'],
  ['issuer', ' https://id.example'],
  ['issuer', 'https://login.microsoftonline.com/{tenantid}/v2.0'],
  ['issuer', 'https://login.microsoftonline.com/common/v2.0'],
  ['issuer', 'https://login.microsoftonline.com/Organizations/v2.0'],
  ['issuer', ['https://id.example']],
  ['identifier', 'email'],
  ['identifier', null],
  ['disabled', 'true'],
  ['unknown', 'x'],
])('the %s %j is refused', async (name, value) => {
  const accountId = await newAccount();
  const create = async () => service().create(accountId, read({ ...input, [name]: value }));
  const errors = await refusalOf(create());
  expect(errors).toEqual([[name, expect.any(String)]]);
  const { id } = await service().create(accountId, input);
  const update = async () => service().update(accountId, id, read({ [name]: value }));
  expect(await refusalOf(update())).toEqual(errors);
});

test('all that is too long or wrong is refused at once', async () => {
  const given = {
    ...input,
    name: 'a'.repeat(129),
    issuer: `https://id.example/${'a'.repeat(2048)}`,
    identifier: 'email',
    clientSecret: 'a'.repeat(1_025),
  };
  expect(await refusalOf((async () => read(given))())).toEqual([
    ['name', 'Name is too long (at most 128 characters)'],
    ['issuer', 'Issuer is too long (at most 2048 characters)'],
    ['identifier', 'Identifier is not one of primary_email, authentication_id'],
    ['client_secret', 'Client secret is too long (at most 1024 characters)'],
  ]);
});

test('of changes at the same moment none is lost, and each has a version of its own', async () => {
  const accountId = await newAccount();
  const { id, version } = await service().create(accountId, input);
  const changes = [{ name: 'Renamed' }, { clientId: 'ours' }, { clientSecret: 'secret' }, { disabled: true }];
  const saved = await Promise.all(changes.map((change) => service().update(accountId, id, change)));
  expect([version, ...saved.map((one) => one.version)].sort()).toEqual([1, 2, 3, 4, 5]);
  expect(await service().find(accountId, id)).toMatchObject({
    name: 'Renamed',
    clientId: 'ours',
    sealedClientSecret: expect.any(String) as string,
    disabledAt: expect.any(Date) as Date,
  });
});
