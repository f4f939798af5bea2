import type { Logger } from '../observing/logs/logger';
import { AppError } from '../base/errors/app-error';
import { ConfigError } from '../base/config/parse-config';
import type { Closable } from './app';

const hardStopMilliseconds = 42_000;

/**
 * Closes everything in order on SIGTERM or SIGINT, then exits 0; exits 1 when that takes longer than 42 s. An uncaught
 * error does the same with exit 1, since the state of the process is unknown. Returns a function that triggers it with
 * another exit code.
 */
export function stopOnSignal(logger: Logger, closables: readonly Closable[]): (code: number) => void {
  let stopping = false;
  const stop = (code: number): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), hardStopMilliseconds).unref();
    void closeInOrder(logger, closables).then(() => process.exit(code));
  };
  const stopOn = (signal: string): void => {
    logger.info('stopping', { signal });
    stop(0);
  };
  const fail = (error: unknown): void => {
    logger.error('stopping because of an error that was not caught', { error });
    stop(1);
  };
  process.on('SIGTERM', stopOn);
  process.on('SIGINT', stopOn);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  return stop;
}

async function closeInOrder(logger: Logger, closables: readonly Closable[]): Promise<void> {
  for (const closable of closables) {
    try {
      await closable.close();
    } catch (error) {
      logger.error('close failed', { error });
    }
  }
}

/** Runs a process entry point. A bad setting or a failure prints plain sentences after `failed`, and exits 1. */
export function runMain(main: () => Promise<void>, failed = 'Could not start'): void {
  main().catch((error: unknown) => {
    const text = error instanceof ConfigError ? error.message : `${failed}: ${sentenceOf(error)}`;
    process.stderr.write(`${text}\n`, () => process.exit(1));
  });
}

/** The message of a refusal is for callers; to whom starts the process its cause says more. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return error instanceof AppError && cause !== undefined ? `${message}: ${sentenceOf(cause)}` : message;
}
