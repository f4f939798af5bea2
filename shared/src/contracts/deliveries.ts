import { z } from 'zod';
import type { Contract } from './contract';

export const deliveryRequestedSchema = z.object({
  /** UUID derived from event id and webhook id, so that a repeat is the same delivery. */
  deliveryId: z.uuid(),
  eventId: z.string(),
  accountId: z.string(),
  webhookId: z.int(),
  event: z.string(),
  /** The record of the event; absent when the event has none, and in messages of an earlier release. */
  objectId: z.int().optional(),
  /** Test deliveries count for no failure streak. */
  test: z.boolean(),
  at: z.iso.datetime(),
  /** Present: the webhook was in this state when the event happened; the delivery is kept and not made. */
  skipped: z.enum(['unverified', 'disabled']).optional(),
  /** `sealedRequest`, sealed under the delivery key with `deliveryId` as context: addresses and callback codes are secrets. */
  sealed: z.string(),
});
export type DeliveryRequested = z.infer<typeof deliveryRequestedSchema>;

/** What stands sealed in a requested delivery, as JSON. `body` is sent as it is, or signed; `link` is the `Link` header. */
export const sealedRequest = z.object({
  uri: z.string(),
  body: z.string(),
  link: z.string().nullable(),
  /** Present: every attempt sends the body signed by this policy; `discovery` picks the claim `iss`. */
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
  /** `receiver`: counts for the webhook's failure streak. `ours`: does not. */
  fault: z.enum(['receiver', 'ours']).nullable(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  /** Whether no other attempt follows. */
  final: z.boolean(),
  nextAttemptAt: z.iso.datetime().nullable().optional(),
});
export type AttemptFinished = z.infer<typeof attemptFinishedSchema>;

/** Attempts that ended at about the same time. */
export const attemptsFinishedSchema = z.object({ attempts: z.array(attemptFinishedSchema) });
export type AttemptsFinished = z.infer<typeof attemptsFinishedSchema>;

export const webhookStoppedSchema = z.object({
  accountId: z.string(),
  webhookId: z.int(),
  at: z.iso.datetime(),
  reason: z.enum(['disabled', 'deleted', 'uri_changed', 'verified', 'verification_replaced']),
  /** Present: only deliveries of this event are meant. */
  event: z.string().optional(),
});
export type WebhookStopped = z.infer<typeof webhookStoppedSchema>;

export const skippedRedeliveredSchema = z.object({
  redeliveryId: z.uuid(),
  accountId: z.string(),
  webhookId: z.int(),
  at: z.iso.datetime(),
  /** The skipped deliveries meant: those that were requested from `from` until `until`, both included. */
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  /** `sealedTarget`, sealed under the delivery key with `redeliveryId` as context. */
  sealed: z.string(),
});
export type SkippedRedelivered = z.infer<typeof skippedRedeliveredSchema>;

/** Where skipped deliveries go now, as JSON: all that is sealed in a request but the text itself. */
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
/** The results of successful attempts, which share messages. */
export const attemptsFinished: Contract<AttemptsFinished> = {
  name: 'webhook-delivery.attempts.finished.v1',
  schema: attemptsFinishedSchema,
};
/** Deliveries of the webhook that were requested before `at` are given up, also those that arrive later than this message. */
export const webhookStopped: Contract<WebhookStopped> = {
  name: 'webhooks.webhook.stopped.v1',
  schema: webhookStoppedSchema,
};
/** Skipped deliveries of the webhook are to be made after all. */
export const skippedRedelivered: Contract<SkippedRedelivered> = {
  name: 'webhooks.skipped.redelivered.v1',
  schema: skippedRedeliveredSchema,
};
