import type { Addresses } from '../webhooks/addresses';
import type { Webhook } from '../webhooks/webhook';
import { webhookTools } from '../webhooks/webhook-tools';
import { longestEventId } from './explanation';
import type { Explainer } from './explanation.service';

interface Dependencies {
  readonly explain: Explainer;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

/** Why a webhook was called for an event, or was not. */
export function createExplanationResolvers({ explain, addresses, nodeIdDomain }: Dependencies) {
  const { read } = webhookTools({ addresses, nodeIdDomain });
  return {
    Webhook: {
      explain: read.field(({ id }: Webhook, { eventId }: { readonly eventId: string }, { caller }) =>
        explain(caller.accountId, id, eventId.slice(0, longestEventId)),
      ),
    },
  };
}
