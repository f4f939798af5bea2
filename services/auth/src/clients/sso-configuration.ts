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
  /** Whether an e-mail address needs the claim `email_verified: true`; otherwise the claim may be absent, but not false. */
  readonly emailVerifiedRequired: boolean;
  /** The client id for sign-in at the provider; null when people do not sign in there. */
  readonly clientId: string | null;
  readonly sealedClientSecret: string | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The context that the client secret is sealed with. */
export const secretContextOf = (id: number): string => `sso configuration ${id}`;

/** The redirect URI to register at the provider. */
export const providerCallbackOf = (baseUrl: string): string => `${baseUrl}/oauth/sign-in/provider/callback`;

/** A configuration for sign-in at the provider. */
export type SignInProvider = SsoConfiguration & { readonly clientId: string };

export const isSignInProvider = (configuration: SsoConfiguration): configuration is SignInProvider =>
  configuration.clientId !== null && configuration.disabledAt === null;
