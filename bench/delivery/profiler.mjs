// CPU profiles: `--profile=FILE` writes what node --cpu-prof would, for the measured part only.
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
