import { scopeSchema } from '@itsm/shared/contracts/scopes';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Declaration } from '@itsm/shared/declared/language';
import { missingIn } from '@itsm/shared/declared/needed';
import type { GivenOf, RecordOf } from '@itsm/shared/declared/record-of';
import { z } from 'zod';
import { keyLimits, parseClientKeys } from './client-keys';
import { applicationKind, inOneLine } from './client-token';
import type { ClientToken } from './client-token';
import { grantTypes, grantWords, ofExchange, ofMachine, ofPeople } from './grant-types';
import { sourceFields } from '../directory/source-fields';
import { isRedirectUri } from './redirect-uri';
import { ssoConfigurationType } from './sso-configuration';

/** Characters that the pages let people type. */
export const limits = { name: 80, description: 2_000, uri: 1_000, audience: 255, redirectUris: 20 } as const;

const isHttps = (uri: string): boolean => URL.canParse(uri) && new URL(uri).protocol === 'https:';

const homepageProblem = (text: string): string | undefined =>
  inOneLine(text) ?? (isHttps(text) ? undefined : 'is not a valid https address');

const redirectProblem = (text: string): string | undefined =>
  inOneLine(text) ??
  (isRedirectUri(text)
    ? undefined
    : 'must be https, http on a loopback address, or an own scheme such as com.example.app, without #');

/** Keeps of the keys what is public and known. */
function readKeys(text: string): { readonly value: string } | { readonly problem: string } {
  const parsed = parseClientKeys(text);
  return 'keys' in parsed ? { value: JSON.stringify(parsed) } : parsed;
}

/** Limits the length of action and account names. */
const isShort = ({ actions, account = '' }: Scope): boolean =>
  [...actions, account].every(({ length }) => length <= 80);

/** A null account is as none. */
const givenScope = z
  .preprocess((given) => {
    const { account, ...scope } = (given ?? {}) as Readonly<Record<string, unknown>>;
    return account === null ? scope : given;
  }, scopeSchema)
  .refine(isShort, 'Scope has a name that is too long');

const scopeList = z
  .array(givenScope, 'Scopes are not a list')
  .min(1, 'At least one scope is required')
  .max(50, 'At most 50 scopes are possible');

