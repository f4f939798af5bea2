import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Not MongoDB: with the library a replica set stops answering while its indexes are created. */
export const engines = ['rabbitmq', 'redis'] as const;
export type Engine = (typeof engines)[number];

/** Clocks of engines, which a test can turn while they run. */
export interface EngineClocks {
  /** For the process of the engine. */
  environmentOf(engine: Engine): Readonly<Record<string, string>>;
  turn(engine: Engine, seconds: number): void;
}

/** The folder of Debian's libraries that has libfaketime; undefined without it. */
const libraries = readdirSync('/usr/lib')
  .map((folder) => join('/usr/lib', folder))
  .find((folder) => existsSync(join(folder, 'faketime/libfaketimeMT.so.1')));

export const clocksCanBeTurned = libraries !== undefined;

/** Durations are left as they are, as when a person or NTP sets a clock. */
export function createEngineClocks(directory: string): EngineClocks {
  const fileOf = (engine: Engine): string => join(directory, `clock-of-${engine}`);
  const clocks: EngineClocks = {
    environmentOf: (engine) => ({
      LD_PRELOAD: [
        join(libraries ?? '', 'faketime/libfaketimeMT.so.1'),
        // The allocator of Redis asks for the time while the library is being loaded, which it does not bear.
        ...(engine === 'redis' ? [join(libraries ?? '', 'libc.so.6')] : []),
      ].join(' '),
      FAKETIME_TIMESTAMP_FILE: fileOf(engine),
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
    }),
    turn(engine, seconds) {
      // Renamed, since it may be read at any moment.
      writeFileSync(`${fileOf(engine)}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
      renameSync(`${fileOf(engine)}.new`, fileOf(engine));
    },
  };
  for (const engine of engines) clocks.turn(engine, 0);
  return clocks;
}
