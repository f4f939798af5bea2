import { listen } from '@itsm/shared/running/listen';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { createApp } from '../app';
import type { GatewayApp } from '../app';
import { loadConfig } from '../config';
import type { PlanningOptions } from '../supergraph/module';
import type { Timer } from '../transport/body-pace';
import type { Bounds } from '../transport/module';
import { startServices } from './start-services';
import type { StartedServices } from './start-services';

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly sharedRevisions?: boolean;
  readonly coordination?: Coordination;
  /** By default a clock that stands still, so that no window closes however slow the machine is. */
  readonly now?: Clock;
  readonly logger?: Logger;
  readonly deadlineMilliseconds?: number;
  /** By default no body is too slow. */
  readonly bounds?: Bounds;
  readonly planning?: PlanningOptions;
}

const standing: Timer = { now: () => 0, after: () => () => undefined };

/** A gateway in front of services over HTTP. */
export interface StartedGateway extends StartedServices {
  readonly app: GatewayApp;
  readonly url: string;
  readonly coordination: Coordination;
  post(token: string | undefined, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

export async function startGateway(options: StartOptions = {}): Promise<StartedGateway> {
  const services = await startServices();
  const now = options.now ?? createTestClock().now;
  const coordination = options.coordination ?? createMemoryCoordination({ now });
  const config = loadConfig({ ...services.env, ...options.env });
  services.auth.serve(config.baseUrl);
  const app = createApp({
    config,
    coordination,
    sharedRevisions: options.sharedRevisions ?? true,
    logger: options.logger ?? silentLogger,
    now,
    schemaPollMilliseconds: 50,
    bounds: { timer: standing, ...options.bounds },
    ...(options.planning && { planning: options.planning }),
    // Longer than any test, so that a slow machine fails none.
    callMilliseconds: options.deadlineMilliseconds ?? 3_600_000,
  });
  await app.start();
  await app.ready();
  const listening = await listen(app, 0, '127.0.0.1');
  const url = `http://127.0.0.1:${listening.port}`;

  return {
    app,
    url,
    ...services,
    coordination,
    post: (token, body, headers = {}) =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: {
          'content-type': 'application/json',
          'x-service-account': 'wdc',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
      }),
    get: (path, headers = {}) => fetch(url + path, { headers, redirect: 'manual' }),
    async close() {
      listening.server.closeAllConnections();
      await listening.close();
      await app.stop();
      await services.close();
      await coordination.close();
    },
  };
}
