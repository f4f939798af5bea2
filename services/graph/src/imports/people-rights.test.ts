import { startImporting } from '../testing/importers';
import type { Importing } from '../testing/importers';

let importing: Importing;
let somebody: Importing['somebody'];
beforeAll(async () => {
  importing = await startImporting();
  ({ somebody } = importing);
});
afterAll(async () => {
  await importing.close();
});

const file = 'Name,Primary email\nAda,ada@wdc.example\n';
const all = ['import:Create', 'import:Read', 'person:Create', 'person:Update'];

test.each([
  ['an account administrator', 'account_administrator', all, 202],
  ['a directory administrator', 'directory_administrator', all, 202],
  ['a specialist', 'specialist', all, 403],
  ['an auditor', 'auditor', all, 403],
  ['an end user', 'end_user', all, 403],
  ['a token without import:Create', 'account_administrator', all.slice(1), 403],
  ['a token without person:Create', 'account_administrator', ['import:Create', 'person:Update'], 403],
  ['a token without person:Update', 'account_administrator', ['import:Create', 'person:Create'], 403],
] as const)('people of %s', async (_who, role, scopes, status) => {
  const { send } = somebody(role, [...scopes]);
  await send('people', file).expect(status);
  await send('person', file).expect(status);
});

test('a directory administrator imports no records, and cancels no import of them', async () => {
  const { account, as, send, tokenIn } = somebody('directory_administrator');
  await send('request', 'subject\nOne\n').expect(403);
  const specialist = as(account, 'specialist');
  const rows = Array.from({ length: 5_000 }, (_, n) => `Row ${n}`).join('\n');
  const records = specialist.post('/v1/import').field('type', 'request');
  const token = tokenIn(await records.attach('file', Buffer.from(`subject\n${rows}`), 'a.csv').expect(202));
  await as(account, 'directory_administrator').post(`/v1/import/${token}/cancel`).expect(403);
  const people = tokenIn(await send('people', file).expect(202));
  await specialist.post(`/v1/import/${people}/cancel`).expect(403);
  await as(account, 'account_administrator').post(`/v1/import/${people}/cancel`).expect(200);
  await specialist.post(`/v1/import/${token}/cancel`).expect(200);
});

test('only people are invited', async () => {
  const { post } = somebody('account_administrator');
  const sent = (type: string, invite: string) =>
    post('/v1/import').field('type', type).field('invite', invite).attach('file', Buffer.from(file), 'a.csv');
  const { body } = await sent('request', 'yes').expect(422);
  expect(body).toMatchObject({ errors: [['invite', 'Invite is for people']] });
  await sent('request', 'no').expect(202);
  const { body: unclear } = await sent('people', 'perhaps').expect(422);
  expect(unclear).toMatchObject({ errors: [['invite', 'Invite is not true or false']] });
});

test('an import of another account is not found', async () => {
  const ellen = somebody('account_administrator');
  const token = ellen.tokenIn(await ellen.send('people', file).expect(202));
  const other = somebody('account_administrator');
  await other.get(`/v1/import/${token}`).expect(404);
  await other.get(`/v1/import/${token}/log`).expect(404);
  await other.post(`/v1/import/${token}/cancel`).expect(404);
});
