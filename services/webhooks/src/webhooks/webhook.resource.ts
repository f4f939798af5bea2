import { declaredResource } from '@itsm/shared/declared/declared.resource';
import type { Derivations } from '@itsm/shared/declared/declared.resource';
import type { Addresses } from './addresses';
import { stateOf, wouldBeDisabledAt } from './webhook';
import type { Webhook } from './webhook';
import { webhookType } from './webhook-type';

/** What presenting a webhook needs besides the webhook: addresses, and the names of the account's policies. */
export interface WebhookView extends Addresses {
  readonly policyNames: ReadonlyMap<number, string>;
}

/** What both edges show of a webhook beside its own fields. */
export const webhookDerivations: Derivations<typeof webhookType, Webhook, unknown> = {
  state: stateOf,
  lastError: ({ lastError }) => lastError,
  consecutiveFailures: ({ streak }) => streak.count,
  failingSince: ({ streak }) => streak.startedAt,
  wouldBeDisabledAt,
  warningPercent: ({ streak }) => streak.warned || null,
};

/** The REST form of a webhook; the password in its address is masked. */
export const webhookResource = declaredResource<typeof webhookType, Webhook, WebhookView>(
  webhookType,
  webhookDerivations,
  {
    webhookPolicy: ({ webhookPolicyId: id }, { policyNames }) =>
      id === null ? null : { id, name: policyNames.get(id) ?? null },
  },
);
