import type { Logger } from '@itsm/shared/logs/logger';
import type { Clock } from '@itsm/shared/time/clock';
import { graceMilliseconds } from './token';
import type { TokenRepository } from './token.repository';

interface Dependencies {
  readonly tokens: TokenRepository;
  readonly logger: Logger;
  readonly now: Clock;
}

const everyMilliseconds = 10_000;

/** Wipes sealed successors whose grace has ended. They open to nobody by then; this is so that none lies about. */
export function createSuccessorSweeper({ tokens, logger, now }: Dependencies) {
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  const sweep = (): Promise<void> =>
    tokens
      .wipeSuccessorsBefore(new Date(now().getTime() - graceMilliseconds))
      .catch((error: unknown) => logger.warn('sealed successors not wiped', { error }));

  return {
    start(): void {
      timer = setInterval(() => {
        sweeping = sweep();
      }, everyMilliseconds);
      timer.unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await sweeping;
    },
  };
}
