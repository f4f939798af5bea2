import { on } from '@itsm/shared/messages/broker/broker';
import type { Handler } from '@itsm/shared/messages/broker/broker';
import { recordChanged } from '@itsm/shared/contracts/records';
import type { RecordChanged } from '@itsm/shared/contracts/records';

/** Idempotent by event and webhook: a repeat asks for the same deliveries under the same ids. */
export const fanOutHandlers = (fanOut: (change: RecordChanged) => Promise<void>): readonly Handler[] => [
  on(recordChanged, fanOut),
];
