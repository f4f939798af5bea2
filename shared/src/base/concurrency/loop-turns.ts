/** Turns of the event loop, one after the other for each owner (account) who waits; between two of them other work goes on. */
export interface LoopTurns {
  /** Waits for a turn. Undefined when the present one is free: then nothing has to be waited for. */
  take(owner: string): Promise<void> | undefined;
  /** Waits for a turn that is not the present one. */
  wait(owner: string): Promise<void>;
}

export function createLoopTurns(): LoopTurns {
  /** Who waits; a `Map` keeps the owners in the order of their turns. */
  const waiting = new Map<string, Set<() => void>>();
  let isTaken = false;

  /** From now on the present turn is used; the next one is the first waiting one's. */
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
