import { compileServices, startServiceProcess } from '@itsm/shared/testing/service-process';
import type { ServiceProcess } from '@itsm/shared/testing/service-process';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { none, rowsOf } from './testing/people-files';
import { seedPerson, settingsOf, startStore } from './testing/start-auth';
import type { Auth, Store } from './testing/start-auth';

let store: Store;
let auth: Auth;
let smtp: SmtpReceiver;
const processes: ServiceProcess[] = [];
beforeAll(async () => {
  compileServices();
  [store, smtp] = await Promise.all([startStore(), startSmtpReceiver()]);
  auth = await store.start();
});
afterEach(async () => {
  for (const one of processes.splice(0)) await one.kill();
});
afterAll(async () => {
  await store.close();
  await smtp.close();
});

async function start(): Promise<ServiceProcess> {
  const settings = settingsOf(store.urlOf(auth.database), { SMTP_URL: smtp.url });
  const started = await startServiceProcess(require.resolve('./testing/auth-process.cjs'), settings);
  processes.push(started);
  return started;
}

test('rows of people that a killed process was writing are written by another, each once, with one mail and one entry each', async () => {
  const ellen = await seedPerson(auth);
  // It has no mail server, and would take mails that others are to send.
  await auth.app.stop();
  const { accountId } = ellen;
  const count = 300;
  const rows = Array.from({ length: count }, (_, n) => [`P${n}`, `p${n}@${accountId}.example`]);
  const message = rowsOf(ellen, [['Name', 'Primary email'], ...rows], { invites: true });
  const people = auth.connection.collection('people');
  const written = () => people.countDocuments({ accountId, name: /^P/ });

  // No mail leaves the first process.
  smtp.hang(count);
  const killed = await start();
  killed.send(message);
  await waitUntil('the first people', async () => (await written()) > 0);
  await killed.kill();
  expect(await written()).toBeLessThan(count);
  expect(await auth.connection.collection('person_imports').findOne({ outcome: { $exists: true } })).toBeNull();

  smtp.hang(0);
  smtp.release();
  // As if the holds and leases of the killed process had ended.
  await auth.connection.collection<{ dueAt: Date }>('mail_orders').updateMany({}, { $set: { dueAt: new Date(0) } });
  const successor = await start();
  successor.send(message);
  const answer = await waitUntil('the answer', () => successor.said[1]);
  expect(answer).toMatchObject({ outcome: { results: { ...none, created: count }, failures: [] } });

  const names = await people.distinct('name', { accountId, name: /^P/ });
  expect([await written(), names.length]).toEqual([count, count]);
  const log = auth.connection.collection('security_log');
  expect(
    await log.countDocuments({ accountIds: accountId, event: 'person.created', 'facts.import': message.importId }),
  ).toBe(count);
  await waitUntil('all mails', async () => (await auth.connection.collection('mail_orders').countDocuments()) === 0);
  const mailed = smtp.mails.flatMap(({ to }) => to).filter((address) => address.endsWith(`@${accountId}.example`));
  expect([mailed.length, new Set(mailed).size]).toEqual([count, count]);
});
