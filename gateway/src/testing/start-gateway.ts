import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Express } from 'express';
import { listen } from '@itsm/shared/running/listen';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { systemClock } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createApp } from '../app';
import type { GatewayApp } from '../app';
import { loadConfig } from '../config';
import { createFakeAuth, introspectionSecret } from './fake-auth';
import type { FakeAuth } from './fake-auth';
import { createEcho, mountPeople, mountRequests } from './fake-services';

/** `EXECUTOR=apollo npm test -- gateway` takes the suite through the other executor. */
export const testedExecutor = { EXECUTOR: process.env['EXECUTOR'] ?? 'compiled' };

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly sharedRevisions?: boolean;
  readonly coordination?: Coordination;
  readonly now?: Clock;
  readonly logger?: Logger;
  readonly deadlineMilliseconds?: number;
}

/** A gateway before real services over HTTP: people at auth, requests at graph, echoes elsewhere. */
export interface StartedGateway {
  readonly app: GatewayApp;
  readonly url: string;
  readonly auth: FakeAuth;
  readonly coordination: Coordination;
  executions(): number;
  /** How many references to people auth has looked up. */
  resolvedPeople(): number;
  /** Takes a service off the network, and brings it back on the same port. */
  readonly graph: {
    stop(): Promise<void>;
    start(): Promise<void>;
    /** From now on it takes requests and never answers. */
    hang(): void;
    /** How many requests it got. */
    asked(): number;
    /** How many of them lost their connection without an answer. */
    abandoned(): number;
  };
  readonly authServer: { readonly url: string; stop(): Promise<void>; start(): Promise<void> };
  post(token: string | undefined, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export async function startGateway(options: StartOptions = {}): Promise<StartedGateway> {
  const keys = await startCallerKeys();
  const verify = createCallerVerifier(keys.jwksUri);
  const auth = createFakeAuth(keys);
  let resolved = 0;
  await mountPeople(auth.http, verify, () => (resolved += 1));
  auth.http.use(createEcho());
  const graph = express();
  let executed = 0;
  let isHanging = false;
  let graphAsked = 0;
  let graphAbandoned = 0;
  graph.use((req, res, next) => {
    if (req.method === 'POST') graphAsked += 1;
    res.once('close', () => (graphAbandoned += Number(!res.writableFinished)));
    if (!isHanging) next();
  });
  await mountRequests(graph, verify, () => (executed += 1));
  graph.use(createEcho());
  const authServer = await serve(auth.http);
  const graphServer = await serve(graph);
  const echo = await serve(createEcho());

  const coordination = options.coordination ?? createMemoryCoordination({ now: options.now ?? systemClock });
  const config = loadConfig({
    BASE_URL: 'http://localhost:4000',
    ACCOUNT_URL: 'http://localhost:4000/accounts/{account}',
    AUTH_URL: authServer.url,
    GRAPH_URL: graphServer.url,
    WEBHOOKS_URL: echo.url,
    WEBHOOK_DELIVERY_URL: echo.url,
    UI_EXTENSIONS_URL: echo.url,
    INTROSPECTION_SECRET: introspectionSecret,
    ...testedExecutor,
    ...options.env,
  });
  const app = createApp({
    config,
    coordination,
    sharedRevisions: options.sharedRevisions ?? true,
    logger: options.logger ?? silentLogger,
    now: options.now ?? systemClock,
    schemaPollMilliseconds: 50,
    ...(options.deadlineMilliseconds !== undefined && {
      callMilliseconds: options.deadlineMilliseconds,
    }),
  });
  await app.start();
  await app.ready();
  const listening = await listen(app.http, 0, '127.0.0.1');
  const url = `http://127.0.0.1:${listening.port}`;

  return {
    app,
    url,
    auth,
    coordination,
    executions: () => executed,
    resolvedPeople: () => resolved,
    graph: {
      ...graphServer,
      hang: () => void (isHanging = true),
      asked: () => graphAsked,
      abandoned: () => graphAbandoned,
    },
    authServer,
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
      await Promise.all([authServer.stop(), graphServer.stop(), echo.stop(), keys.close()]);
      await coordination.close();
    },
  };
}

async function serve(http: Express) {
  let server: Server | undefined;
  let port = 0;
  const start = async () => {
    server = await new Promise<Server>((resolve) => {
      const opened = http.listen(port, '127.0.0.1', () => resolve(opened));
    });
    port = (server.address() as AddressInfo).port;
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      server?.close(() => resolve());
      server?.closeAllConnections();
    });
  await start();
  return { url: `http://127.0.0.1:${port}`, start, stop };
}
