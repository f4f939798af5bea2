import type { MessagePort } from 'node:worker_threads';
import { goLast } from '../../base/concurrency/idle-thread';
import { duringCall } from '../../base/concurrency/present-call';
import { AppError } from '../../base/errors/app-error';
import type { Logger } from '../../observing/logs/logger';
import type { FromLargeQueries, ToLargeQueries } from './large-query';
import type { Subgraph } from './subgraph';

/** A logger that forwards lines to the main thread. */
export function loggerThrough(port: MessagePort): Logger {
  const log =
    (level: keyof Logger) =>
    (message: string, facts: object = {}): void =>
      port.postMessage({ kind: 'log', level, message, facts } satisfies FromLargeQueries);
  return { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') };
}

/** Runs in the thread: answers queries that arrive on `port` with `subgraph`, which must be started. */
export function serveLargeQueries(port: MessagePort, subgraph: Pick<Subgraph, 'answer'>): void {
  const leaving = new Map<number, AbortController>();
  goLast();

  async function answer({ id, query, milliseconds }: ToLargeQueries & { kind: 'answer' }): Promise<void> {
    const departure = new AbortController();
    leaving.set(id, departure);
    const until = performance.now() + milliseconds;
    const left = (): number => Math.max(1, Math.ceil(until - performance.now()));
    const { accountId } = query.context.caller;
    try {
      const call = { accountId, left, signal: departure.signal };
      const { status, text } = await duringCall(call, () => subgraph.answer(query));
      const body = new TextEncoder().encode(text);
      port.postMessage({ kind: 'answered', id, status, body } satisfies FromLargeQueries, [body.buffer]);
    } catch (error) {
      port.postMessage({ kind: 'failed', id, error } satisfies FromLargeQueries);
    } finally {
      leaving.delete(id);
    }
  }

  port.on('message', (message: ToLargeQueries) => {
    if (message.kind === 'answer') void answer(message);
    else leaving.get(message.id)?.abort(new AppError('service_unavailable', 'Nobody waits for the answer'));
  });
}
