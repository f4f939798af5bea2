/** A plain-text mail. */
export interface Mail {
  /** Unique, and the same on every retry, so that duplicates have the same Message-ID. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** A part of the text that is sent, but neither stored nor logged. */
  readonly secret?: string;
  /** What all mails about one thing have in common: programs show them as one conversation. */
  readonly thread?: string;
}

/** The server refused this mail, for its recipients or its content. It says nothing about other mails. */
export class MailRefused extends Error {}

/** Sends mails to a server; rejects when the server accepted none of the recipients, with `MailRefused` if the mail is the cause. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

const [shortestWait, longestWait] = [60_000, 3_600_000];

/** Milliseconds until a refused mail is tried again: as long as it has waited `since`, between a minute and an hour. */
export const waitOfRefused = (since: Date, now: Date): number =>
  Math.min(Math.max(now.getTime() - since.getTime(), shortestWait), longestWait);
