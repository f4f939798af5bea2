import { describe } from '@itsm/shared/declared/describe';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Edits } from '@itsm/shared/declared/edits';
import type { MessagingPlatform, Module, Runner } from '@itsm/shared/running/module';
import type { Addresses } from '../webhooks/addresses';
import type { WebhookPolicies } from '../webhooks/module';
import { createDiscoveryRouter } from './discovery.routes';
import { createKeyGenerator } from './key-generator';
import { policyType } from './policy';
import { authorOf } from './policy-changes';
import { createPolicyUse } from './policy-use.repository';
import { createPolicyRepository } from './policy.repository';
import { createPolicyResolvers } from './policy.resolvers';
import { createPolicyRouter } from './policy.routes';
import { policyTypeDefs } from './policy.sdl';
import { createPolicyService } from './policy.service';
import type { PolicyService, PolicyWithKey } from './policy.service';
import { createSigningCheck } from './webhook-signing';

export { policiesCollection } from './policy.repository';

interface Needs {
  readonly addresses: Addresses;
  /** Interval of key rotation and clean-up. */
  readonly careMilliseconds: number;
}

export function createPolicies(
  platform: MessagingPlatform,
  { addresses, careMilliseconds }: Needs,
): Module & WebhookPolicies {
  const { connection, logger, now, baseUrl, nodeIdDomain, sealer, nudge } = platform;
  const store = createPolicyRepository(connection);
  const policies = createPolicyService({
    policies: store,
    generateKey: createKeyGenerator(sealer),
    usersOf: createPolicyUse(connection),
    addresses,
    nudge,
    logger,
    now,
  });
  const edits: Edits<typeof policyType, PolicyWithKey> = {
    list: ({ accountId }) => policies.listing(accountId),
    find: ({ accountId }, id) => policies.find(accountId, id),
    create: (caller, given) => policies.create(caller.accountId, given, authorOf(caller)),
    once: ({ issued = {} }) => issued,
    update: (caller, id, given, check) => policies.update(caller.accountId, id, given, authorOf(caller), check),
    remove: ({ accountId }, id, check) => policies.remove(accountId, id, check),
  };
  const api = { policies, edits, addresses, baseUrl, nodeIdDomain, now };
  return {
    checkSigning: createSigningCheck(store),
    policyNames: (accountId) => store.names(accountId),
    sdl: policyTypeDefs,
    resolvers: createPolicyResolvers(api),
    types: [describe(policyType)],
    routes: [
      { path: '/v1/webhook_policies', access: 'caller', router: createPolicyRouter(api) },
      { path: '/', access: 'public', router: createDiscoveryRouter({ policies: store, addresses, now }) },
    ],
    stores: [store],
    runners: [createKeyCaretaker(policies, logger, careMilliseconds)],
  };
}

/** Rotates and prunes keys at a fixed interval. Stopping waits for the round in progress. */
function createKeyCaretaker(policies: Pick<PolicyService, 'care'>, logger: Logger, everyMilliseconds: number): Runner {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  const care = (): void => {
    round ??= policies
      .care()
      .catch((error: unknown) => logger.warn('keys of webhook policies could not be maintained', { error }))
      .finally(() => (round = undefined));
  };
  return {
    start() {
      care();
      timer = setInterval(care, everyMilliseconds);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}