/** An application: what administrators edit and see of it. */
export const applicationType = {
  ...applicationKind,
  description: 'An application that calls the API for people or for itself.',
  reads: {
    list: 'Applications of the current account.',
    one: 'One of them; null when there is none with this id.',
  },
  writes: {
    create: '',
    update: 'Other scopes make void what was granted before, and so does disabling; both at once.',
    delete: 'Deletes the application for good. All its tokens and authorizations end.',
  },
  readers: ['account_administrator'],
  nullIs: 'refused',
  isVersioned: true,
  deleted: 'id',
  search: ['name', 'description'],
  groups: { more: 'More: description, homepage, keys instead of a secret' },
  fields: [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      maxLength: limits.name,
      check: inOneLine,
      required: true,
      mustBeGiven: true,
      filterable: true,
      sortable: true,
      help: 'Unique in the account. People see it when they authorize the application.',
    },
    {
      name: 'description',
      label: 'Description',
      kind: 'text',
      maxLength: limits.description,
      lines: 'many',
      default: '',
      older: '',
      group: 'more',
    },
    {
      name: 'homepage',
      label: 'Homepage',
      kind: 'text',
      maxLength: limits.uri,
      check: homepageProblem,
      shown: 'on request',
      group: 'more',
      help: 'An https address.',
    },
    {
      name: 'grantTypes',
      label: 'Grant types',
      one: 'Grant type',
      kind: 'choices',
      choices: grantTypes,
      words: grantWords,
      default: ['authorization_code', 'refresh_token'],
      help: `Some of ${grantTypes.join(', ')}.`,
    },
    {
      name: 'redirectUris',
      label: 'Redirect URIs',
      one: 'Redirect URI',
      kind: 'texts',
      most: limits.redirectUris,
      maxLength: limits.uri,
      check: redirectProblem,
      default: [],
      shown: 'on request',
      when: ofPeople,
      needed: { ...ofPeople, otherwise: 'are required for the authorization code grant' },
      help: 'Each https, http on a loopback address, or of a scheme of its own such as com.example.app; without fragment.',
    },
    {
      name: 'pkceRequired',
      label: 'Require PKCE',
      kind: 'flag',
      default: true,
      older: false,
      shown: 'on request',
      when: ofPeople,
      help: 'Refuses authorization requests without a code challenge (RFC 7636). Custom schemes of apps always need one.',
    },
    {
      name: 'actsAsPerson',
      label: 'Person to act as',
      kind: 'person',
      shown: 'on request',
      when: ofMachine,
      needed: { ...ofMachine, otherwise: 'is required for the client credentials grant' },
      help: 'Required for client credentials: a person of the account or of its directory account.',
    },
    {
      name: 'ssoConfiguration',
      label: 'Identity provider',
      kind: 'reference',
      to: ssoConfigurationType,
      shown: 'on request',
      when: ofExchange,
      needed: { ...ofExchange, otherwise: 'is required for token exchange' },
      help: 'Required for token exchange: who signs the tokens. An SSO configuration of the account or of its directory account.',
    },
    {
      name: 'audience',
      label: 'Audience',
      kind: 'text',
      maxLength: limits.audience,
      check: inOneLine,
      shown: 'on request',
      when: ofExchange,
      needed: { ...ofExchange, otherwise: 'is required for token exchange' },
      help: 'Required for token exchange: what the tokens must name as their audience.',
    },
    {
      name: 'scopes',
      label: 'Scopes',
      kind: 'shape',
      schema: scopeList,
      type: '[OAuthScope!]',
      inputType: '[OAuthScopeInput!]',
      words: 'list of at most 50 of `{effect, actions, account}`',
      required: true,
      mustBeGiven: true,
      shown: 'on request',
      help: 'What the application may do at most. Each allows or denies actions, everywhere or in one account.',
    },
    {
      name: 'jwksUri',
      label: 'JWKS URI',
      kind: 'text',
      maxLength: limits.uri,
      check: inOneLine,
      shown: 'on request',
      group: 'more',
      help: 'The https address of the JWK set, instead of the set itself.',
    },
    {
      name: 'jwks',
      label: 'JWKS',
      kind: 'text',
      maxLength: keyLimits.text,
      lines: 'many',
      read: readKeys,
      shown: 'on request',
      group: 'more',
      help: 'Public keys, for authentication by private_key_jwt: a JWK set as JSON, of RSA (at least 2048 bits), P-256 or Ed25519 keys.',
    },
    {
      name: 'privateKeyJwtRequired',
      label: 'Require private_key_jwt',
      kind: 'flag',
      default: false,
      older: false,
      shown: 'on request',
      group: 'more',
      help: 'Clients must authenticate with their keys. Client secrets are then refused.',
    },
    {
      name: 'disabled',
      label: 'Disabled',
      kind: 'standing',
      property: 'disabledAt',
      written: 'on change',
      filterable: true,
      help: 'While it is, no client authenticates. What was granted before stays void.',
    },
    {
      name: 'tokens',
      label: 'Client tokens',
      kind: 'derived',
      type: '[OAuthApplicationToken!]!',
      written: 'never',
      shown: 'on request',
      help: 'At most ten; each works on its own.',
    },
    ...sourceFields,
  ],
} as const satisfies Declaration;

/** What is declared of an application. */
export type ApplicationSettings = RecordOf<typeof applicationType>;

/** What a caller has given for an application. */
export type ApplicationChanges = GivenOf<typeof applicationType>;

/** An application of an account. */
export interface Application extends ApplicationSettings {
  readonly id: number;
  readonly accountId: string;
  /** Raised by every change by administrators, of its client tokens too; 0 for one that no release with versions changed. */
  readonly version: number;
  /** Incremented when the scopes change; grants for another version are void. */
  readonly scopesVersion: number;
  readonly tokens: readonly ClientToken[];
  /** See `ClientToken`. */
  readonly enabledAt: Date | null;
  readonly createdAt: Date;
  /** Of the last change by administrators, of its client tokens too. */
  readonly updatedAt: Date;
}

/** Why settings are refused that the chosen grant types need but lack, by field. */
export const missingFor = (settings: Partial<ApplicationSettings> & Pick<ApplicationSettings, 'grantTypes'>) => ({
  ...missingIn(applicationType, settings),
  ...(settings.grantTypes.includes('refresh_token') &&
    !settings.grantTypes.includes('authorization_code') && {
      grantTypes: 'have refresh tokens with the authorization code grant only',
    }),
});

/** An application with the client token that a request names. */
export interface Client {
  readonly application: Application;
  readonly token: ClientToken;
}

/** The client token of `clientId`; undefined when it or the application is disabled. */
export function enabledToken(application: Application, clientId: string): ClientToken | undefined {
  if (application.disabledAt) return undefined;
  return application.tokens.find((token) => token.clientId === clientId && token.disabledAt === null);
}
