import type { Addresses } from '../webhooks/addresses';
import type { Webhook } from '../webhooks/webhook';
import { webhookTools } from '../webhooks/webhook-tools';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import type { WebhookService } from '../webhooks/webhook.service';
import type { EventDescriber } from './event-description';
import type { SkippedService } from './skipped.service';
import type { TestSender } from './test-delivery.service';

interface Dependencies {
  readonly webhooks: Pick<WebhookService, 'find'>;
  readonly sendTest: TestSender;
  readonly skipped: SkippedService;
  readonly describe: EventDescriber;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

interface Period {
  readonly from?: Date | null;
  readonly until?: Date | null;
}

type PeriodInput = IdInput & Period;

/** Resolvers of test deliveries and skipped deliveries. */
export function createDeliveryResolvers({
  webhooks,
  sendTest,
  skipped,
  describe,
  addresses,
  nodeIdDomain,
}: Dependencies) {
  const { idOf, read, mutation, personOf } = webhookTools({ addresses, nodeIdDomain });
  const period = ({ from, until }: Period) => ({ ...(from && { from }), ...(until && { until }) });

  return {
    Query: {
      webhookEvents: read.field((_parent: unknown, _args: unknown, { caller }) =>
        describe(caller.accountId, personOf(caller)),
      ),
    },
    Mutation: {
      webhookTest: mutation<IdInput>('webhook:Update', async ({ id }, caller) => {
        await sendTest(caller.accountId, idOf(id), personOf(caller));
        return { webhook: await webhooks.find(caller.accountId, idOf(id)) };
      }),
      webhookRedeliverSkipped: mutation<PeriodInput>('webhook:Update', async ({ id, ...ends }, { accountId }) => ({
        skipped: await skipped.redeliver(accountId, idOf(id), { preview: false, ...period(ends) }),
        webhook: await webhooks.find(accountId, idOf(id)),
      })),
    },
    Webhook: {
      skipped: read.field(({ id }: Webhook, ends: Period, { caller }) =>
        skipped.redeliver(caller.accountId, id, { preview: true, ...period(ends) }),
      ),
    },
    WebhookSkipped: {
      firstSkippedAt: ({ first }: { readonly first: Date | null }) => first,
      lastSkippedAt: ({ last }: { readonly last: Date | null }) => last,
    },
  };
}
