export const personIdentifiers = ['primary_email', 'authentication_id'] as const;

/** Which member of a person the identity token names: `email` is the primary e-mail, `sub` the authentication ID. */
export type PersonIdentifier = (typeof personIdentifiers)[number];

/** An OpenID provider that an account trusts to say who a person is. */
export interface SsoConfiguration {
  readonly id: number;
  readonly accountId: string;
  readonly name: string;
  /** As the provider writes it, character by character: it is compared with `iss`. */
  readonly issuer: string;
  readonly identifier: PersonIdentifier;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
