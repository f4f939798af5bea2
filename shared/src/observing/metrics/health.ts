import type { Logger } from '../logs/logger';
import { dependencyUp } from './metrics';

/** Something outside of the process that it works with. */
export interface Dependency {
  readonly name: string;
  /** Whether nothing useful can be answered without it; such a one makes the process not ready when it stays away. */
  readonly vital: boolean;
  isUp(): Promise<boolean>;
}

/** `draining`: running work is finished, and no new work begins. */
export type Phase = 'starting' | 'serving' | 'draining';

export interface Health {
  /** Everything is composed and listens. */
  started(): void;
  /** The process takes no new work from now on. */
  draining(): void;
  phase(): Phase;
  isReady(): boolean;
  /** One line for each thing that readiness depends on, or that is worth knowing beside it. */
  report(): readonly string[];
  close(): void;
}

const deadlineMilliseconds = 2_000;
/** One miss is noise; what all replicas share must not take all of them out of service for a moment's trouble. */
const missesUntilDown = 3;

/**
 * Looks after `dependencies` every 5 s; three misses in a row are a dependency that is down. What is vital has to be seen
 * once before the process is ready.
 */
export function createHealth(dependencies: readonly Dependency[], logger: Logger, lookMilliseconds = 5_000): Health {
  const misses = new Map(dependencies.map(({ name, vital }) => [name, vital ? missesUntilDown : 0]));
  let phase: Phase = 'starting';
  const isDown = ({ name }: Dependency): boolean => (misses.get(name) ?? 0) >= missesUntilDown;

  async function look(dependency: Dependency): Promise<void> {
    const { name } = dependency;
    const up = await within(dependency.isUp());
    dependencyUp.set({ name }, up ? 1 : 0);
    const wasDown = isDown(dependency);
    misses.set(name, up ? 0 : (misses.get(name) ?? 0) + 1);
    if (isDown(dependency) && !wasDown) logger.warn('A dependency is down', { name });
    if (!isDown(dependency) && wasDown) logger.info('A dependency is there', { name });
  }

  const lookAtAll = () => void Promise.all(dependencies.map(look));
  lookAtAll();
  const timer = setInterval(lookAtAll, lookMilliseconds);
  timer.unref();

  return {
    started() {
      if (phase === 'starting') phase = 'serving';
    },
    draining() {
      phase = 'draining';
    },
    phase: () => phase,
    isReady: () => phase === 'serving' && !dependencies.some((one) => one.vital && isDown(one)),
    report: () => [
      `process ${phase}`,
      ...dependencies.map((one) => `${one.name} ${isDown(one) ? 'down' : 'up'}${one.vital ? '' : ' (not vital)'}`),
    ],
    close: () => clearInterval(timer),
  };
}

/** False for whatever does not say yes in time. */
async function within(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), deadlineMilliseconds);
  });
  try {
    return await Promise.race([answer, late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
