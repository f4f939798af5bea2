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
  /** Whether an address counts only in a token that says `email_verified: true`; else where it does not say false. */
  readonly emailVerifiedRequired: boolean;
  /** As which client people are sent there to sign in; null while they are not. */
  readonly clientId: string | null;
  readonly sealedClientSecret: string | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What the secret of our client is sealed for. */
export const secretContextOf = (id: number): string => `sso configuration ${id}`;

/** Where providers send people back to, as it has to be registered there. */
export const providerCallbackOf = (baseUrl: string): string => `${baseUrl}/oauth/sign-in/provider/callback`;

/** A configuration with which people are sent to the provider to sign in. */
export type SignInProvider = SsoConfiguration & { readonly clientId: string };

export const isSignInProvider = (configuration: SsoConfiguration): configuration is SignInProvider =>
  configuration.clientId !== null && configuration.disabledAt === null;
