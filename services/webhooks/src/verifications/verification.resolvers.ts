import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { webhookPayload } from '../webhooks/webhook.sdl';
import { callingPerson } from '../webhooks/webhook.http';
import type { ResendDependencies } from './resend.routes';

export const verificationTypeDefs = /* GraphQL */ `
  extend type Mutation {
    "Sends webhook.verify again with a fresh code, within 24 hours after the address was given."
    webhookVerify(input: WebhookIdInput!): WebhookVerifyPayload
    "Makes a link to a page of the webhook for a browser, good for an hour."
    webhookPage(input: WebhookIdInput!): WebhookPagePayload
  }

  ${webhookPayload('WebhookVerifyPayload')}
  ${webhookPayload('WebhookPagePayload', 'url: String\n    expiresAt: ISO8601Timestamp')}
`;

/** Resolvers that resend a verification and make links to the page of a webhook. */
export function createVerificationResolvers(dependencies: ResendDependencies) {
  const { webhooks, verifications, links, addresses, nodeIdDomain } = dependencies;
  const { idOf, mutation } = nodeResolvers({ type: 'Webhook', nodeIdDomain, restNames: {} });

  return {
    Mutation: {
      webhookVerify: mutation<IdInput>('webhook:Update', async ({ id }, caller) => {
        await verifications.resend(caller.accountId, idOf(id), callingPerson(caller, addresses));
        return { webhook: await webhooks.find(caller.accountId, idOf(id)) };
      }),
      webhookPage: mutation<IdInput>('webhook:Update', async ({ id }, caller) => {
        const webhook = await webhooks.find(caller.accountId, idOf(id));
        return { webhook, ...links.create(caller.accountId, webhook.id, callingPerson(caller, addresses)) };
      }),
    },
  };
}
