import { createTransport } from 'nodemailer';
import { isAddress } from './address';
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
    async send({ id, to, subject, text }: Mail) {
      await transport.sendMail({
        from,
        // As objects, since a text would be parsed as a list and could add recipients.
        to: to.filter(isAddress).map((address) => ({ name: '', address })),
        subject: oneLine(subject),
        text,
        messageId: `<${id}@${domain}>`,
        // RFC 3834 §5: suppresses out-of-office replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transport.close(),
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
