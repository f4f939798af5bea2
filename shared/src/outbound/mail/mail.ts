/** A plain-text mail. */
export interface Mail {
  /** Unique, and the same on every retry, so that duplicates have the same Message-ID. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** A part of the text that is sent, but neither stored nor logged. */
  readonly secret?: string;
}

/** Sends mails to a server; rejects when the server accepted none of the recipients. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}
