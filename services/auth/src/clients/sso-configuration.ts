import { sourceFields } from '../directory/source-fields';
import type { Declaration } from '@itsm/shared/declared/language';
import type { GivenOf, RecordOf } from '@itsm/shared/declared/record-of';
import { inOneLine } from './client-token';

export const personIdentifiers = ['primary_email', 'authentication_id'] as const;

/** Which claim identifies the person: `email` by primary e-mail, or `sub` by authentication ID. */
export type PersonIdentifier = (typeof personIdentifiers)[number];

/** An OpenID provider that an account trusts to authenticate its people: what administrators edit and see of it. */
export const ssoConfigurationType = {
  name: 'sso_configuration',
  graphqlName: 'SsoConfiguration',
  plural: 'sso_configurations',
  label: 'SSO configuration',
  labelPlural: 'SSO configurations',
  description: 'An OpenID provider that the account trusts to say who a person is.',
  reads: {
    list: 'SSO configurations that applications of the current account can be linked to: its own and those of its directory account.',
  },
  writes: { create: '', update: '' },
  readers: ['account_administrator'],
  nullIs: 'refused',
  isVersioned: true,
  search: ['name', 'issuer'],
  fields: [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      maxLength: 128,
      check: inOneLine,
      required: true,
      mustBeGiven: true,
      filterable: true,
      sortable: true,
    },
    {
      name: 'issuer',
      label: 'Issuer',
      kind: 'text',
      maxLength: 2_048,
      exact: true,
      check: issuerProblem,
      required: true,
      mustBeGiven: true,
      filterable: true,
      help: 'Exactly as the provider writes it: it is compared with iss character by character.',
    },
    {
      name: 'identifier',
      label: 'Identifier',
      kind: 'choice',
      enumName: 'PersonIdentifier',
      choices: personIdentifiers,
      words: { primary_email: 'Primary e-mail', authentication_id: 'Authentication ID' },
      required: true,
      mustBeGiven: true,
      filterable: true,
      shown: 'on request',
      help: 'primary_email: the member email of a token is the primary e-mail of the person. authentication_id: the member sub is their authentication ID.',
    },
    {
      name: 'emailVerifiedRequired',
      label: 'Only verified addresses',
      kind: 'flag',
      default: true,
      older: true,
      shown: 'on request',
      help: 'Whether an e-mail address needs the claim email_verified: true; otherwise the claim may be absent, but not false.',
    },
    {
      name: 'clientId',
      label: 'Client ID',
      kind: 'text',
      maxLength: 255,
      check: inOneLine,
      shown: 'on request',
      help: 'The client id for sign-in at the provider; null when people do not sign in there.',
    },
    {
      name: 'redirectUri',
      label: 'Redirect URI',
      kind: 'derived',
      type: 'String!',
      written: 'never',
      shown: 'on request',
      help: 'The redirect URI to register at the provider.',
    },
    {
      name: 'formerRedirectUri',
      label: 'Former redirect URI',
      kind: 'flag',
      default: false,
      older: true,
      shown: 'on request',
      help: 'Whether the provider may know only the redirect URI that all providers shared once. It is used only while the provider promises to name itself in its answers (RFC 9207).',
    },
    {
      name: 'clientSecret',
      label: 'Client secret',
      kind: 'secret',
      maxLength: 1_024,
      property: 'sealedClientSecret',
      has: 'hasClientSecret',
      shown: 'on request',
      help: 'The client secret is stored sealed, and deleted when the issuer changes.',
    },
    {
      name: 'account',
      label: 'Account',
      kind: 'derived',
      type: 'Account',
      written: 'never',
      shown: 'on request',
      help: 'Its own account; that of the directory account is shown too.',
    },
    {
      name: 'disabled',
      label: 'Disabled',
      kind: 'standing',
      property: 'disabledAt',
      filterable: true,
      help: 'While it is, nobody signs in with it, and its identity tokens are refused.',
    },
    ...sourceFields,
  ],
} as const satisfies Declaration;

/** What is declared of a configuration. */
export type SsoConfigurationSettings = RecordOf<typeof ssoConfigurationType>;

/** What a caller has given for a configuration. */
export type SsoConfigurationInput = GivenOf<typeof ssoConfigurationType>;

/** An SSO configuration of an account. */
export interface SsoConfiguration extends SsoConfigurationSettings {
  readonly id: number;
  readonly accountId: string;
  /** Raised by every change; 0 for one that no release with versions changed. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Microsoft's multi-tenant issuers. Refused, because an attacker could create a tenant and sign for people of any account. */
const sharedTenants = /\/(common|organizations|consumers)(\/|$)/i;

export const notHttps = 'is not a valid https address';

/**
 * Why `issuer` is no valid issuer of an OpenID provider (OpenID Connect Discovery 1.0 §3: https, no query, no
 * fragment); undefined when it is. Whether http is allowed is a setting, so the service decides it.
 */
function issuerProblem(issuer: string): string | undefined {
  if (!URL.canParse(issuer) || /[\s\\?#]/.test(issuer)) return 'is not a valid address without query or fragment';
  const { protocol, username, password, pathname } = new URL(issuer);
  if (protocol !== 'https:' && protocol !== 'http:') return notHttps;
  if (username !== '' || password !== '') return 'may not hold credentials';
  if (/[{}]/.test(issuer)) return 'is a template: its variable parts must be filled in';
  return sharedTenants.test(pathname) ? 'must be the one of a single tenant' : undefined;
}

export const isHttps = (issuer: string): boolean => URL.canParse(issuer) && new URL(issuer).protocol === 'https:';

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
