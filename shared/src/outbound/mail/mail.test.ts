import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Connection } from 'mongoose';
import { parseConfig } from '../../base/config/parse-config';
import { settings } from '../../base/config/settings';
import { createLogger } from '../../observing/logs/logger';
import { connectPatiently } from '../../testing/connect-patiently';
import { startSmtpReceiver } from '../../testing/smtp-receiver';
import type { SmtpReceiver } from '../../testing/smtp-receiver';
import { z } from 'zod';
import { isAddress } from './address';
import { MailRefused } from './mail';
import { createPost, warnWithoutMailServer } from './post';
import type { Post } from './post';

// The current time: mails expire after 30 days, so an old date could be removed during the test.
const at = new Date();
const mail = { id: 'mail-1', to: ['ada@example.com', 'alan@example.com'], subject: 'Größe – 20 %', text: 'Grüße\n' };

let mongo: EmbeddedMongo;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => mongo.close());

let databases = 0;

async function start(smtpUrl: string | undefined): Promise<{ post: Post; lines: string[]; connection: Connection }> {
  const connection = await connectPatiently(mongo.urlOf(`mail-${(databases += 1)}`));
  const lines: string[] = [];
  const logger = createLogger('test', 'info', (line) => lines.push(line));
  const mailFrom = 'Service <service@platform.example>';
  const post = createPost({ smtpUrl, mailFrom, connection, logger, now: () => at });
  await post.ensureIndexes();
  closing.push(
    () => connection.close(),
    () => post.close(),
  );
  return { post, lines, connection };
}

async function receiver(...login: Parameters<typeof startSmtpReceiver>): Promise<SmtpReceiver> {
  const started = await startSmtpReceiver(...login);
  closing.push(() => started.close());
  return started;
}

const kept = (post: Post, accountId = 'wdc', topic = 'webhook:1') =>
  post.listing(accountId, topic).read({ order: [], limit: 10, skip: 0, fields: [] });

test('a mail arrives unchanged, with a Message-ID of its own and marked as auto-generated', async () => {
  const smtp = await receiver();
  const { post } = await start(smtp.url);
  await post.send('wdc', 'webhook:1', mail);
  const [received, ...others] = smtp.mails;
  expect(others).toEqual([]);
  expect(received).toMatchObject({ from: 'service@platform.example', to: mail.to });
  expect(received?.email).toMatchObject({
    from: { name: 'Service', address: 'service@platform.example' },
    to: mail.to.map((address) => ({ address })),
    subject: mail.subject,
    messageId: '<mail-1@platform.example>',
  });
  expect(received?.email.text?.trim()).toBe('Grüße');
  expect(received?.raw).toContain('Auto-Submitted: auto-generated');
  expect(await kept(post)).toEqual([{ ...mail, accountId: 'wdc', topic: 'webhook:1', createdAt: at, sentAt: at }]);
});

test('the user name and password of the setting are used', async () => {
  const login = { user: 'service@platform', password: 'p@ss/word' };
  const smtp = await receiver(login);
  const { post, lines } = await start(smtp.url);
  await post.send('wdc', 'webhook:1', mail);
  expect(smtp.mails).toHaveLength(1);
  expect(lines.join('\n')).not.toContain('p@ss');
  const wrong = await start(smtp.url.replace('p%40ss', 'guess'));
  await expect(wrong.post.send('wdc', 'webhook:1', mail)).rejects.toThrow();
  expect(await kept(wrong.post)).toEqual([]);
});

test('subject and address cannot inject headers or recipients', async () => {
  const smtp = await receiver();
  const { post } = await start(smtp.url);
  await post.send('wdc', 'webhook:1', {
    ...mail,
    to: ['ada@example.com', 'x@example.com\r\nBcc: eve@example.com', 'y@example.com, eve@example.com'],
    subject: 'Failed\r\nBcc: eve@example.com\r\n\r\nHello',
  });
  expect(smtp.mails[0]?.to).toEqual(['ada@example.com']);
  expect(smtp.mails[0]?.email.bcc).toBeUndefined();
  expect(smtp.mails[0]?.email.subject).toBe('Failed Bcc: eve@example.com Hello');
});

test('a mail that the server refuses rejects and is not recorded as sent', async () => {
  const smtp = await receiver();
  smtp.refuse(1);
  const { post } = await start(smtp.url);
  await expect(post.send('wdc', 'webhook:1', mail)).rejects.toThrow(/Try again later/);
  expect(await kept(post)).toEqual([]);
  await post.send('wdc', 'webhook:1', mail);
  expect(await kept(post)).toHaveLength(1);
});

test('an internationalized domain is mailed in its ASCII form', async () => {
  const smtp = await receiver();
  const { post } = await start(smtp.url);
  await post.send('wdc', 'webhook:1', { ...mail, to: ['ada@bücher.example', 'alan@BÜRO.Example'] });
  expect(smtp.mails).toMatchObject([{ to: ['ada@bücher.example', 'alan@büro.example'], utf8: false }]);
  expect(smtp.mails[0]?.raw).toMatch(/^To: ada@xn--bcher-kva\.example, alan@xn--bro-hoa\.example\r$/m);
  expect(await kept(post)).toMatchObject([{ to: ['ada@bücher.example', 'alan@BÜRO.Example'] }]);
});

