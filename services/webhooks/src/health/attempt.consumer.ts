import { on } from '@itsm/shared/messages/broker/broker';
import type { Handler } from '@itsm/shared/messages/broker/broker';
import { attemptFinished } from '@itsm/shared/contracts/deliveries';
import type { AttemptFinished } from '@itsm/shared/contracts/deliveries';

/** Idempotent by delivery and attempt number. */
export const attemptHandlers = (takeNotice: (attempt: AttemptFinished) => Promise<void>): readonly Handler[] => [
  on(attemptFinished, takeNotice),
];
