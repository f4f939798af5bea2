import type { Logger } from '../logs/logger';
import { systemClock } from '../../base/time/clock';
import { noteClock } from './clock-skew';
import { dependencyUp } from './metrics';

/** An external dependency of the process. */
export interface Dependency {
  readonly name: string;
  /** Whether the process is useless without it; the process becomes unready when it stays down. */
  readonly vital: boolean;
  isUp(): Promise<boolean>;
  /** Its clock, which is compared with that of this process; left out where it has none. */
  time?(): Promise<Date>;
}

/** `draining`: running work finishes, and no new work starts. */
export type Phase = 'starting' | 'serving' | 'draining';

export interface Health {
  /** Everything is composed and listening. */
  started(): void;
  /** The process takes no new work from now on. */
  draining(): void;
  phase(): Phase;
  isReady(): boolean;
  /** One line per dependency, vital or not. */
  report(): readonly string[];
  close(): void;
}

const deadlineMilliseconds = 2_000;
/** Tolerates single misses: all replicas share a dependency, and a short problem must not make all of them unready. */
const missesUntilDown = 3;

/**
 * Checks `dependencies` every 5 s; three misses in a row mean down. Vital ones must be up once before the process is
 * ready.
 */
export function createHealth(
  dependencies: readonly Dependency[],
  logger: Logger,
  lookMilliseconds = 5_000,
  now = systemClock,
): Health {
  const misses = new Map(dependencies.map(({ name, vital }) => [name, vital ? missesUntilDown : 0]));
  let phase: Phase = 'starting';
  const isDown = ({ name }: Dependency): boolean => (misses.get(name) ?? 0) >= missesUntilDown;

  async function look(dependency: Dependency): Promise<void> {
    const { name } = dependency;
    const up = await within(dependency.isUp());
    if (up) void readClock(dependency);
    dependencyUp.set({ name }, up ? 1 : 0);
    const wasDown = isDown(dependency);
    misses.set(name, up ? 0 : (misses.get(name) ?? 0) + 1);
    if (isDown(dependency) && !wasDown) logger.warn('A dependency is down', { name });
    if (!isDown(dependency) && wasDown) logger.info('A dependency is there', { name });
  }

  /** Does not count as a miss: whether the dependency is up has been answered. */
  async function readClock(dependency: Dependency): Promise<void> {
    const sent = now();
    const theirs = await dependency.time?.().catch(() => undefined);
    if (theirs) noteClock(logger, { peer: dependency.name, theirs, sent, received: now() });
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

/** False unless the answer is a timely yes. */
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
