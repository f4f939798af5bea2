import { z } from 'zod';
import type { Contract } from './contract';

export const deliveryRequestedSchema = z.object({
  /** UUID derived from event id and webhook id, so that a retry is the same delivery (idempotent). */
  deliveryId: z.uuid(),
  eventId: z.string(),
  accountId: z.string(),
  webhookId: z.int(),
  event: z.string(),
  /** The record of the event; absent when the event has none. */
  objectId: z.int().optional(),
  /** Test deliveries do not count for the failure streak. */
  test: z.boolean(),
  at: z.iso.datetime(),
  /** Set when the webhook was in this state at the time of the event; the delivery is stored but not sent. */
  skipped: z.enum(['unverified', 'disabled']).optional(),
  /**
   * `sealedRequest` as JSON, sealed under the delivery key with `deliveryId` as context, since URLs and callback codes
   * are secrets.
   */
  sealed: z.string(),
});
export type DeliveryRequested = z.infer<typeof deliveryRequestedSchema>;

/**
 * The sealed part of a requested delivery, as JSON. `body` is sent unchanged or signed; `link` is the `Link` header.
 */
export const sealedRequest = z.object({
  uri: z.string(),
  body: z.string(),
  link: z.string().nullable(),
  /** Set when every attempt sends the body signed by this policy; `discovery` selects the `iss` claim. */
  signing: z.object({ policyId: z.int(), discovery: z.boolean() }).optional(),
});
export type SealedRequest = z.infer<typeof sealedRequest>;

export const attemptFinishedSchema = z.object({
  deliveryId: z.uuid(),
  attempt: z.int().min(1),
  accountId: z.string(),
  webhookId: z.int(),
  test: z.boolean(),
  at: z.iso.datetime(),
  outcome: z.enum(['delivered', 'failed']),
  /** `receiver` counts for the webhook's failure streak, `ours` does not. */
  fault: z.enum(['receiver', 'ours']).nullable(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  /** Whether this was the last attempt. */
  final: z.boolean(),
  nextAttemptAt: z.iso.datetime().nullable().optional(),
});
export type AttemptFinished = z.infer<typeof attemptFinishedSchema>;

/** Attempts that ended at about the same time, batched. */
export const attemptsFinishedSchema = z.object({ attempts: z.array(attemptFinishedSchema) });
export type AttemptsFinished = z.infer<typeof attemptsFinishedSchema>;

export const webhookStoppedSchema = z.object({
  accountId: z.string(),
  webhookId: z.int(),
  at: z.iso.datetime(),
  reason: z.enum(['disabled', 'deleted', 'uri_changed', 'verified', 'verification_replaced']),
  /** When set, only deliveries of this event are affected. */
  event: z.string().optional(),
});
export type WebhookStopped = z.infer<typeof webhookStoppedSchema>;

export const skippedRedeliveredSchema = z.object({
  redeliveryId: z.uuid(),
  accountId: z.string(),
  webhookId: z.int(),
  at: z.iso.datetime(),
  /** The skipped deliveries that were requested from `from` to `until`, inclusive. */
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  /** `sealedTarget` as JSON, sealed under the delivery key with `redeliveryId` as context. */
  sealed: z.string(),
});
export type SkippedRedelivered = z.infer<typeof skippedRedeliveredSchema>;

/** The current target of skipped deliveries, as JSON: a sealed request without its body and link. */
export const sealedTarget = sealedRequest.omit({ body: true, link: true });
export type SealedTarget = z.infer<typeof sealedTarget>;

export const deliveryRequested: Contract<DeliveryRequested> = {
  name: 'webhooks.delivery.requested.v1',
  schema: deliveryRequestedSchema,
};
export const attemptFinished: Contract<AttemptFinished> = {
  name: 'webhook-delivery.attempt.finished.v1',
  schema: attemptFinishedSchema,
};
/** The results of successful attempts, batched. */
export const attemptsFinished: Contract<AttemptsFinished> = {
  name: 'webhook-delivery.attempts.finished.v1',
  schema: attemptsFinishedSchema,
};
/** Cancels deliveries of the webhook that were requested before `at`, including those whose message arrives later. */
export const webhookStopped: Contract<WebhookStopped> = {
  name: 'webhooks.webhook.stopped.v1',
  schema: webhookStoppedSchema,
};
/** Sends skipped deliveries of the webhook after all. */
export const skippedRedelivered: Contract<SkippedRedelivered> = {
  name: 'webhooks.skipped.redelivered.v1',
  schema: skippedRedeliveredSchema,
};
