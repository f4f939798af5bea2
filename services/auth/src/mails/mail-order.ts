/**
 * A mail to be sent. Its content is made when it is sent, from the state at that time.
 * `address`: a link for a person whose address is not verified, or who has no password yet.
 * `new-address`: a link to the address that a person wants to have. `address-notice`: to the one they had.
 * `reset-request`: a password reset was requested for this address, which no person may have. `reset`: the link for one person.
 * `password-notice`: the password was changed.
 */
export type MailKind = 'address' | 'new-address' | 'address-notice' | 'reset-request' | 'reset' | 'password-notice';

export interface MailOrder {
  readonly id: string;
  readonly kind: MailKind;
  /** The person; not known yet for a `reset-request`. */
  readonly accountId: string;
  readonly personId: number;
  /** The version of the person with the change that the mail is about. */
  readonly version: number;
  /** The recipient. */
  readonly address: string;
  readonly createdAt: Date;
}

export type NewMailOrder = Omit<MailOrder, 'id' | 'createdAt'>;
