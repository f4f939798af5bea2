import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { runMain, stopOnSignal } from '@itsm/shared/running/run-main';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { loadConfig } from './config';
import { openDataDirectory } from './data/data-directory';
import { placeOfData } from './data/store';
import { greeting } from './greeting';
import { startPlatform } from './platform';

/** Fails early with one sentence, before minutes of work: the port is opened for good only when everything is ready. */
function checkPortFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => {
      const why = code === 'EADDRINUSE' ? 'is taken. Stop what listens there' : `cannot be opened (${code})`;
      reject(new Error(`port ${port} ${why}, or choose another: PORT=4100 npm start`));
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()));
  });
}

runMain(async () => {
  const started = Date.now();
  const config = loadConfig(process.env, dirname(dirname(__dirname)));
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  await checkPortFree(config.port);
  const data = openDataDirectory(config.dataDirectory);
  const platform = await startPlatform({
    port: config.port,
    data,
    mongodbUrl: config.mongodbUrl,
    logLevel: config.logLevel,
    settings: config.settings,
    progress: (step) => say(`${step}…`),
  });
  stopOnSignal(
    createLogger('starter', config.logLevel, (line) => data.log(line)),
    [platform, { close: () => say('Stopped.') }],
  );
  const place = placeOfData({ directory: data.mongo, mongodbUrl: config.mongodbUrl });
  say(greeting({ baseUrl: platform.baseUrl, data, place, seconds: (Date.now() - started) / 1000 }));
});
