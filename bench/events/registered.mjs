/** One webhook whose calls are not signed, and one whose calls are signed by ES256. */
export const webhooks = {
  plain: { webhookId: 1, event: 'request.create', webhookPolicyId: null },
  signed: { webhookId: 2, event: 'request.update', webhookPolicyId: 1 },
};
