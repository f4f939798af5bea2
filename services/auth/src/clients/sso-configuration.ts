export const personIdentifiers = ['primary_email', 'authentication_id'] as const;

/** Which claim identifies the person: `email` by primary e-mail, or `sub` by authentication ID. */
export type PersonIdentifier = (typeof personIdentifiers)[number];

/** An OpenID provider that an account trusts to authenticate its people. */
export interface SsoConfiguration {
  readonly id: number;
  readonly accountId: string;
  readonly name: string;
  /** The issuer exactly as the provider writes it; compared with `iss` character by character. */
  readonly issuer: string;
  readonly identifier: PersonIdentifier;
  /** Whether an e-mail address needs the claim `email_verified: true`; otherwise the claim may be absent, but not false. */
  readonly emailVerifiedRequired: boolean;
  /** The client id for sign-in at the provider; null when people do not sign in there. */
  readonly clientId: string | null;
  readonly sealedClientSecret: string | null;
  /**
   * Whether the provider may know only the redirect URI that all providers shared once. It is used only while the provider promises to name
   * itself in its answers (RFC 9207).
   */
  readonly formerRedirectUri: boolean;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The encryption context of the sealed client secret. */
export const secretContextOf = (id: number): string => `sso configuration ${id}`;

/** The redirect URI to register at the provider: one for each configuration, against mix-up (RFC 9700 §4.4.2). */
export const redirectUriOf = (baseUrl: string, id: number): string =>
  `${baseUrl}/oauth/sign-in/provider/${id}/callback`;

/** The redirect URI of earlier releases, which all providers share. */
export const formerRedirectUriOf = (baseUrl: string): string => `${baseUrl}/oauth/sign-in/provider/callback`;

/** A configuration with which people can sign in at the provider. */
export type SignInProvider = SsoConfiguration & { readonly clientId: string };

export const isSignInProvider = (configuration: SsoConfiguration): configuration is SignInProvider =>
  configuration.clientId !== null && configuration.disabledAt === null;
