import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
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
  const { mayRead } = webhookTools({ addresses, nodeIdDomain });
  return {
    Webhook: {
      explain: async ({ id }: Webhook, { eventId }: { readonly eventId: string }, { caller }: SubgraphContext) =>
        explain(mayRead(caller), id, eventId.slice(0, longestEventId)),
    },
  };
}
