import { attemptFinished } from '@itsm/shared/contracts/deliveries';
import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { day, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, attemptEnds, register, show, publishPerson } from '../testing/webhook-steps';

const minute = 60_000;

let engines: Engines;
let smtp: SmtpReceiver;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
});
beforeEach(async () => {
  smtp = await startSmtpReceiver();
  service = await startService(engines, { SMTP_URL: smtp.url, MAIL_FROM: 'Service <service@platform.example>' });
});
afterEach(async () => {
  await service.close();
  await smtp.close();
});
afterAll(() => engines.close());

const mails = (count: number) =>
  waitUntil(`${count} mails`, () => (smtp.mails.length >= count ? smtp.mails.map(({ email }) => email) : undefined));

/** Waits until no process holds the lease on the webhook's notices. */
const settled = (id: number) =>
  waitUntil('the notices to be settled', async () => {
    const found = await service.connection.collection<{ _id: number }>('webhooks').findOne({ _id: id });
    const { leaseUntil } = ((found as { notices?: object } | null)?.notices ?? {}) as { leaseUntil?: Date };
    return leaseUntil === undefined;
  });

async function fail(account: string, id: number, times = 1): Promise<void> {
  for (let count = 0; count < times; count += 1) await attemptEnds(service, account, id);
}

test('every administrator gets a mail at once about a failed call, with the last error, without the address', async () => {
  const uri = 'https://user:s3cr3t@receiver.example/s3cr3t?key=s3cr3t';
  const { id } = await activeWebhook(service, 'wdc', { name: 'Mirror', uri });
  await publishPerson(service, 'wdc', { id: 1 });
  await publishPerson(service, 'home', { id: 2, roles: { home: [], wdc: ['account_administrator', 'specialist'] } });
  await publishPerson(service, 'wdc', { id: 3, disabled: true });
  await publishPerson(service, 'wdc', { id: 4, roles: { wdc: ['specialist'] } });
  await publishPerson(service, 'acme', { id: 5 });
  await fail('wdc', id);
  const [mail] = await mails(1);
  expect(smtp.mails[0]?.to.toSorted()).toEqual(['person-1@wdc.example', 'person-2@home.example']);
  expect(mail).toMatchObject({
    subject: 'Webhook “Mirror” failed once',
    messageId: `<webhook-${id}-1@platform.example>`,
  });
  expect(mail?.text).toContain('The last error was: The receiver answered with status 500');
  expect(mail?.text).toContain('Receiver: receiver[.]example\n');
  expect(mail?.text).toContain('after 2026-03-25 19:04 UTC');
  expect(smtp.mails[0]?.raw).not.toContain('s3cr3t');
});

test.each(['https://evil.example/login', 'www.evil.example', `${'x'.repeat(100)} evil.example`])(
  'mail programs make no link of the name %j, nor of the receiver',
  async (name) => {
    await publishPerson(service, 'wdc', { id: 1 });
    const { id } = await activeWebhook(service, 'wdc', { name, uri: 'https://evil.example/' });
    await fail('wdc', id);
    const [mail] = await mails(1);
    const { subject = '', text = '' } = mail ?? {};
    expect(`${subject}${text}`).not.toMatch(/evil\.example|www\.\S|x{61}/);
    expect(text.match(/https?:\/\/\S+/g)).toEqual([expect.stringMatching(`/webhooks/${id}$`)]);
  },
);

test('mail_exceptions_to takes the place of the administrators', async () => {
  const { id } = await activeWebhook(service, 'wdc', { mail_exceptions_to: 'ops@wdc.example, dev@wdc.example' });
  await publishPerson(service, 'wdc', { id: 1 });
  await fail('wdc', id);
  await mails(1);
  expect(smtp.mails[0]?.to).toEqual(['ops@wdc.example', 'dev@wdc.example']);
});

test('an older message about a person changes nothing, a newer one does', async () => {
  const { id } = await activeWebhook(service, 'wdc');
  await publishPerson(service, 'wdc', { id: 1, version: 5, primaryEmail: 'new@wdc.example' });
  await publishPerson(service, 'wdc', { id: 1, version: 4, primaryEmail: 'old@wdc.example' });
  await publishPerson(service, 'wdc', { id: 2, version: 1 });
  await publishPerson(service, 'wdc', { id: 2, version: 2, roles: { wdc: ['end_user'] } });
  await fail('wdc', id);
  await mails(1);
  expect(smtp.mails[0]?.to).toEqual(['new@wdc.example']);
});

