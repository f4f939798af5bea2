import type { Clock } from '../../base/time/clock';
import type { Coordination } from './coordination';
import { createWindows } from './windows';

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
        revisions: names.map((name) => revisions.get(name) ?? 0),
      });
    },
    bump(names) {
      for (const name of names) revisions.set(name, (revisions.get(name) ?? 0) + 1);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
