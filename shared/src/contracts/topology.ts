import type { Contract, Queue } from './contract';
import { attemptFinished, attemptsFinished, deliveryRequested, skippedRedelivered, webhookStopped } from './deliveries';
import { accountSaved, personSaved } from './directory';
import { peopleRowsImported, peopleRowsRead } from './imports';
import { recordChanged } from './records';
import { extensionActivated } from './ui-extensions';
import { policySaved } from './webhook-policies';

const queue = (name: string, ...contracts: readonly Contract<unknown>[]): Queue => ({ name, contracts });

/** All queues. Every process declares all of them, so that no message depends on the start order. */
export const queues = {
  fanOut: queue('webhooks.fan-out', recordChanged),
  webhookDirectory: queue('webhooks.directory', accountSaved, personSaved),
  attemptResults: queue('webhooks.attempt-results', attemptFinished),
  attemptBatches: queue('webhooks.attempt-batches', attemptsFinished),
  recordDirectory: queue('graph.directory', accountSaved, personSaved),
  recordForms: queue('graph.forms', extensionActivated),
  peopleImports: queue('auth.people-imports', peopleRowsRead),
  peopleImportResults: queue('graph.people-import-results', peopleRowsImported),
  deliveries: queue('webhook-delivery.deliveries', deliveryRequested, webhookStopped, skippedRedelivered),
  signingPolicies: queue('webhook-delivery.policies', policySaved),
} as const;

export const allQueues: readonly Queue[] = Object.values(queues);
