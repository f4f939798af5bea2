import { join } from 'node:path';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { createMailbox } from '@itsm/shared/outbound/mail/mailbox';
import type { KeptMail } from '@itsm/shared/outbound/mail/mailbox';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import {
  createOutboxStore,
  ensureOutboxIndexes,
  forgettable as forgettableOfOutboxes,
} from '@itsm/shared/messages/outbox/outbox-store';
import { exerciseOfIdempotentCalls } from '@itsm/shared/testing/idempotent-calls';
import { exerciseOfPresence } from '@itsm/shared/testing/presence-calls';
import type { Repositories } from '@itsm/shared/testing/prove-store';
import { exercise, readInEveryWay } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createFailureStreakRepository } from '../webhooks/webhook-streak.repository';
import { createOutcomeRepository } from '../health/outcome.repository';
import { createDirectoryRepository } from '../directory/directory.repository';
import { eventResource } from '../deliveries/delivery.routes';
import { createEventLog } from '../deliveries/event-log.repository';
import { mailResource } from '../health/health.routes';
import { createNoticeRepository, forgettable as forgettableOfNotices } from '../webhooks/webhook-notice.repository';
import type { Policy } from '../policies/policy';
import { policyResource } from '../policies/policy.resource';
import { createPolicyRepository } from '../policies/policy.repository';
import { createPolicyUse } from '../policies/policy-use.repository';
import { createSkippedRepository } from '../deliveries/skipped.repository';
import {
  createWaitingEventRepository,
  forgettable as forgettableOfWaitingEvents,
} from '../deliveries/waiting-event.repository';
import type { Webhook } from '../webhooks/webhook';
import { webhookResource } from '../webhooks/webhook.resource';
import { createWebhookRepository } from '../webhooks/webhook.repository';
import {
  account,
  documents,
  events,
  fill,
  later,
  message,
  moment,
  now,
  sample,
  texts,
  uri,
  vault,
} from './sample-documents';

const given = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('The sample is missing');
  return value;
};
const recordEvent: RecordChanged = {
  eventId: 'event new',
  event: events[0],
  at: now.toISOString(),
  accountId: account,
  visibleTo: [account],
  object: { id: 1, nodeID: 'n' },
  person: null,
  payload: {},
  links: { canonical: '/', resource: '/' },
};
const person = { id: 1_000_000, accountId: account, name: 'P', primaryEmail: 'p@b', sourceID: null, roles: {} };
const attempt = {
  deliveryId: `delivery ${sample}`,
  accountId: account,
  webhookId: sample,
  attempt: 2,
  at: now.toISOString(),
  outcome: 'failed',
  fault: 'receiver',
  status: 500,
  error: 'x',
  final: false,
  nextAttemptAt: null,
} as Parameters<ReturnType<typeof createOutcomeRepository>['note']>[0];
const none = { messages: [], person: null };
const lease = { owner: 'process', until: later };
const gone = ['process 1', 'process 2'];
const leased = { collection: 'webhooks', documentId: 0, owner: 'process 1', entries: [] };

