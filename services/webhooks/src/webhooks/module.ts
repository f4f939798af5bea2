import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Edits } from '@itsm/shared/declared/edits';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { describe } from '@itsm/shared/declared/describe';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import type { KeyRing } from '@itsm/shared/stores/reseal/reseal';
import type { Addresses } from './addresses';
import { createWebhookChanger } from './change-webhook';
import type { WebhookChanger } from './change-webhook';
import { callingPerson } from './webhook.http';
import type { Webhook } from './webhook';
import { createUriVault } from './uri-vault';
import { webhookTypeFor } from './webhook-type';
import { createNoticeRepository } from './webhook-notice.repository';
import type { NoticeRepository } from './webhook-notice.repository';
import { createFailureStreakRepository } from './webhook-streak.repository';
import type { FailureStreakRepository } from './webhook-streak.repository';
import { createWebhookRepository } from './webhook.repository';
import type { WebhookRepository } from './webhook.repository';
import { createWebhookResolvers } from './webhook.resolvers';
import { createWebhookRouter } from './webhook.routes';
import { webhookTypeDefs } from './webhook.sdl';
import { createWebhookService } from './webhook.service';
import type { SigningCheck, VerificationRequester, WebhookService } from './webhook.service';

export { createAddresses } from './addresses';
export { webhooksCollection } from './webhook.repository';

/** The part of the policies module that webhooks need. */
export interface WebhookPolicies {
  readonly checkSigning: SigningCheck;
  /** The names of the account's policies by id. */
  policyNames(accountId: string): Promise<ReadonlyMap<number, string>>;
}

interface Needs {
  /** The keys seal addresses at rest. */
  readonly settings: { readonly deliveryKeys: KeyRing; readonly allowInsecureReceivers: boolean };
  readonly addresses: Addresses;
  readonly kinds: RecordKinds;
  readonly policies: WebhookPolicies;
  readonly requestVerification: VerificationRequester;
}

export interface Webhooks extends Module {
  readonly service: WebhookService;
  readonly store: WebhookRepository;
  readonly change: WebhookChanger;
  readonly streaks: FailureStreakRepository;
  readonly notices: NoticeRepository;
}

export function createWebhooks(platform: MessagingPlatform, needs: Needs): Webhooks {
  const { connection, logger, now, baseUrl, nodeIdDomain, nudge } = platform;
  const { settings, addresses, kinds, policies, requestVerification } = needs;
  const vault = createUriVault(settings.deliveryKeys);
  const store = createWebhookRepository(connection, vault);
  const notices = createNoticeRepository(connection, vault);
  const change = createWebhookChanger({ webhooks: store, nudge, now });
  const service = createWebhookService({
    webhooks: store,
    change,
    checkSigning: policies.checkSigning,
    requestVerification,
    nudge,
    logger,
    now,
  });
  const type = webhookTypeFor({ allowInsecureReceivers: settings.allowInsecureReceivers, kinds });
  const policyNames = (accountId: string) => policies.policyNames(accountId);
  const personOf = (caller: Caller) => callingPerson(caller, addresses);
  const edits: Edits<typeof type, Webhook> = {
    list: ({ accountId }) => service.listing(accountId),
    find: ({ accountId }, id) => service.find(accountId, id),
    create: (caller, given) => service.register(caller.accountId, given, personOf(caller)),
    update: (caller, id, given, check) =>
      service.update(caller.accountId, id, given, { person: personOf(caller), check }),
    remove: ({ accountId }, id, check) => service.remove(accountId, id, check),
  };
  const api = { webhooks: service, type, edits, addresses, policyNames, baseUrl, nodeIdDomain };
  return {
    service,
    store,
    change,
    streaks: createFailureStreakRepository(connection),
    notices,
    sdl: mutationTypeDefs + webhookTypeDefs,
    resolvers: createWebhookResolvers(api),
    types: [describe(type, ['delete'])],
    routes: [{ path: '/v1/webhooks', access: 'caller', router: createWebhookRouter(api) }],
    stores: [store, notices],
  };
}
