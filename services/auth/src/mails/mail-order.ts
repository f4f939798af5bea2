/**
 * A mail that is to be sent. What it says is decided when it is sent, from how things are then.
 * `address`: a link for a person whose address is not verified, or who has no password yet.
 * `new-address`: a link to the address that a person wants to have. `address-notice`: to the one they had.
 * `reset-request`: somebody at this address, if there is anybody, forgot the password. `reset`: the link for one of them.
 * `password-notice`: the password was changed.
 */
export type MailKind = 'address' | 'new-address' | 'address-notice' | 'reset-request' | 'reset' | 'password-notice';

export interface MailOrder {
  readonly id: string;
  readonly kind: MailKind;
  /** Whom it is about; nobody yet for a `reset-request`. */
  readonly accountId: string;
  readonly personId: number;
  /** Of the person with the change that made the mail necessary. */
  readonly version: number;
  /** Where it goes. */
  readonly address: string;
  readonly createdAt: Date;
}

export type NewMailOrder = Omit<MailOrder, 'id' | 'createdAt'>;
