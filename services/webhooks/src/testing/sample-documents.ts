import { idempotentCall } from '@itsm/shared/testing/idempotent-calls';
import type { Connection } from 'mongoose';
import { createUriVault } from '../webhooks/uri-vault';

export const vault = createUriVault([Buffer.alloc(32, 7)]);
export const uri = 'https://receiver.example/hook';
const start = Date.UTC(2026, 0, 1);
export const moment = (n: number): Date => new Date(start + n * 60_000);
export const now = new Date(start + 400 * 86_400_000);
export const later = new Date(now.getTime() + 86_400_000);

/** The sample that calls refer to; an account has ten webhooks and ten policies. */
export const sample = 57;
export const account = 'a5';
/** Collections that grow with time: the first 1,000 documents are of the account under test, later ones of another. */
const owner = (n: number): string => (n < 1_000 ? account : 'other');
const few = (n: number): string => `a${Math.floor(n / 10)}`;
export const events = ['request.create', 'request.update', 'task.create', 'sla.update', 'problem.create'] as const;
export const texts = { description: null, source: 'app', createdAt: moment(1), updatedAt: moment(1) };
export const message = { id: 'm', contract: 'c', message: '{}' };
const states = ['active', 'unverified', 'disabled'] as const;

/** The `n`-th document of each collection, as the service stores it. */
export const documents: Readonly<Record<string, (n: number) => object>> = {
  webhooks: (n) => ({
    _id: n,
    accountId: few(n),
    name: `Webhook ${n}`,
    event: events[n % 5],
    sealedUri: vault.seal(n, uri),
    uriDigest: vault.digest(few(n), uri),
    ...texts,
    sourceID: `s-${n}`,
    addressGivenAt: moment(n),
    disabled: n % 3 === 2,
    disabledReason: null,
    verified: n % 3 !== 1,
    state: states[n % 3],
    codeHash: null,
    codeExpiresAt: null,
    mailExceptionsTo: null,
    webhookPolicyId: n,
    openidConnectDiscovery: false,
    failureCount: 1,
    failingSince: moment(n),
    countsFrom: moment(n),
    countedAttempts: [],
    warned: 0,
    lastError: 'x',
    audit: [],
    revision: 1,
    outbox: [{ ...message, id: `m${n}` }],
    ...(n % 40 === 0 && { outboxAt: moment(n) }),
    ...(n % 40 === 1 && { notices: { count: 1, dueAt: moment(n), fence: 1 } }),
  }),
  webhook_policies: (n) => ({
    _id: n,
    accountId: few(n),
    name: `policy-${n}`,
    algorithm: 'es256',
    audience: null,
    expiresInMinutes: null,
    rotationDays: null,
    disabled: n % 3 === 2,
    keys: [],
    ...texts,
    sourceID: `s-${n}`,
    revision: 1,
    audit: [],
    careAt: n % 100 === 0 ? moment(n) : null,
  }),
  accounts: (n) => ({ _id: `a${n}`, name: `A ${n}`, customUrl: null, disabled: false, version: 1 }),
  people: (n) => ({ _id: n, version: 1, primaryEmail: `p${n}@b`, administers: n % 10 === 0 ? [few(n)] : [] }),
  seen_events: (n) => ({
    _id: `event ${n}`,
    event: events[n % 5],
    objectId: n,
    visibleTo: [owner(n)],
    occurredAt: moment(n),
    matchedAt: moment(n),
    subscribers: [],
  }),
  delivery_outcomes: (n) => ({
    _id: `delivery ${n}`,
    accountId: owner(n),
    version: 1,
    at: moment(n),
    outcome: 'failed',
  }),
  skipped_deliveries: (n) => ({
    _id: `delivery ${n}`,
    accountId: owner(n),
    webhookId: n % 40 === 17 ? sample : n,
    eventId: `event ${n}`,
    objectId: n,
    reason: 'disabled',
    skippedAt: moment(n),
  }),
  waiting_events: (n) => ({
    _id: `event ${n} ${owner(n)}`,
    accountId: owner(n),
    change: { eventId: `event ${n}` },
    dueAt: moment(n),
    ...(n % 40 === 17 && { owner: 'process 1', dueAt: later }),
  }),
  mails: (n) => ({
    _id: `mail ${n}`,
    accountId: owner(n),
    topic: `webhook:${n % 40 === 17 ? sample : n}`,
    createdAt: moment(n),
    to: 'a@b',
    subject: 's',
    text: 't',
    sentAt: null,
  }),
  idempotent_calls: idempotentCall,
  sequences: (n) => ({ _id: `sequence ${n}`, value: n }),
};

export async function fill(connection: Connection, count: number): Promise<void> {
  for (const [collection, document] of Object.entries(documents)) {
    const all = Array.from({ length: count }, (_none, n) => document(n));
    await connection.collection(collection).insertMany(all, { ordered: false });
  }
}
