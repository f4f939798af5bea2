import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Express, RequestHandler } from 'express';
import { createCallerVerifier } from '@itsm/shared/api/identity/caller-token';
import { handleErrors } from '@itsm/shared/api/http/error-handler';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { createFakeAuth, introspectionSecret } from './fake-auth';
import type { FakeAuth } from './fake-auth';
import { createEcho, mountPeople, mountRequests } from './fake-services';

/** `npm run test:executors` runs suites with the other executor. */
export const testedExecutor = { EXECUTOR: process.env['EXECUTOR'] ?? 'compiled' };

/** Fake services over HTTP: auth has people, graph has requests, the others echo. */
export interface StartedServices {
  readonly auth: FakeAuth;
  /** The time of the services, in epoch seconds. It stands still, so that no token expires however slow the machine is. */
  readonly now: number;
  /** The number of operations that reached the resolvers of requests. */
  executions(): number;
  /** The number of references to people that auth has resolved. */
  resolvedPeople(): number;
  /** Controls of the graph service, such as taking it off the network and bringing it back on the same port. */
  readonly graph: {
    stop(): Promise<void>;
    start(): Promise<void>;
    /** Leaves requests pending until the returned function is called. */
    hang(): () => void;
    /** The number of calls it got, of one account or of all; schema requests are not counted. */
    asked(accountId?: string): number;
    /** The number of calls whose connection closed before an answer. */
    abandoned(): number;
  };
  /** What a service says about its types; without it answers 404, as one of an earlier release. */
  describe(service: 'auth' | 'graph', types: unknown): void;
  readonly authServer: { readonly url: string; stop(): Promise<void>; start(): Promise<void> };
  /** The environment of a gateway in front of these services. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startServices(): Promise<StartedServices> {
  const keys = await startCallerKeys();
  const { now } = createTestClock();
  const auth = createFakeAuth(keys, now);
  let resolved = 0;
  const described = new Map<string, unknown>();
  const describing =
    (service: string): RequestHandler =>
    (_req, res) =>
      described.has(service) ? res.json(described.get(service)) : res.sendStatus(404);
  auth.http.get('/v1/types', describing('auth'));
  await mountPeople(auth.http, createCallerVerifier(keys.jwksUri, 'auth', now), () => (resolved += 1));
  auth.http.use(createEcho());
  auth.http.use(handleErrors(silentLogger));
  const graph = express();
  graph.get('/v1/types', describing('graph'));
  let executed = 0;
  let held: Promise<void> | undefined;
  const askedOf: (string | undefined)[] = [];
  let graphAbandoned = 0;
  graph.use((req, res, next) => {
    if (req.method === 'POST' || req.path !== '/graphql') {
      askedOf.push(req.get('x-service-account'));
      res.once('close', () => (graphAbandoned += Number(!res.writableFinished)));
    }
    if (held) void held.then(() => res.closed || next());
    else next();
  });
  await mountRequests(graph, createCallerVerifier(keys.jwksUri, 'graph', now), () => (executed += 1));
  graph.use(createEcho());
  graph.use(handleErrors(silentLogger));
  const authServer = await serve(auth.http);
  const graphServer = await serve(graph);
  const echo = await serve(createEcho());

  return {
    auth,
    now: epochSeconds(now()),
    executions: () => executed,
    resolvedPeople: () => resolved,
    graph: {
      ...graphServer,
      hang() {
        let release = (): void => undefined;
        held = new Promise((resolve) => {
          release = () => {
            held = undefined;
            resolve();
          };
        });
        return release;
      },
      asked: (accountId) =>
        accountId === undefined ? askedOf.length : askedOf.filter((one) => one === accountId).length,
      abandoned: () => graphAbandoned,
    },
    describe: (service, types) => void described.set(service, types),
    authServer,
    env: {
      BASE_URL: 'http://localhost:4000',
      ACCOUNT_URL: 'http://localhost:4000/accounts/{account}',
      AUTH_URL: authServer.url,
      GRAPH_URL: graphServer.url,
      WEBHOOKS_URL: echo.url,
      WEBHOOK_DELIVERY_URL: echo.url,
      UI_EXTENSIONS_URL: echo.url,
      INTROSPECTION_SECRET: introspectionSecret,
      ...testedExecutor,
    },
    async close() {
      await Promise.all([authServer.stop(), graphServer.stop(), echo.stop(), keys.close()]);
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
