import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/** What has run since the start, in milliseconds; differences count. */
export interface Load {
  /** Of all cores of the machine together. */
  readonly cores: number;
  readonly coresIdle: number;
  /** Of the event loop of this process. */
  readonly loop: number;
  readonly loopIdle: number;
}

/** Costs some microseconds for each core. */
export function readLoad(): Load {
  const times = cpus().map((core) => core.times);
  const sum = (ofCore: (time: (typeof times)[number]) => number): number =>
    times.reduce((total, time) => total + ofCore(time), 0);
  const { active, idle } = performance.eventLoopUtilization();
  return {
    cores: sum(({ user, nice, sys, idle: free, irq }) => user + nice + sys + free + irq),
    coresIdle: sum(({ idle: free }) => free),
    loop: active + idle,
    loopIdle: idle,
  };
}
