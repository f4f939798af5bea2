import type { Clock } from '../../base/time/clock';
import type { Coordination, Window, WindowState } from './coordination';

/** Coordination within one process. Calls are synchronous, hence atomic. */
export function createMemoryCoordination({ now }: { readonly now: Clock }): Coordination {
  const windows = createWindows();
  const revisions = new Map<string, number>();
  return {
    take(asked, names) {
      const at = now().getTime();
      const allowed = asked.every((window) => window.amount <= windows.look(window, at).remaining);
      return Promise.resolve({
        allowed,
        windows: asked.map((window) => (allowed ? windows.take(window, at) : windows.look(window, at))),
        revisions: names.map((name) => String(revisions.get(name) ?? 0)),
      });
    },
    bump(names) {
      for (const name of names) revisions.set(name, (revisions.get(name) ?? 0) + 1);
      return Promise.resolve();
    },
    time: () => Promise.resolve(now()),
    close: () => Promise.resolve(),
  };
}

interface Open {
  used: number;
  readonly resetAt: number;
}

/**
 * The windows of one process, at a time in epoch milliseconds; expired ones are swept, so that memory stays bounded.
 */
export interface Windows {
  look(window: Window, at: number): WindowState;
  take(window: Window, at: number): WindowState;
  count(): number;
}

const sweepEveryMilliseconds = 10_000;

export function createWindows(): Windows {
  const open = new Map<string, Open>();
  let sweepAt = 0;

  function sweep(at: number): void {
    if (at < sweepAt) return;
    sweepAt = at + sweepEveryMilliseconds;
    for (const [key, { resetAt }] of open) if (resetAt <= at) open.delete(key);
  }

  const find = (key: string, at: number): Open | undefined => {
    const found = open.get(key);
    return found && found.resetAt > at ? found : undefined;
  };

  return {
    look({ key, limit, seconds }, at) {
      const found = find(key, at);
      return {
        limit,
        remaining: Math.max(0, limit - (found?.used ?? 0)),
        resetAt: found?.resetAt ?? at + seconds * 1000,
      };
    },
    take(window, at) {
      sweep(at);
      if (window.amount > 0) {
        const found = find(window.key, at) ?? { used: 0, resetAt: at + window.seconds * 1000 };
        found.used += window.amount;
        open.set(window.key, found);
      }
      return this.look(window, at);
    },
    count: () => open.size,
  };
}
