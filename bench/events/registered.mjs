/** One webhook with unsigned calls, and one whose calls are signed with ES256. */
export const webhooks = {
  plain: { webhookId: 1, event: 'request.create', webhookPolicyId: null },
  signed: { webhookId: 2, event: 'request.update', webhookPolicyId: 1 },
};
