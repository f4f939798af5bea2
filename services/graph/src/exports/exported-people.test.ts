import { randomUUID } from 'node:crypto';
import { cellsOf, unzip } from '@itsm/shared/testing/unzip';
import { startImporting } from '../testing/importers';
import type { Importing } from '../testing/importers';

let importing: Importing;
let graph: Importing['graph'];
let somebody: Importing['somebody'];
beforeAll(async () => {
  importing = await startImporting();
  ({ graph, somebody } = importing);
});
afterAll(async () => {
  await importing.close();
});

type Exporter = ReturnType<Importing['somebody']>;
let ids = 1_000;

const times = { createdAt: '2026-03-01T00:00:00.000Z', updatedAt: '2026-03-18T19:04:06.000Z' };
const whole = { authenticationID: 'sub', source: 'HR', locale: 'en', timeZone: 'UTC', verified: true, ...times };

/** Publishes a person of the account, as auth does. */
async function publish(accountId: string, more: object = {}): Promise<number> {
  const person = { id: (ids += 1), accountId, name: 'Ada', primaryEmail: 'ada@x.example', sourceID: '1' };
  await graph.publishPerson({ ...person, roles: { [accountId]: ['end_user', 'specialist'] }, ...whole, ...more });
  return person.id;
}

const ask = ({ post }: Exporter, more: object = {}) => post('/v1/export').send({ type: 'people', ...more });

async function rowsFor(exporter: Exporter, more: object = {}): Promise<string[][]> {
  const { body } = await ask(exporter, more).expect(200);
  const { token } = body as { token: string };
  const { body: archive } = await exporter.get(`/v1/export/${token}/file`).responseType('blob').expect(200);
  const [[name, text] = []] = [...unzip(archive as Buffer)];
  expect(name).toMatch(/^\d{4}-\d\d-\d\d-people\.csv$/);
  return cellsOf(text ?? '');
}

test('an administrator exports the people of the account, and nobody else', async () => {
  const ellen = somebody('account_administrator');
  const { account } = ellen;
  await graph.publishAccount({ id: account, directoryAccountId: 'parent' });
  const id = await publish(account, { name: '=1+1', disabled: true });
  await publish('parent');
  await publish('partner', { roles: { [account]: ['specialist'] } });
  expect(await rowsFor(ellen)).toEqual([
    [
      'ID',
      'Name',
      'Primary email',
      'Authentication ID',
      'Roles',
      'Disabled',
      'Locale',
      'Time zone',
      'Source',
      'Source ID',
      'Created at',
      'Updated at',
    ],
    [
      String(id),
      '=1+1',
      'ada@x.example',
      'sub',
      'end_user\nspecialist',
      'true',
      'en',
      'UTC',
      'HR',
      '1',
      '2026-03-01T00:00:00Z',
      '2026-03-18T19:04:06Z',
    ],
  ]);
});

test.each([
  ['account_administrator', true],
  ['directory_administrator', true],
  ['specialist', false],
  ['auditor', false],
] as const)('to %s the authentication ID is shown: %s', async (role, isShown) => {
  const exporter = somebody(role);
  await publish(exporter.account);
  const [head = [], row = []] = await rowsFor(exporter);
  expect(head.includes('Authentication ID')).toBe(isShown);
  expect(row.includes('sub')).toBe(isShown);
});

test.each([
  ['an end user', 'end_user', ['*:*']],
  ['a key contact', 'key_contact', ['*:*']],
  ['a token without export:Read', 'account_administrator', ['person:Read']],
  ['a token without person:Read', 'account_administrator', ['export:Read']],
] as const)('%s exports nobody', async (_who, role, scopes) => {
  const exporter = somebody(role, [...scopes]);
  await publish(exporter.account);
  await ask(exporter).expect(403);
  const token = Buffer.from(
    JSON.stringify({ account: exporter.account, types: ['person'], at: graph.clock.now().toISOString(), from: null }),
  ).toString('base64url');
  await exporter.get(`/v1/export/${token}/file`).expect(403);
});

test('with `from` there is what has changed since, in pages', async () => {
  const ellen = somebody('account_administrator');
  // More than are read at once, many of the same time.
  const changed = Array.from({ length: 260 }, (_, n) => `2026-03-18T19:0${n % 2}:00.000Z`);
  await Promise.all(changed.map((updatedAt, n) => publish(ellen.account, { updatedAt, name: `P${n}` })));
  await publish(ellen.account, { updatedAt: '2026-03-17T23:59:59.999Z', name: 'before' });
  const rows = await rowsFor(ellen, { from: '2026-03-18' });
  const names = rows.slice(1).map(([, name]) => name);
  expect(new Set(names).size).toBe(260);
  expect(names).not.toContain('before');
  expect((await rowsFor(ellen)).slice(1)).toHaveLength(261);
  await ask(ellen, { from: '2026-03-19' }).expect(204);
});

test('a copy of an earlier release is not exported until the backfill has completed it', async () => {
  const ellen = somebody('account_administrator');
  const { account } = ellen;
  const id = await publish(account);
  const lacking = { authenticationID: '', source: '', createdAt: '', updatedAt: '' };
  await graph.connection.collection('people').updateOne({ _id: id as never }, { $unset: lacking });
  const { body } = await ask(ellen).expect(409);
  expect(body).toMatchObject({ message: expect.stringContaining('backfill') as unknown });
  // Messages of an earlier release say nothing more; those of this one complete the same version.
  await graph.publishPerson({ id, accountId: account, name: 'Older', version: 1 });
  await ask(ellen).expect(409);
  await graph.publishPerson({ id, accountId: account, name: 'Ada', ...whole, version: 1 });
  expect((await rowsFor(ellen))[1]).toContain('sub');
});

test('the account of a token is that of the caller', async () => {
  const [ellen, other] = [somebody('account_administrator'), somebody('account_administrator')];
  await publish(ellen.account);
  const { body } = await ask(ellen).expect(200);
  await other.get(`/v1/export/${(body as { token: string }).token}/file`).expect(404);
  await ask(other, { type: `people,${randomUUID()}` }).expect(422);
});
