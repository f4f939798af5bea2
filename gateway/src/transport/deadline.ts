/** The deadline of a call; each step gets the time that earlier steps have left. */
export interface Deadline {
  /** In milliseconds, at least 1, since a timeout of 0 would mean none. */
  left(): number;
}

export function deadlineIn(milliseconds: number): Deadline {
  const at = performance.now() + milliseconds;
  return { left: () => Math.max(1, Math.ceil(at - performance.now())) };
}
