/** A message in plain text. */
export interface Mail {
  /** Unique; the same on every retry, so that a mail that is sent twice shows by its Message-ID. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** A part of the text that is only sent: it is neither stored nor logged. */
  readonly secret?: string;
}

/** The server is there, and will not take this mail: its recipients or its content. It says nothing about other mails. */
export class MailRefused extends Error {}

/**
 * Hands mails to a server; rejects when the server took the mail for none of those who were named, with `MailRefused` where that
 * lies with the mail.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

const [shortestWait, longestWait] = [60_000, 3_600_000];

/** Milliseconds until a refused mail is tried again: as long as it has waited `since`, between a minute and an hour. */
export const waitOfRefused = (since: Date, now: Date): number =>
  Math.min(Math.max(now.getTime() - since.getTime(), shortestWait), longestWait);