test('there is at most one mail per webhook in 20 minutes; the rest is summed up in the next', async () => {
  await publishPerson(service, 'wdc', { id: 1 });
  const one = await activeWebhook(service, 'wdc', { name: 'One' });
  const two = await activeWebhook(service, 'wdc', { name: 'Two' });
  await fail('wdc', one.id);
  await mails(1);
  await settled(one.id);
  service.pass(minute);
  await fail('wdc', one.id, 3);
  service.pass(18 * minute);
  await fail('wdc', two.id);
  await mails(2);
  await settled(two.id);
  await fail('wdc', one.id);
  service.pass(minute);
  const subjects = (await mails(3)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Webhook “One” failed once', 'Webhook “Two” failed once', 'Webhook “One” failed 4 times']);
  expect(smtp.mails[2]?.email.text).toContain('since 2026-03-18 19:05 UTC');
});

test('a mail leased by a dead process is sent by another, under the same id, before the lease expires', async () => {
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'Service <service@platform.example>' };
  const { id } = await activeWebhook(service, 'wdc');
  await publishPerson(service, 'wdc', { id: 1 });
  smtp.hang(1);
  await fail('wdc', id);
  await waitUntil('the mail to be on its way', () => smtp.hanging() === 1);
  await service.connection.close(true);
  // Its clock stands still, so no lease expires.
  const successor = await startService(engines, settings, service.database);
  const [mail] = await mails(1);
  expect(mail?.messageId).toBe(`<webhook-${id}-1@platform.example>`);
  smtp.release();
  await successor.close();
  expect(smtp.mails).toHaveLength(1);
});

test('a failure that is reported twice, or to several replicas, is one failure in one mail', async () => {
  await publishPerson(service, 'wdc', { id: 1 });
  for (let replica = 0; replica < 3; replica += 1) await service.another();
  const { id } = await activeWebhook(service, 'wdc');
  const attempt = await attemptEnds(service, 'wdc', id);
  for (let repeat = 0; repeat < 8; repeat += 1)
    await service.broker.publish(attemptFinished, attempt, `${attempt.deliveryId}:1`);
  await mails(1);
  await settled(id);
  service.pass(20 * minute);
  await fail('wdc', id);
  const subjects = (await mails(2)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Webhook “request.create” failed once', 'Webhook “request.create” failed once']);
  await settled(id);
  expect(smtp.mails).toHaveLength(2);
});

test('warnings come at 50 and at 90 % of the rule in number and time, once each', async () => {
  await publishPerson(service, 'wdc', { id: 1 });
  const { id } = await activeWebhook(service, 'wdc', { name: 'W' });
  await fail('wdc', id, 9);
  // Wait for the mail: the clock is about to jump by days, which would end its lease and send it again.
  await mails(1);
  await settled(id);
  service.pass(4 * day);
  expect(await show(service, 'wdc', id)).toMatchObject({
    consecutive_failures: 9,
    failing_since: '2026-03-18T19:04:06Z',
    would_be_disabled_at: '2026-03-25T19:04:06Z',
    warning_percent: null,
  });
  await fail('wdc', id, 2);
  expect(await show(service, 'wdc', id)).toMatchObject({ warning_percent: 50 });
  await mails(2);
  await settled(id);
  service.pass(2.4 * day);
  await fail('wdc', id, 7);
  expect(await show(service, 'wdc', id)).toMatchObject({ warning_percent: 90, consecutive_failures: 18 });
  await settled(id);
  service.pass(20 * minute);
  await waitUntil('the warning of 90 %', () => smtp.mails.some(({ email }) => email.subject?.includes('90 %')));
  await settled(id);
  service.pass(20 * minute);
  await fail('wdc', id);
  await waitUntil('the last failure', () => smtp.mails.at(-1)?.email.subject === 'Webhook “W” failed once');
  const warned = smtp.mails.filter(({ email }) => email.text?.includes('WARNING'));
  expect(warned.map(({ email }) => /WARNING: the webhook is (\d+) %/.exec(email.text ?? '')?.[1])).toEqual([
    '50',
    '90',
  ]);
});

test('a success ends warnings, and the next streak warns again', async () => {
  await publishPerson(service, 'wdc', { id: 1 });
  const { id } = await activeWebhook(service, 'wdc');
  const success = { outcome: 'delivered', fault: null, status: 200, error: null, final: true } as const;
  const warnings = () => smtp.mails.filter(({ email }) => email.text?.includes('WARNING')).length;
  for (let streak = 1; streak <= 2; streak += 1) {
    await fail('wdc', id, 9);
    await settled(id);
    service.pass(4 * day);
    await fail('wdc', id);
    expect(await show(service, 'wdc', id)).toMatchObject({ warning_percent: 50 });
    // The nine failures may be in a mail already, and the next mail is allowed 20 minutes later.
    await settled(id);
    service.pass(20 * minute);
    // Wait for the warning mail: a success would cancel a warning that is still pending.
    await waitUntil(`warning ${streak}`, () => warnings() >= streak);
    service.pass(minute);
    await attemptEnds(service, 'wdc', id, success);
    expect(await show(service, 'wdc', id)).toMatchObject({
      warning_percent: null,
      consecutive_failures: 0,
      failing_since: null,
      would_be_disabled_at: null,
    });
    service.pass(minute);
  }
});

test('a separate mail reports at once that a webhook was disabled', async () => {
  await publishPerson(service, 'wdc', { id: 1 });
  const { id } = await activeWebhook(service, 'wdc', { name: 'Gone' });
  await fail('wdc', id);
  await mails(1);
  await settled(id);
  await attemptEnds(service, 'wdc', id, { status: 410, error: 'The receiver answered 410' });
  const [, mail] = await mails(2);
  expect(mail?.subject).toBe('Webhook “Gone” was disabled');
  expect(mail?.text).toContain('The webhook was disabled: The receiver answered 410 Gone.');
  expect(await show(service, 'wdc', id)).toMatchObject({ state: 'disabled', would_be_disabled_at: null });
  await settled(id);
  service.pass(day);
  await fail('wdc', id);
  expect(smtp.mails).toHaveLength(2);
});

test('tests, faults of ours and webhooks that an administrator disables cause no mail; a failing webhook.verify does', async () => {
  await publishPerson(service, 'wdc', { id: 1 });
  const { id } = await activeWebhook(service, 'wdc');
  await attemptEnds(service, 'wdc', id, { test: true });
  await attemptEnds(service, 'wdc', id, { fault: 'ours' });
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { disabled: true }).expect(200);
  const unverified = await register(service, 'wdc', { name: 'New', uri: 'https://new.example/' });
  await fail('wdc', unverified.id);
  await mails(1);
  expect(smtp.mails.map(({ email }) => email.subject)).toEqual(['Webhook “New” failed once']);
});

