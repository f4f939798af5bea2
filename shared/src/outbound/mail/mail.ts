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

/** Hands mails to a server; rejects when the server took the mail for none of those who were named. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}
