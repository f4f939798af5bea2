import { createHash } from 'node:crypto';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import type { Connection } from 'mongoose';
import { auditEvents } from '../security/audit-event';
import type { AuditEvent } from '../security/audit-event';
import { createRepositories } from './repositories';
import { generateSigningKey } from '../tokens/signing-key';

const day = 86_400_000;
export const start = Date.UTC(2026, 0, 1);
/** The time at which calls are made; what is filled in came in the days before and ends in those after. */
export const now = new Date(start + 400 * day);
export const later = new Date(now.getTime() + 30 * day);
export const moment = (n: number): Date => new Date(start + n * 60_000);
export const digest = (kind: string, n: number): string =>
  createHash('sha256').update(`${kind} ${n}`).digest('base64url');

/** The sample of each collection, which the calls are about. */
export const sample = 57;
export const account = 'wdc';
/** What grows with time is mostly of the account that calls are about, and what came last of another. */
const owner = (n: number): string => (n < 1_000 ? account : 'other');
/** Ten to an account of their own, as accounts have them; the first ten are of the account that calls are about. */
const few = (n: number): string =>
  Math.floor(n / 10) === Math.floor(sample / 10) ? account : `a${Math.floor(n / 10)}`;

export const codeOf = (n: number) => ({
  digest: digest('code', n),
  redirectUri: 'https://client.example/callback',
  challenge: null,
  expiresAt: later,
  usedAt: null,
});
export const grantOf = (n: number) => ({
  familyId: `family ${n}`,
  authorizationId: `authorization ${n}`,
  accountId: account,
  personId: n,
  applicationAccountId: few(n),
  applicationId: n,
  clientId: `client ${n}`,
  scopesVersion: 1,
});
export const requestOf = (n: number) => ({
  clientId: `client ${n}`,
  redirectUri: 'https://client.example/callback',
  state: null,
  challenge: null,
});
export const consent = {
  id: `consent ${sample}`,
  accountId: account,
  personId: sample,
  sessionDigest: digest('session', sample),
};
export const sealer = createSealer([Buffer.alloc(32, 7)]);
export const events = Object.keys(auditEvents) as AuditEvent[];

