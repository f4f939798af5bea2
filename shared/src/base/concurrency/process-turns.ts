import { createLoopTurns } from './loop-turns';
import { presentCall } from './present-call';
import type { PresentCall } from './present-call';

/** Steps of a call that need no wait; few calls have more. */
const stepsAtOnce = 20;

/** By call: the number of steps taken, and of waiting ones. */
const progress = new WeakMap<PresentCall, { taken: number; waiting: number }>();

function progressOf(call: PresentCall) {
  const known = progress.get(call) ?? { taken: 0, waiting: 0 };
  progress.set(call, known);
  return known;
}

const turns = createLoopTurns();

/**
 * Ends a step of the current call's work in this process. Beyond the first steps, each one waits for its own turn of
 * the event loop, round-robin over accounts. So an answer of a hundred thousand objects delays other calls by one step
 * at most. Rejects with the reason of the call's signal when the client has disconnected.
 */
export async function takeTurn(): Promise<void> {
  const call = presentCall();
  if (!call) return;
  const steps = progressOf(call);
  steps.taken += 1;
  if (steps.taken <= stepsAtOnce) return;
  steps.waiting += 1;
  await turns.wait(call.accountId);
  steps.waiting -= 1;
  call.signal?.throwIfAborted();
}

/** Resolves when all current steps of the call are done, so that their requests can be fetched in one batch. */
export async function stepsTaken(): Promise<void> {
  const call = presentCall();
  do await new Promise((resolve) => setImmediate(resolve));
  while (call && progressOf(call).waiting > 0);
}
