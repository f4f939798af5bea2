import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { ReceivedMail, SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Response } from 'supertest';
import { formTokenIn, openBrowser } from './browser';
import type { Browser } from './browser';
import type { Auth, Store } from './start-auth';
import { startStore } from './start-auth';

interface Started {
  readonly store: Store;
  readonly smtp: SmtpReceiver;
  readonly auth: Auth;
}

interface MailOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** A new database for each test, instead of one for the file. */
  readonly fresh?: boolean;
}

/** Sets up the service and a mail server for a test file; passes both to `take` before all tests. Resets the clock after each test. */
export function withMails(take: (started: Started) => void, { settings = {}, fresh = false }: MailOptions = {}): void {
  let store: Store;
  let smtp: SmtpReceiver;
  let auth: Auth;
  async function start(): Promise<void> {
    auth = await store.start({ settings: { SMTP_URL: smtp.url, ...settings } });
    take({ store, smtp, auth });
  }
  beforeAll(async () => {
    store = await startStore();
    smtp = await startSmtpReceiver();
    if (!fresh) await start();
  });
  beforeEach(() => (fresh ? start() : undefined));
  afterEach(() => {
    auth.clock.offset = 0;
  });
  afterAll(async () => {
    await store.close();
    await smtp.close();
  });
}

/** Waits for the `count`-th mail to the address. */
export const mailTo = (smtp: SmtpReceiver, address: string, count = 1): Promise<ReceivedMail> =>
  waitUntil(`mail ${count} to ${address}`, () => mailsTo(smtp, address)[count - 1]);

export const mailsTo = ({ mails }: SmtpReceiver, address: string): ReceivedMail[] =>
  mails.filter(({ to }) => to.includes(address));

/** The only link in a mail. */
export function linkIn({ email }: ReceivedMail): string {
  const [link = '', ...others] = (email.text ?? '').match(/https?:\/\/\S+/g) ?? [];
  expect(others).toEqual([]);
  return link;
}

export const tokenIn = (link: string): string => new URL(link).searchParams.get('token') ?? '';

/** Waits until every ordered mail is sent or dropped. */
export const settled = ({ connection }: Auth, kind?: string): Promise<boolean> =>
  waitUntil(
    'the mails that wait',
    async () => (await connection.collection('mail_orders').countDocuments(kind ? { kind } : {})) === 0,
  );

/** Follows a link and sends the form behind it, as a browser does. */
export async function followLink(
  auth: Pick<Auth, 'app'>,
  link: string,
  fields: object = {},
  browser: Browser = openBrowser(auth),
): Promise<Response> {
  const page = await browser.get(link);
  const form = { form_token: formTokenIn(page), token: tokenIn(link), ...fields };
  return browser
    .post(link.split('?')[0] ?? '')
    .type('form')
    .send(form);
}

export const choosePassword = (auth: Pick<Auth, 'app'>, link: string, password: string, again = password) =>
  followLink(auth, link, { password, again });

/** Requests a password reset from `network`. */
export async function forgotPassword(
  auth: Pick<Auth, 'app'>,
  email: string,
  network = '203.0.113.9',
): Promise<Response> {
  const browser = openBrowser(auth);
  const form_token = formTokenIn(await browser.get('/oauth/forgot-password'));
  return browser
    .post('/oauth/forgot-password')
    .set('X-Forwarded-For', network)
    .type('form')
    .send({ form_token, email });
}