/** Documents as the service stores them, by collection: the `n`-th of each. */
export const documents: Readonly<Record<string, (n: number) => object>> = {
  accounts: (n) => ({
    _id: n === sample ? account : `a${n}`,
    name: `Account ${n}`,
    customUrl: null,
    directoryAccountId: n === sample ? 'a1' : `a${n % 500}`,
    version: 1,
    trusts: n === sample ? [{ accountId: 'a3', as: 'provider' }] : [{ accountId: account, as: 'customer' }],
    outbox: [{ id: `m${n}`, contract: 'c', message: '{}' }],
    ...(n % 100 === 0 && { outboxAt: moment(n) }),
  }),
  alerts: (n) => ({
    _id: `alert ${n}`,
    event: 'code.replayed',
    accountId: account,
    personId: n,
    at: moment(n),
    applicationAccountId: account,
    applicationName: 'A',
    ...(n % 100 === 0 && { dueAt: moment(n) }),
  }),
  applications: (n) => ({
    _id: n,
    accountId: few(n),
    name: `Application ${n}`,
    description: '',
    homepage: null,
    redirectUris: [],
    grantTypes: [],
    scopes: [],
    scopesVersion: 1,
    ssoConfigurationId: n,
    audience: null,
    actsAsPersonId: null,
    tokens: [{ clientId: `client ${n}`, secretDigest: 'd', createdAt: moment(n), disabledAt: null, enabledAt: null }],
    pkceRequired: false,
    disabledAt: null,
    enabledAt: null,
  }),
  security_log: (n) => ({
    _id: n,
    accountIds: [owner(n)],
    people: n % 50 === 27 ? [sample] : [n],
    event: events[n % events.length],
    at: moment(n),
    person: { accountId: account, id: n, name: 'P' },
    application: null,
    actor: null,
    clientId: null,
    ip: null,
    userAgent: null,
    requestId: null,
    facts: {},
    expiresAt: later,
    ...(n % 2 === 1 && { once: digest('once', n) }),
  }),
  authorizations: (n) => ({
    _id: `authorization ${n}`,
    accountId: account,
    personId: n === sample ? sample : 1_000_000 + n,
    applicationAccountId: few(n),
    applicationId: n,
    scopesVersion: 1,
    createdAt: moment(n),
    lastUsedAt: null,
    revokedAt: null,
  }),
  waiting_requests: (n) => ({
    _id: `waiting ${n}`,
    request: requestOf(n),
    network: `10.0.${n % 250}.${Math.floor(n / 250) % 250}`,
    expiresAt: later,
  }),
  backfills: (n) => ({
    _id: n === sample ? 'directory' : `run ${n}`,
    afterAccount: '',
    accountsDone: true,
    afterPerson: n,
  }),
  consents: (n) => ({
    _id: `consent ${n}`,
    sessionDigest: digest('session', n),
    accountId: account,
    personId: n,
    request: requestOf(n),
    waitingId: `waiting ${n}`,
    scopesVersion: 1,
    expiresAt: later,
  }),
  administrator_departures: (n) => ({ _id: n === sample ? account : `a${n}`, departures: [] }),
  people: (n) => ({
    _id: n,
    accountId: owner(n),
    name: `Person ${n}`,
    primaryEmail: `p${n}@wdc.example`,
    emailKey: `p${n}@wdc.example`,
    authenticationId: `sub-${n}`,
    source: 'hr',
    sourceID: `hr-${n}`,
    locale: 'en',
    timeZone: 'UTC',
    version: 1,
    roles: { [owner(n)]: n === 0 ? ['account_administrator'] : ['end_user'] },
    ...(n !== 3 && { search: [`${owner(n)} person`, `${owner(n)} p${n}`] }),
    accountIds: [owner(n)],
    disabledAt: n % 100 === 5 ? moment(n) : null,
    enabledAt: null,
    password: null,
    createdAt: moment(n),
    updatedAt: moment(n),
  }),
  personal_access_tokens: (n) => ({
    _id: n,
    accountId: owner(n),
    personId: Math.floor(n / 10),
    name: `Token ${n}`,
    digest: digest('pat', n),
    scopes: [],
    createdAt: moment(n),
    expiresAt: later,
    lastUsedAt: null,
  }),
  sessions: (n) => ({
    _id: digest('session', n),
    accountId: account,
    personId: n,
    passwordSalt: null,
    createdAt: moment(n),
    lastSeenAt: moment(n),
    expiresAt: later,
  }),
  sso_configurations: (n) => ({
    _id: n,
    accountId: few(n),
    name: `Provider ${n}`,
    issuer: 'https://idp.example',
    identifier: 'primary_email',
    disabledAt: null,
    createdAt: moment(n),
    updatedAt: moment(n),
  }),
  sign_in_throttles: (n) => ({
    _id: `throttle ${n}`,
    failures: 1,
    failedAt: moment(n),
    openAt: moment(n),
    expiresAt: later,
  }),
  token_families: (n) => ({
    _id: `family ${n}`,
    grant: grantOf(n),
    code: codeOf(n),
    createdAt: moment(n),
    expiresAt: later,
    revokedAt: null,
  }),
  access_tokens: (n) => ({
    _id: digest('access', n),
    grant: grantOf(n),
    createdAt: moment(n),
    expiresAt: later,
    revokedAt: null,
  }),
  refresh_tokens: (n) => ({
    _id: digest('refresh', n),
    grant: grantOf(n),
    createdAt: moment(n),
    expiresAt: later,
    predecessor: null,
    rotation: n % 3 === 1 ? { at: moment(n), successor: n % 300 === 1 ? 'sealed' : null } : null,
  }),
};

/** The signing keys of an installation are few. */
export async function fill(connection: Connection, count: number): Promise<void> {
  for (const [collection, document] of Object.entries(documents)) {
    const all = Array.from({ length: count }, (_none, n) => document(n));
    await connection.collection(collection).insertMany(all, { ordered: false });
  }
  const { signingKeys } = createRepositories(connection, sealer);
  for (const predecessor of [null, 'key 1', 'key 2'])
    await signingKeys.append({ ...(await generateSigningKey()), createdAt: now, signsFrom: now }, predecessor);
}

const page = { after: undefined, before: undefined, limit: 20, from: 'start' } as const;
export const pages = [
  page,
  { ...page, from: 'end' },
  { ...page, after: 500 },
  { ...page, before: 900, after: 200, from: 'end' },
] as const;
export const visibility = { accountId: account, directoryAccountId: null };
export const withDirectory = { accountId: account, directoryAccountId: 'elsewhere' };
/** What GraphQL orders and filters applications and accounts by. */
export const listed = <
  T extends { readonly id: number | string; readonly name: string; readonly disabledAt: Date | null },
>(): Resource<T> => ({
  fields: {},
  collectionFields: [],
  sortable: { name: 'name' },
  filterable: { name: { property: 'name', type: 'string' }, disabled: { property: 'disabledAt', type: 'string' } },
});
export const byId = [{ field: 'id', property: 'id', descending: false }];
export const outbox = [{ id: 'm', contract: 'auth.person.saved.v1', message: '{}' }];

/** The sample of a collection without its key. */
export function plain(collection: string): object {
  const { _id, ...rest } = documents[collection]!(sample) as { readonly _id: unknown };
  return rest;
}

export const given = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('The sample is missing');
  return value;
};

/** A sample call of each method of each repository. */
