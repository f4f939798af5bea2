import { join } from 'node:path';
import { checkAddress } from '@itsm/shared/api/http/check-address';
import { createHttp } from '@itsm/shared/api/http/create-http';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { App } from '@itsm/shared/running/app';
import { createAssets } from './assets/module';
import type { Config } from './config';
import { createProxy } from './proxy/module';
import { createSessions } from './sessions/module';
import { createShell } from './shell/module';
import { createSignIns } from './sign-ins/module';
import { createUpstream } from './upstream/module';

interface Dependencies {
  readonly config: Config;
  readonly logger: Logger;
  readonly now: Clock;
  /** The build output of the browser part; the default folder unless given. */
  readonly browserFolder?: string;
}

/** The relative path is right for the sources and for the compiled code. */
const builtFolder = join(__dirname, '../dist/browser');

/**
 * The console's server: the pages and their API. It is stateless: everything about a browser comes with its request.
 */
export function createApp({ config, logger, now, browserFolder = builtFolder }: Dependencies): App {
  const { baseUrl } = config;
  const sealer = createSealer(config.cookieKeys);
  const assets = createAssets(browserFolder);
  const shell = createShell({ assets, baseUrl });
  const upstream = createUpstream({ gatewayUrl: config.gatewayUrl });
  const sessions = createSessions({ assets, upstream, sealer, baseUrl, logger, now });
  const signIns = createSignIns({ upstream, sessions, sealer, settings: config, logger, now });
  const proxy = createProxy({ assets, upstream, sessions });
  const http = createHttp(logger, (app) => {
    app.disable('etag');
    app.use(checkAddress);
    app.use('/console/assets', assets.router);
    app.use(sessions.log);
    app.use(shell.router, signIns.router, sessions.router, proxy.router);
  });
  return {
    http,
    prepareStore: () => Promise.resolve(),
    start: () => Promise.resolve(),
    stop: () => upstream.close(),
  };
}
