import { createLoopTurns } from './loop-turns';
import { presentCall } from './present-call';
import type { PresentCall } from './present-call';

/** Steps of a call that wait for nobody: few calls have more. */
const stepsAtOnce = 20;

/** Of each call: the steps it has taken, and those that wait. */
const progress = new WeakMap<PresentCall, { taken: number; waiting: number }>();

function progressOf(call: PresentCall) {
  const known = progress.get(call) ?? { taken: 0, waiting: 0 };
  progress.set(call, known);
  return known;
}

const turns = createLoopTurns();

/**
 * Ends a step of the present call's work in this process. Each step of a call with many of them waits for a turn of the event
 * loop of its own, accounts one after the other, so that an answer of a hundred thousand objects holds up nobody for longer than
 * one step takes. Rejects with the reason of the call's signal when nobody waits for the answer any more.
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

/** Resolves when all that the present call does at this moment is done: what its steps ask for until then can be asked for together. */
export async function stepsTaken(): Promise<void> {
  const call = presentCall();
  do await new Promise((resolve) => setImmediate(resolve));
  while (call && progressOf(call).waiting > 0);
}
