import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { runMain, stopOnSignal } from '@itsm/shared/running/run-main';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { createHealth } from '@itsm/shared/observing/metrics/health';
import { startOpsServer } from '@itsm/shared/running/ops-server';
import { startTracing } from '@itsm/shared/running/run-service';
import { loadConfig } from './config';
import { openDataDirectory } from './data/data-directory';
import { placeOfData } from './data/store';
import { greeting } from './greeting';
import { startPlatform } from './platform';
import { StartFailure, asStartFailure } from './start-failure';

const loopback = '127.0.0.1';

/** Checked first, to fail early: the gateway opens its port only when everything else is ready. */
function checkPortFree(port: number, choice: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => {
      const another = `hoose another: ${choice} npm start`;
      const failure =
        code === 'EADDRINUSE'
          ? new StartFailure(`port ${port} is taken`, `Stop what listens there, or c${another}`)
          : new StartFailure(`port ${port} cannot be opened (${code})`, `C${another}`);
      reject(failure);
    });
    probe.listen(port, loopback, () => probe.close(() => resolve()));
  });
}

runMain(async () => {
  const started = Date.now();
  const config = loadConfig(process.env, dirname(dirname(__dirname)));
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const { port, logLevel, opsPort, otlpEndpoint: endpoint, traceRatio: ratio } = config;
  await checkPortFree(port, 'PORT=4100');
  if (opsPort !== undefined) await checkPortFree(opsPort, 'OPS_PORT=9100');
  const data = openDataDirectory(config.dataDirectory);
  const logger = createLogger('starter', logLevel, (line) => data.log(line));
  // For monitoring, the one process counts as one service.
  const tracing = startTracing({ service: 'platform', endpoint, ratio });
  const health = createHealth([], logger);
  const ops = opsPort === undefined ? [] : [await startOpsServer(health, opsPort, loopback)];
  const platform = await startPlatform({
    port,
    data,
    mongodbUrl: config.mongodbUrl,
    logLevel,
    demoData: config.demoData,
    settings: config.settings,
    progress: (step) => say(`${step}…`),
  }).catch((error: unknown) => {
    throw asStartFailure(error, data);
  });
  health.started();
  const draining = { close: () => health.draining() };
  stopOnSignal(logger, [draining, platform, health, ...ops, tracing, { close: () => say('Stopped.') }]);
  const place = placeOfData({ directory: data.mongo, mongodbUrl: config.mongodbUrl });
  say(greeting({ baseUrl: platform.baseUrl, data, place, seconds: (Date.now() - started) / 1000 }));
});
