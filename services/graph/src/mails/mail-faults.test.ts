import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { ReceivedMail, SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startNotices } from '../testing/notice-kit';
import { nodeId } from '../testing/start-graph';

let smtp: SmtpReceiver;
let kit: Awaited<ReturnType<typeof startNotices>>;
beforeEach(async () => {
  smtp = await startSmtpReceiver();
  kit = await startNotices({ smtpUrl: smtp.url, mailFrom: 'Desk <desk@wdc.example>', mailPollMilliseconds: 20 });
});
afterEach(async () => {
  await kit.close();
  await smtp.close();
});

const to = (address: string): readonly ReceivedMail[] => smtp.mails.filter((mail) => mail.to[0] === address);
const mailTo = (address: string): Promise<ReceivedMail> => waitUntil(`a mail to ${address}`, () => to(address)[0]);

/** Something is made for a person, which is mailed after a minute. */
async function makeFor(person: number): Promise<void> {
  await kit.create('mia', { requestedForId: nodeId('Person', person) });
  await kit.graph.settled();
}

test('a mail whose process ended before the server had it is sent by another one, once and before the lease expires', async () => {
  const { clock, connection } = kit.graph;
  const other = await kit.startAnother();
  await makeFor(3);
  smtp.hang(1);
  clock.pass(61_000);
  await waitUntil('the mail to be on its way', () => smtp.hanging() === 1);
  const turns = other.connection.collection('notice_mails');
  const [leased] = await turns.find().toArray();
  expect(leased).toMatchObject({ personId: 3, owner: expect.any(String) as string });
  await connection.close(true);
  // As far as the first one was, so the lease has not expired.
  other.clock.pass(clock.now().getTime() - other.clock.now().getTime());
  await mailTo('grace@wdc.example');
  smtp.release();
  await waitUntil('nobody to wait for a mail', async () => {
    other.clock.pass(61_000);
    return (await turns.findOne({ $or: [{ dueAt: { $exists: true } }, { owner: { $exists: true } }] })) === null;
  });
  expect(smtp.mails).toHaveLength(1);
  await other.stop();
});

test('however many addresses the server refuses, others are mailed, and what is refused is tried again later each time', async () => {
  const refused = Array.from({ length: 12 }, (_none, n) => 30 + n);
  for (const id of refused) {
    const primaryEmail = `unknown@mailbox-${id}.example`;
    await kit.graph.publishPerson({ id, primaryEmail, roles: { wdc: ['end_user'] }, verified: true });
    await makeFor(id);
  }
  await makeFor(3);
  kit.graph.clock.pass(61_000);
  await mailTo('grace@wdc.example');
  const turns = kit.graph.connection.collection<{ personId: number; dueAt?: Date; owner?: string }>('notice_mails');
  /** Minutes until the next try of each of them, once all were tried. */
  const waits = () =>
    waitUntil('the tries', async () => {
      const now = kit.graph.clock.now();
      const found = await turns.find({ personId: { $in: refused } }).toArray();
      const due = found.flatMap(({ owner, dueAt }) => (owner === undefined && dueAt && dueAt > now ? [dueAt] : []));
      return due.length === refused.length
        ? due.map((one) => Math.round((one.getTime() - now.getTime()) / 60_000))
        : undefined;
    });
  const seen = [];
  for (const minutes of [0, 5, 30, 1_000]) {
    kit.graph.clock.pass(minutes * 60_000);
    seen.push([...new Set(await waits())]);
  }
  expect(seen.every((all) => all.length === 1)).toBe(true);
  const each = seen.flat();
  expect(each).toEqual([...each].sort((one, other) => one - other));
  expect([each[0], each.at(-1)]).toEqual([1, 60]);
  expect(smtp.mails.map((mail) => mail.to[0])).toEqual(['grace@wdc.example']);
});
