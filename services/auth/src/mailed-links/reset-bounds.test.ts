import { randomBytes, randomUUID } from 'node:crypto';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { attempt } from '../testing/browser';
import { forgotPassword, mailsTo, mailTo, settled, withMails } from '../testing/mailed';
import type { Auth } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';
import { mostResetRequests } from '../mails/mail-queue';

let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ smtp, auth } = started), { fresh: true });

const hour = 3_600_000;
const network = () => `2001:db8:${randomBytes(2).toString('hex')}::1`;

interface StoredOrder {
  readonly kind: string;
  readonly personId: number;
  readonly address: string;
  readonly createdAt: Date;
}
const waiting = (kind: string) => auth.connection.collection<StoredOrder>('mail_orders').find({ kind }).toArray();

/** Occupies the queue, which sends two mails at once, so that orders wait. */
async function occupyQueue(): Promise<void> {
  smtp.hang(2);
  for (let n = 0; n < 2; n += 1) await forgotPassword(auth, (await seedPerson(auth)).email, network());
  await waitUntil('two mails to be on their way', () => smtp.hanging() === 2);
}

test('three requests for an address wait at most; a further one replaces the oldest', async () => {
  await occupyQueue();
  const address = `nobody-${randomUUID()}@x.example`;
  for (let n = 0; n < 6; n += 1) {
    auth.clock.offset = n * 1_000;
    const spelled = n % 2 === 0 ? address : address.toUpperCase();
    expect((await forgotPassword(auth, spelled, network())).status).toBe(200);
  }
  const kept = (await waiting('reset-request')).map(({ createdAt }) => createdAt.getTime() - auth.now().getTime());
  expect(kept.sort((one, other) => one - other)).toEqual([-2_000, -1_000, 0]);
  await Promise.all(Array.from({ length: 8 }, () => forgotPassword(auth, address, network())));
  expect(await waiting('reset-request')).toHaveLength(3);
  smtp.release();
});

test('three reset mails for a person wait at most while the mail server refuses them', async () => {
  /** A person with an address that the server refuses. */
  async function seeded() {
    const primaryEmail = `unknown@${randomUUID()}.example`;
    return { ...(await seedPerson(auth, { primaryEmail })), email: primaryEmail };
  }
  const [person, bystander] = [await seeded(), await seeded()];
  const asked: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    auth.clock.offset = n * 8 * hour;
    asked.push(auth.now().getTime());
    await forgotPassword(auth, person.email, network());
    await settled(auth, 'reset-request');
    if (n === 0) await forgotPassword(auth, bystander.email, network());
  }
  const orders = await waiting('reset');
  const times = orders.filter(({ personId }) => personId === person.id).map(({ createdAt }) => createdAt.getTime());
  expect(times.sort((one, other) => one - other)).toEqual(asked.slice(-3));
  expect(orders.filter(({ personId }) => personId === bystander.id)).toHaveLength(1);
});

/** Stores requests that wait for an hour. */
async function insertRequests(count: number) {
  const at = auth.now();
  const later = new Date(at.getTime() + hour);
  const order = { kind: 'reset-request', accountId: '', personId: 0, version: 0, createdAt: at, dueAt: later };
  const orders = auth.connection.collection<{ _id: string }>('mail_orders');
  const many = Array.from({ length: count }, (_none, n) => ({
    ...order,
    _id: `order ${n}`,
    address: `nobody-${n}@x.example`,
  }));
  await orders.insertMany(many);
  return orders;
}

test('concurrent requests do not pass the bound of all', async () => {
  await occupyQueue();
  const orders = await insertRequests(mostResetRequests - 1);
  const ask = (n: number) => forgotPassword(auth, `late-${n}@x.example`, network());
  const answers = await Promise.all(Array.from({ length: 20 }, (_none, n) => ask(n)));
  const accepted = answers.filter(({ status }) => status === 200).length;
  expect(accepted).toBeLessThanOrEqual(1);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(20 - accepted);
  expect(await orders.countDocuments({ kind: 'reset-request' })).toBe(mostResetRequests - 1 + accepted);
  await orders.deleteMany({ kind: 'reset-request' });
  smtp.release();
});

test('beyond the bound of all waiting requests a further one is refused, for every address alike', async () => {
  const person = await seedPerson(auth);
  const orders = await insertRequests(mostResetRequests);
  for (const address of [person.email, 'nobody@nowhere.example']) {
    const refused = await forgotPassword(auth, address, network());
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '60']);
    expect(refused.text).toContain('Too many links are waiting to be sent.');
  }
  expect(await orders.countDocuments()).toBe(mostResetRequests);
  await orders.deleteOne({ _id: 'order 0' });
  expect((await forgotPassword(auth, person.email, network())).status).toBe(200);
  await mailTo(smtp, person.email);
  expect(mailsTo(smtp, person.email)).toHaveLength(1);
});

test('what somebody without credentials types stays nowhere in the store', async () => {
  const typed = `typed-${randomUUID()}`;
  await forgotPassword(auth, `${typed}@x.example`, network());
  await attempt(auth, { email: typed, password: 'a guess' }, network());
  await attempt(auth, { email: `${typed}@x.example`, password: 'a guess' }, network());
  await settled(auth);
  const { db } = auth.connection;
  const names = (await db!.listCollections().toArray()).map(({ name }) => name);
  const texts = await Promise.all(
    names.map(async (name) => JSON.stringify(await auth.connection.collection(name).find().toArray())),
  );
  expect(names).toContain('sign_in_throttles');
  expect(texts.filter((text) => text.includes(typed))).toEqual([]);
});