function exercises(connection: Connection): Exercise[] {
  const webhooks = createWebhookRepository(connection, vault);
  const policies = createPolicyRepository(connection);
  const found = async (): Promise<Webhook> => given(await webhooks.find(account, sample));
  const policy = async (): Promise<Policy> => given(await policies.find(account, sample));
  const next = async (): Promise<Policy> => ({ ...(await policy()), version: (await policy()).version + 1 });
  const notice = async () => ({
    webhook: given(await webhooks.find('a4', 41)),
    failures: 2,
    failingSince: null,
    warning: 50 as const,
    disabled: null,
    number: 1,
    fence: 1,
  });
  const period = { from: moment(0), until: later };
  const values = { id: sample, ...texts, name: 'Webhook 57', event: events[2], disabled: false, state: 'active' };
  return [
    exercise('createWebhookRepository', webhooks, {
      nextId: (all) => all.nextId(),
      insert: async (all) => all.insert({ ...(await found()), id: 1_000_000 }, { messages: [message], person: null }),
      find: (all) => all.find(account, sample),
      findEvenDeleted: (all) => all.findEvenDeleted(account, sample),
      listing: (all) => readInEveryWay(all.listing(account), webhookResource, values),
      findAudit: (all) => all.findAudit(account, sample),
      hasVerifiedUri: (all) => all.hasVerifiedUri(account, uri),
      async findSubscribed(all) {
        const one = { event: events[2], visibleTo: [account, 'a6', 'a7'] };
        await all.findSubscribed([one]);
        await all.findSubscribed([one, { event: events[1], visibleTo: ['a6', 'a8'] }]);
      },
      replace: async (all) =>
        all.replace(await found(), { ...(await found()), name: 'N' }, { ...none, notifyDisabled: 'x' }, now),
      publish: (all) => all.publish(account, sample, [message], now),
      remove: async (all) => all.remove((await all.find(account, 58))!, [message], now),
    }),
    exercise('createPolicyRepository', policies, {
      nextId: (all) => all.nextId(),
      insert: async (all) =>
        all.insert({ ...(await policy()), id: 1_000_000, name: 'new' }, { message, line: undefined }),
      find: (all) => all.find(account, sample),
      findByName: (all) => all.findByName(account, `policy-${sample}`),
      listing: (all) =>
        readInEveryWay(all.listing(account), policyResource, { ...values, jwtAlg: 'es256', jwtAudience: 'me' }),
      names: (all) => all.names(account),
      replace: async (all) => all.replace(await next(), { message, line: undefined }, now),
      remove: async (all) => all.remove(await next(), message, now),
      findAudit: (all) => all.findAudit(account, sample),
      findDue: (all) => all.findDue(now, 10),
    }),
    exercise('createPolicyUse', createPolicyUse(connection), { call: (usersOf) => usersOf(account, sample) }),
    exercise('createDirectoryRepository', createDirectoryRepository(connection), {
      saveAccount: (all) =>
        all.saveAccount({
          id: account,
          name: 'A',
          customUrl: null,
          directoryAccountId: null,
          trusts: [],
          disabled: false,
          version: 2,
        }),
      savePerson: (all) => all.savePerson({ ...person, disabled: false, version: 1 }),
      findAccount: (all) => all.findAccount(account),
      findAccounts: (all) => all.findAccounts([account, 'a6']),
      mayAdminister: (all) => all.mayAdminister(account, 50),
      findAdministratorAddresses: (all) => all.findAdministratorAddresses(account),
    }),
    exercise('createEventLog', createEventLog(connection), {
      async note(all) {
        await all.note(recordEvent, [], now);
        await all.note(recordEvent, [{ webhookId: sample, state: 'active' }], now);
      },
      find: (all) => all.find(account, 'event 57'),
      listing: (all) =>
        readInEveryWay(all.listing(account), eventResource, {
          id: 'event 57',
          matchedAt: moment(57),
          occurredAt: moment(57),
          event: events[2],
          objectId: 57,
        }),
    }),
    exercise('createOutcomeRepository', createOutcomeRepository(connection), {
      async note(all) {
        await all.note(attempt);
        await all.note({ ...attempt, attempt: 1 });
      },
      find: (all) => all.find(account, `delivery ${sample}`),
    }),
    exercise('createFailureStreakRepository', createFailureStreakRepository(connection), {
      addFailure: (all) => all.addFailure(account, 58, { key: 'k', at: now, error: 'x' }, now),
      warn: (all) => all.warn(account, sample, 50, now),
      clear: (all) => all.clear(account, sample, now),
    }),
    exercise(
      'createNoticeRepository',
      createNoticeRepository(connection, vault),
      {
        isDue: (all) => all.isDue(now, gone),
        claim: (all) => all.claim(now, gone, lease),
        settle: async (all) => all.settle(await notice(), later),
        postpone: async (all) => all.postpone(await notice(), later),
      },
      { forgettable: forgettableOfNotices },
    ),
    exercise('createSkippedRepository', createSkippedRepository(connection), {
      add: (all) =>
        all.add([
          {
            deliveryId: 'new',
            accountId: account,
            webhookId: sample,
            eventId: 'e',
            objectId: 1,
            reason: 'disabled',
            skippedAt: now,
          },
        ]),
      summarize: (all) => all.summarize(account, sample, period),
      markRedelivered: (all) => all.markRedelivered(account, sample, period, now),
      redeliveredAt: (all) => all.redeliveredAt(`delivery ${sample}`),
    }),
    exercise(
      'createWaitingEventRepository',
      createWaitingEventRepository(connection),
      {
        add: (all) => all.add(recordEvent, account, now),
        accounts: (all) => all.accounts(),
        isDue: (all) => all.isDue(account, now, gone),
        claim: (all) => all.claim(account, 5, now, gone, lease),
        remove: (all) => all.remove(account, [`event 1 ${account}`]),
        postpone: (all) => all.postpone(account, [`event 2 ${account}`], later),
      },
      { forgettable: forgettableOfWaitingEvents },
    ),
    exercise('createMailbox', createMailbox(connection), {
      keep: (all) => all.keep({ ...(documents['mails']!(sample) as KeptMail), id: 'new' }),
      listing: (all) =>
        readInEveryWay(all.listing(account, `webhook:${sample}`), mailResource, {
          id: 'mail 57',
          createdAt: moment(57),
        }),
    }),
    exercise('createSequence', createSequence(connection), {
      next: (sequence) => sequence.next('sequence 5'),
      draw: (sequence) => sequence.draw('sequence 7'),
      reserve: (sequence) => sequence.reserve('sequence 6', 10),
    }),
    exerciseOfPresence(connection),
    exerciseOfIdempotentCalls(connection),
    exercise(
      'createOutboxStore',
      createOutboxStore(connection),
      {
        countWaiting: (all) => all.countWaiting('webhooks'),
        isDue: (all) => all.isDue('webhooks', now, gone),
        claim: (all) => all.claim('webhooks', now, gone, lease),
        claimSome: (all) => all.claimSome('webhooks', now, gone, lease, 20),
        async settle(all) {
          await all.settle({ ...leased, documentId: 40 }, ['m40']);
          await all.settle(leased, ['another']);
        },
        postpone: (all) => all.postpone(leased, ['another'], later),
      },
      { forgettable: forgettableOfOutboxes },
    ),
  ];
}

export const repositories: Repositories = {
  folder: join(__dirname, '..'),
  exercises,
  ensureIndexes: (connection) => ensureOutboxIndexes(connection, ['webhooks', 'webhook_policies']),
  fill,
  composed: [],
};
