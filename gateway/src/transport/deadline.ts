/** When a call has to be answered: each step on its way gets what the steps before it have left. */
export interface Deadline {
  /** Milliseconds, 1 at least: a late start still has to end. */
  left(): number;
}

export function deadlineIn(milliseconds: number): Deadline {
  const at = performance.now() + milliseconds;
  return { left: () => Math.max(1, Math.ceil(at - performance.now())) };
}
