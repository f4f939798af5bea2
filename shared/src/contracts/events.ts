import { recordKinds } from './record-kinds';
import type { RecordKindName, RecordKinds } from './record-kinds';

type Kinds = typeof recordKinds;

/** `request.create`, `project_task.status-changed`, … (spec: Events). */
export type RecordEventName = { [K in RecordKindName]: `${K}.${Kinds[K]['events'][number]}` }[RecordKindName];

export const eventNamesOf = (kinds: RecordKinds): readonly RecordEventName[] =>
  Object.entries(kinds).flatMap(([name, { events }]) => events.map((action) => `${name}.${action}` as RecordEventName));

/** Every event that a record can cause. */
export const recordEventNames = eventNamesOf(recordKinds);

/**
 * Whether a webhook can be registered for the event: `webhook.verify` is sent to every webhook and cannot be chosen.
 */
export const isRecordEvent = (name: string): name is RecordEventName =>
  recordEventNames.includes(name as RecordEventName);
