import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { PolicyService } from './policy.service';

/** Has the keys of policies cared for again and again. */
export interface KeyCaretaker {
  start(): void;
  /** Finishes the round at work. */
  stop(): Promise<void>;
}

export function createKeyCaretaker(
  policies: Pick<PolicyService, 'care'>,
  logger: Logger,
  everyMilliseconds: number,
): KeyCaretaker {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  const care = (): void => {
    round ??= policies
      .care()
      .catch((error: unknown) => logger.warn('webhook policy keys not cared for', { error }))
      .finally(() => (round = undefined));
  };
  return {
    start() {
      care();
      timer = setInterval(care, everyMilliseconds);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}
