import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runMain } from '@itsm/shared/running/run-main';
import { loadPlace } from '@itsm/embedded/config';
import { readDemoFile } from '@itsm/embedded/demo/demo-file';
import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import { startPlatformProcess } from '../platform-process';
import { runTour, steps } from './run-tour';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const repository = dirname(dirname(dirname(__dirname)));

async function isRunning(demo: DemoFile): Promise<boolean> {
  return fetch(`${demo.base_url}/v1/rate_limit`).then(
    ({ status }) => status === 401,
    () => false,
  );
}

runMain(async () => {
  const { port, dataDirectory: directory, mongodbUrl } = loadPlace(process.env, repository);
  const file = join(directory, 'demo.json');
  const known = existsSync(file) ? readDemoFile(file) : undefined;
  let stop: () => Promise<unknown> = () => Promise.resolve();
  let demo: DemoFile;
  if (known && (await isRunning(known))) {
    demo = known;
    say(`The platform runs at ${demo.base_url}.`);
  } else {
    say('The platform does not run yet; starting it…');
    const platform = await startPlatformProcess({ port, data: { directory, mongodbUrl } });
    demo = platform.demo;
    stop = () => platform.stop();
    say(`Ready at ${demo.base_url}.`);
  }
  let count = 0;
  const failure = await runTour(demo, ({ name, seen, milliseconds }) => {
    count += 1;
    say(
      `${String(count).padStart(2)}/${steps.length}  ok  ${name.padEnd(38)} ${milliseconds.toFixed(0).padStart(5)} ms  ${seen}`,
    );
  }).then(
    () => undefined,
    (error: Error) => error,
  );
  await stop();
  if (failure) {
    say(`${String(count + 1).padStart(2)}/${steps.length}  FAIL  ${failure.message}`);
    process.exit(1);
  }
  say('The whole path works.');
});
