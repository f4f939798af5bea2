import { createTransport } from 'nodemailer';
import { isAddress } from './address';
import { MailRefused } from './mail';
import type { Mail, Mailer } from './mail';

interface Settings {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  readonly url: string;
  /** The sender, such as `Service <service@example.com>`. */
  readonly from: string;
}

const deadlines = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends over SMTP with a small connection pool, and with STARTTLS if the server offers it. */
export function createSmtpMailer({ url, from }: Settings): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
    secure: protocol === 'smtps:',
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    pool: true,
    maxConnections: 2,
    // Texts come from receivers and users: nothing in them may refer to a file or URL to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...deadlines,
  });
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

  return {
    async send({ id, to, subject, text, thread }: Mail) {
      // As objects, since a text would be parsed as a list and could add recipients.
      const recipients = to.filter(isAddress).map((address) => ({ name: '', address }));
      if (recipients.length === 0)
        throw new MailRefused('None of the recipients has an address that mails can be sent to');
      const mail = {
        from,
        to: recipients,
        subject: oneLine(subject),
        text,
        messageId: `<${id}@${domain}>`,
        // A mail with this id is never sent: each one answers it.
        ...(thread !== undefined && { inReplyTo: `<${thread}@${domain}>`, references: `<${thread}@${domain}>` }),
        // RFC 3834 §5 and Exchange: suppresses out-of-office replies.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw isAboutMail(error) ? new MailRefused('The mail server refused the mail', { cause: error }) : error;
      });
    },
    close: () => transport.close(),
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

interface SmtpFailure {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
}

/** Whether a reply is about the recipients or the content, and not about the server, the sender or the login (RFC 5321 §4.2). */
function isAboutMail(error: unknown): boolean {
  const { code, command, responseCode } = error as SmtpFailure;
  // 421: the server closes the connection, for any recipient.
  if (code === 'EENVELOPE' && command === 'RCPT TO') return responseCode !== 421;
  return code === 'EMESSAGE' && Number(responseCode) >= 500;
}
