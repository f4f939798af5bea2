import type { Dispatcher, Pool } from 'undici';

/** The whole of an answer. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Post {
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string;
  readonly deadlineMilliseconds: number;
}

/** Posts a body and gathers the answer, without the streams of `request`; rejects when it is not complete in time. */
export const post = (pool: Pool, { path, headers, body, deadlineMilliseconds }: Post): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let controller: Dispatcher.DispatchController | undefined;
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => {
      const error = new Error('no answer in time');
      controller?.abort(error);
      fail(error);
    }, deadlineMilliseconds);
    pool.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart: (given) => (controller = given),
        onResponseStart: (_controller, statusCode) => (status = statusCode),
        onResponseData: (_controller, chunk) => chunks.push(chunk),
        onResponseEnd: () => {
          clearTimeout(timer);
          resolve({ status, text: (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? '' });
        },
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });

/** Whether an answer was given up because it was longer than the pool takes. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
