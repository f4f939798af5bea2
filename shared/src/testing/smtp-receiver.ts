import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A received mail: the envelope, the raw text, and its parsed parts. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Whether it was sent with SMTPUTF8 (RFC 6531). */
  readonly utf8: boolean;
  readonly raw: string;
  readonly email: Email;
}

export interface SmtpReceiver {
  /** For the setting SMTP_URL. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Answers the next mails with a temporary failure. */
  refuse(count: number): void;
  /** Leaves the next mails without an answer. */
  hang(count: number): void;
  /** The number of mails that wait for an answer. */
  hanging(): number;
  /** Answers the waiting mails with a temporary failure. */
  release(): void;
  close(): Promise<void>;
}

interface Login {
  readonly user: string;
  readonly password: string;
}

interface Abilities {
  /** SMTPUTF8 (RFC 6531). Without it the server refuses recipients beyond ASCII. */
  readonly utf8: boolean;
}

/** A real SMTP server, on loopback unless `at` is given; with `login` it requires authentication. */
export async function startSmtpReceiver(
  login?: Login,
  at = { host: '127.0.0.1', port: 0 },
  { utf8 }: Abilities = { utf8: true },
): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = [];
  let refusals = 0;
  let silences = 0;
  const unanswered: (() => void)[] = [];
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    hideSMTPUTF8: !utf8,
    onAuth({ username, password }, _session, callback) {
      const known = username === login?.user && password === login?.password;
      if (known) callback(null, { user: username });
      else callback(new Error('Invalid user name or password'));
    },
    onRcptTo({ address }, _session, callback) {
      // The address has its domain in Unicode, in whichever form it was sent.
      const isForeign = !utf8 && !/^\p{ASCII}*@/u.test(address);
      callback(isForeign || address.startsWith('unknown@') ? new Error('No such mailbox') : null);
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refuse = () => callback(Object.assign(new Error('Try again later'), { responseCode: 451 }));
        if (silences > 0) {
          silences -= 1;
          unanswered.push(refuse);
          return;
        }
        if (refusals > 0) {
          refusals -= 1;
          refuse();
          return;
        }
        const raw = Buffer.concat(chunks).toString();
        void PostalMime.parse(raw).then((email) => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          const to = envelope.rcptTo.map(({ address }) => address);
          mails.push({ from, to, utf8: envelope.smtpUtf8 === true, raw, email });
          callback(null);
        });
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(at.port, at.host, resolve));
  const { port } = server.server.address() as AddressInfo;
  const credentials = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : '';
  return {
    url: `smtp://${credentials}${at.host}:${port}`,
    mails,
    refuse: (count) => void (refusals = count),
    hang: (count) => void (silences = count),
    hanging: () => unanswered.length,
    release: () => unanswered.splice(0).forEach((refuse) => refuse()),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
