import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Router } from 'express';
import { assignRequestId } from '@itsm/shared/api/http/request-id';
import { traceRequests } from '@itsm/shared/api/http/create-http';
import type { Callers } from '../callers/module';
import type { Graph } from '../supergraph/module';
import type { GatewayPlatform, Transport } from '../transport/module';
import { createCallHandler } from './call-handler';
import { createCalls } from './call.service';
import { createGraphqlRoutes } from './graphql.routes';

interface Needs {
  readonly transport: Transport;
  readonly callers: Callers;
  readonly graph: Graph;
  readonly accountHeaders: readonly string[];
}

export interface Graphql {
  /** For `/graphql`. It refuses plain http itself, since GraphQL has its own form of a refusal. */
  readonly router: Router;
  /** Mounts the fast path: calls skip all other routers of `http`. */
  takeShortCut(http: Express): void;
}

type Handle = (req: IncomingMessage, res: ServerResponse, next?: unknown) => unknown;

export function createGraphql(platform: GatewayPlatform, needs: Needs): Graphql {
  const { transport, callers, graph, accountHeaders } = needs;
  const { coordination, callMilliseconds, logger, now } = platform;
  const { peers, bodies, compression, cors, log, setSafeHeaders } = transport;
  const { admission, credentialsOf, documentationUrl } = callers;
  const dependencies = {
    calls: createCalls({ coordination, admission }),
    supergraph: () => graph.present(),
    admission,
    credentialsOf,
    documentationUrl,
    peers,
    bodies,
    compression,
    accountHeaders,
    callMilliseconds,
    logger,
    now,
  };
  const handleCall = createCallHandler(dependencies);
  const isTrusted = (req: IncomingMessage): boolean => peers.isTrusted(req);
  // The same steps as on the normal path: a refusal also has an id, a log line and CORS headers.
  const steps = [traceRequests(isTrusted), assignRequestId(isTrusted), log, setSafeHeaders];
  const isCall = (req: IncomingMessage): boolean => req.method === 'POST' && isEndpoint(transport.targetOf(req));

  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const handle = (): void => {
      // Express does this too: it keeps the original URL.
      Object.assign(req, { originalUrl: req.url });
      req.url = '/graphql';
      if (!cors.answer(req, res)) void handleCall(req, res);
    };
    steps.reduceRight<() => void>((next, step) => () => step(req, res, next), handle)();
  };
  return {
    router: createGraphqlRoutes(dependencies, handleCall),
    takeShortCut(http) {
      const routed = http as unknown as { handle: Handle };
      const handleRouted = routed.handle.bind(http);
      routed.handle = (req, res, next) => (isCall(req) ? answer(req, res) : handleRouted(req, res, next));
    },
  };
}

const isEndpoint = (target: string | undefined): boolean => target === '/graphql' || target === '/graphql/';
