// Where the CPU time goes: `--profile=FILE` writes what node --cpu-prof would, of the measured part alone.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

let session;

export const profiler = {
  async profile() {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  },
  async profiled({ file }) {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(file, JSON.stringify(profile));
  },
};
