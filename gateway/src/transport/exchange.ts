import { replayedHeader } from '@itsm/shared/api/http/idempotency-key';
import type { Dispatcher, Pool } from 'undici';

/** A complete answer. */
export interface Answer {
  readonly status: number;
  /** Whether it repeats an earlier one. */
  readonly isReplayed: boolean;
  readonly body: Uint8Array;
}

export interface Post {
  readonly path: string;
  /** Names and values alternate. */
  readonly headers: string[];
  readonly body: string;
  readonly deadlineMilliseconds: number;
  /** Aborts the call before its deadline. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Posts a body and buffers the answer, without the streams of `request`; rejects when the answer is not complete by the
 * deadline.
 */
export const post = (pool: Pool, { path, headers, body, deadlineMilliseconds, signal }: Post): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let isReplayed = false;
    let controller: Dispatcher.DispatchController | undefined;
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    // Closing the connection makes the service notice that no client waits, so it stops its reads.
    const giveUp = (error: Error): void => {
      controller?.abort(error);
      fail(error);
    };
    const leave = (): void => giveUp(signal?.reason as Error);
    const timer = setTimeout(() => giveUp(new Error('no answer in time')), deadlineMilliseconds);
    if (signal?.aborted) {
      leave();
      return;
    }
    signal?.addEventListener('abort', leave);
    pool.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart: (given) => {
          controller = given;
          // The client disconnected while the call waited for a connection.
          if (signal?.aborted) given.abort(signal.reason as Error);
        },
        onResponseStart(_controller, statusCode, headers) {
          status = statusCode;
          isReplayed = headers[replayedHeader] !== undefined;
        },
        onResponseData: (_controller, chunk) => chunks.push(chunk),
        onResponseEnd: () => {
          settle();
          const [only] = chunks;
          resolve({ status, isReplayed, body: only && chunks.length === 1 ? only : Buffer.concat(chunks) });
        },
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });

/** Whether a call failed because the answer was larger than the pool accepts. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
