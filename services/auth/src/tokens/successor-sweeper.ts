import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { TokenRepository } from './token.repository';

interface Dependencies {
  readonly tokens: TokenRepository;
  /** How long the predecessor of a refresh token still yields the same successors. */
  readonly graceMilliseconds: number;
  readonly logger: Logger;
  readonly now: Clock;
}

const everyMilliseconds = 10_000;

/** Wipes sealed successors whose grace has ended. No request opens them by then; this keeps them from lying about. */
export function createSuccessorSweeper({ tokens, graceMilliseconds, logger, now }: Dependencies) {
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  const sweep = (): void => {
    sweeping = tokens
      .wipeSuccessorsBefore(new Date(now().getTime() - graceMilliseconds))
      .catch((error: unknown) => logger.warn('sealed successors not wiped', { error }));
  };

  return {
    start(): void {
      sweep();
      timer = setInterval(sweep, everyMilliseconds);
      timer.unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await sweeping;
    },
  };
}