test('a mail that the server refuses is tried again, under the same Message-ID', async () => {
  await publishPerson(service, 'wdc', { id: 1 });
  smtp.refuse(1);
  const { id } = await activeWebhook(service, 'wdc');
  await fail('wdc', id);
  await waitUntil('the refusal', () => service.lines.some((line) => line.includes('a mail could not be sent')));
  await fail('wdc', id);
  service.pass(minute);
  const [mail] = await mails(1);
  expect(mail).toMatchObject({
    subject: 'Webhook “request.create” failed 2 times',
    messageId: `<webhook-${id}-1@platform.example>`,
  });
});

test('a mail whose recipients the server refuses waits for its next turn, and those of others go on', async () => {
  const refused = await activeWebhook(service, 'wdc', { mail_exceptions_to: 'unknown@wdc.example' });
  const other = await activeWebhook(service, 'acme', { mail_exceptions_to: 'ops@acme.example' });
  const tries = () => service.lines.filter((line) => line.includes('a mail could not be sent')).length;
  await fail('wdc', refused.id);
  await waitUntil('the first try', () => tries() === 1);
  service.pass(minute);
  await fail('acme', other.id);
  await mails(1);
  expect(tries()).toBe(1);
  service.pass(19 * minute);
  await waitUntil('the next try', () => tries() === 2);
});

test('the mails of a webhook can be read by the administrators of its account, also where none is sent', async () => {
  const local = await startService(engines);
  await publishPerson(local, 'wdc', { id: 1 });
  const { id } = await activeWebhook(local, 'wdc', { uri: 'https://user:s3cr3t@receiver.example/' });
  await attemptEnds(local, 'wdc', id);
  const path = `/v1/webhooks/${id}/mails`;
  const kept = await waitUntil('the mail', async () => {
    const { body } = await local.as('wdc').get(path).expect(200);
    return (body as object[]).length > 0 ? (body as object[]) : undefined;
  });
  expect(kept).toMatchObject([
    { to: ['person-1@wdc.example'], subject: 'Webhook “request.create” failed once', sent_at: null },
  ]);
  expect(JSON.stringify([kept, local.lines])).not.toContain('s3cr3t');
  await local.as('acme').get(path).expect(404);
  await local
    .as('wdc', { accounts: { wdc: ['specialist'] } })
    .get(path)
    .expect(403);
  await local.as('wdc').post(path).expect(405);
  await local.close();
});
