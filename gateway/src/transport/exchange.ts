import type { Dispatcher, Pool } from 'undici';

/** The whole of an answer. */
export interface Answer {
  readonly status: number;
  readonly body: Uint8Array;
}

export interface Post {
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string;
  readonly deadlineMilliseconds: number;
  /** Ends the call before its deadline. */
  readonly signal?: AbortSignal | undefined;
}

/** Posts a body and gathers the answer, without the streams of `request`; rejects when it is not complete in time. */
export const post = (pool: Pool, { path, headers, body, deadlineMilliseconds, signal }: Post): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let controller: Dispatcher.DispatchController | undefined;
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    // The closed connection shows the service that no client waits, and it ends its reads.
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
          // The client disconnected before a connection was free.
          if (signal?.aborted) given.abort(signal.reason as Error);
        },
        onResponseStart: (_controller, statusCode) => (status = statusCode),
        onResponseData: (_controller, chunk) => chunks.push(chunk),
        onResponseEnd: () => {
          settle();
          const [only] = chunks;
          resolve({ status, body: only && chunks.length === 1 ? only : Buffer.concat(chunks) });
        },
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });

/** Whether an answer was given up because it was longer than the pool takes. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
