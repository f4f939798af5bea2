/// <reference types="jest" />
import { ApiError } from './errors';
import { patiently } from './patiently';

const tooFast = (seconds: number) => new ApiError({ kind: 'too_fast', message: 'Too many requests', seconds });

/** A call that fails with each of the errors in turn, and how long was waited between its tries. */
function calls(...errors: readonly Error[]) {
  const waits: number[] = [];
  const left = [...errors];
  const send = (): Promise<string> => {
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve('done');
  };
  const rest = (seconds: number): Promise<void> => {
    waits.push(seconds);
    return Promise.resolve();
  };
  return { answer: patiently(send, rest), waits };
}

test('a call that meets a full window is sent again when the window is over', async () => {
  const { answer, waits } = calls(tooFast(2), tooFast(30));
  expect(await answer).toBe('done');
  expect(waits).toEqual([2, 30]);
});

test.each([
  ['a window that is full for long', tooFast(31)],
  ['another refusal', new ApiError({ kind: 'stale', message: 'Changed' })],
])('%s is not waited for', async (_what, error) => {
  const { answer, waits } = calls(error);
  await expect(answer).rejects.toBe(error);
  expect(waits).toEqual([]);
});
