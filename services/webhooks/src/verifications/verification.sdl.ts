import { webhookPayload } from '../webhooks/webhook.sdl';

/** Verifications sent again, and links to the page of a webhook. */
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
