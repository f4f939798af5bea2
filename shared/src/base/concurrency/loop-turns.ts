/**
 * Hands out turns of the event loop, round-robin over owners (accounts). One piece of work gets one turn, so that other
 * work runs in between.
 */
export interface LoopTurns {
  /** Takes a turn. Undefined when the current turn is free, so that the caller need not wait. */
  take(owner: string): Promise<void> | undefined;
  /** Waits for a turn after the current one. */
  wait(owner: string): Promise<void>;
}

export function createLoopTurns(): LoopTurns {
  /** The queue of each owner; the insertion order of the `Map` is the round-robin order. */
  const waiting = new Map<string, Set<() => void>>();
  let isTaken = false;

  /** Marks the current turn as used and schedules the next one for the queue. */
  function use(): void {
    if (isTaken) return;
    isTaken = true;
    setImmediate(goOn);
  }

  function goOn(): void {
    isTaken = false;
    for (const [owner, ofOwner] of waiting) {
      waiting.delete(owner);
      const [first] = ofOwner;
      if (first) ofOwner.delete(first);
      if (ofOwner.size > 0) waiting.set(owner, ofOwner);
      use();
      first?.();
      return;
    }
  }

  function wait(owner: string): Promise<void> {
    use();
    return new Promise((resolve) => {
      const ofOwner = waiting.get(owner) ?? new Set();
      ofOwner.add(resolve);
      waiting.set(owner, ofOwner);
    });
  }

  return {
    take(owner) {
      if (isTaken || waiting.size > 0) return wait(owner);
      use();
      return undefined;
    },
    wait,
  };
}
