import { webhookTools } from '../webhooks/webhook-tools';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import type { ResendDependencies } from './resend.routes';

/** Verifications sent again, and links to the page of a webhook. */
export function createVerificationResolvers(dependencies: ResendDependencies) {
  const { webhooks, verifications, links, addresses, nodeIdDomain } = dependencies;
  const { idOf, mutation, personOf } = webhookTools({ addresses, nodeIdDomain });

  return {
    Mutation: {
      webhookVerify: mutation<IdInput>('webhook:Update', async ({ id }, caller) => {
        await verifications.resend(caller.accountId, idOf(id), personOf(caller));
        return { webhook: await webhooks.find(caller.accountId, idOf(id)) };
      }),
      webhookPage: mutation<IdInput>('webhook:Update', async ({ id }, caller) => {
        const webhook = await webhooks.find(caller.accountId, idOf(id));
        return { webhook, ...links.create(caller.accountId, webhook.id, personOf(caller)) };
      }),
    },
  };
}