test('a local part beyond ASCII is mailed to a server with SMTPUTF8', async () => {
  const smtp = await receiver();
  const { post } = await start(smtp.url);
  await post.send('wdc', 'webhook:1', { ...mail, to: ['jürgen@bücher.example'] });
  expect(smtp.mails).toMatchObject([{ to: ['jürgen@bücher.example'], utf8: true }]);
});

test('a server without SMTPUTF8 refuses such a recipient, and no other', async () => {
  const smtp = await receiver(undefined, undefined, { utf8: false });
  const { post } = await start(smtp.url);
  await expect(post.send('wdc', 'webhook:1', { ...mail, to: ['jürgen@example.com'] })).rejects.toThrow(MailRefused);
  await post.send('wdc', 'webhook:1', { ...mail, to: ['jürgen@example.com', 'ada@bücher.example'] });
  expect(smtp.mails).toMatchObject([{ to: ['ada@bücher.example'] }]);
});

test.each([
  ['ada@example.com', true],
  ['ada@bücher.example', true],
  ['jürgen@bücher.example', true],
  ['ada@भारत.example', true],
  ['ada@', false],
  ['ada@a..b', false],
  ['ada@bücher..example', false],
  ['ada@xn--\u{fffd}.example', false],
  ['ada@büch er.example', false],
  ['ada@bücher.example/x', false],
  ['ada@bücher.example:25', false],
  ['a\u0000da@example.com', false],
  ['ada@bücher.example\r\nBcc: eve@example.com', false],
])('%j is an address: %j', (text, expected) => {
  expect(isAddress(text)).toBe(expected);
});

test.each(['unknown@example.com', 'ada@a..b'])(
  'an error caused by the recipient %s is not an error of the server',
  async (to) => {
    const smtp = await receiver();
    const { post } = await start(smtp.url);
    await expect(post.send('wdc', 'webhook:1', { ...mail, to: [to] })).rejects.toThrow(MailRefused);
    smtp.refuse(1);
    await expect(post.send('wdc', 'webhook:1', mail)).rejects.not.toThrow(MailRefused);
  },
);

test('one unknown recipient does not affect the others', async () => {
  const smtp = await receiver();
  const { post } = await start(smtp.url);
  await post.send('wdc', 'webhook:1', { ...mail, to: ['unknown@example.com', 'ada@example.com'] });
  expect(smtp.mails[0]?.to).toEqual(['ada@example.com']);
});

test('without a server mails are stored and logged, without their secrets', async () => {
  const { post, lines } = await start(undefined);
  const text = 'Failed at https://user:s3cr3t@host.example/?token=s3cr3t';
  await post.send('wdc', 'webhook:1', { ...mail, text });
  await post.send('wdc', 'webhook:1', { ...mail, text });
  expect(await kept(post)).toMatchObject([{ id: 'mail-1', to: mail.to, sentAt: null }]);
  expect(await kept(post, 'acme')).toEqual([]);
  expect(await kept(post, 'wdc', 'webhook:2')).toEqual([]);
  expect(lines[0]).toContain(mail.subject);
  expect(lines.join('\n')).not.toContain('s3cr3t');
});

test('a secret in the text is sent, but neither stored nor logged', async () => {
  const smtp = await receiver();
  const { post, lines } = await start(smtp.url);
  await post.send('wdc', 'person:1', { ...mail, text: 'Follow https://x.example/?link=s3cr3t soon', secret: 's3cr3t' });
  expect(smtp.mails[0]?.email.text).toContain('https://x.example/?link=s3cr3t');
  const unsent = await start(undefined);
  await unsent.post.send('wdc', 'person:1', { ...mail, text: 'Follow s3cr3t, that is s3cr3t', secret: 's3cr3t' });
  const [[sent], [unsentMail]] = [await kept(post, 'wdc', 'person:1'), await kept(unsent.post, 'wdc', 'person:1')];
  expect(sent?.text).toBe('Follow https://x.example/?link=… soon');
  expect(JSON.stringify([sent, unsentMail, lines, unsent.lines])).not.toContain('s3cr3t');
});

test('a process without a mail server warns at its start, one with a server does not', () => {
  const lines: string[] = [];
  const logger = createLogger('test', 'warn', (line) => lines.push(line));
  warnWithoutMailServer('smtp://mail.example', logger);
  expect(lines).toEqual([]);
  warnWithoutMailServer(undefined, logger);
  expect(lines).toEqual([expect.stringContaining('SMTP_URL')]);
});

test.each([
  [{ SMTP_URL: 'http://mail.example' }, /SMTP_URL: must be an smtp/],
  [{ MAIL_FROM: 'nobody' }, /MAIL_FROM: must be an e-mail address/],
  [{ MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }, /MAIL_FROM/],
])('%j is refused as a setting', (env, message) => {
  const schema = z.object({ SMTP_URL: settings.smtpUrl, MAIL_FROM: settings.mailFrom });
  expect(() => parseConfig(schema, env)).toThrow(message);
  expect(parseConfig(schema, {})).toEqual({ MAIL_FROM: 'Service Management <service@localhost>' });
});
