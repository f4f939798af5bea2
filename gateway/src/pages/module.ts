import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import type { GatewayPlatform, Transport } from '../transport/module';
import { createAccountRoutes } from './account.routes';
import { createDocumentationRoutes } from './documentation.routes';
import { createEndpointRoutes } from './endpoint.routes';
import { createFailurePage } from './failure.page';

interface Needs {
  readonly transport: Transport;
  readonly settings: {
    /** Origin; undefined where there is no console. */
    readonly consoleUrl: string | undefined;
  };
}

export interface Pages {
  /** Mounted before the API at `/graphql`: answers browsers there. */
  readonly endpoint: Router;
  readonly documentation: Router;
  /** For `GET /`. */
  readonly home: RequestHandler;
  /** Mounted last: takes the requests that no service route matched. */
  readonly accounts: Router;
  /** Mounted after all: shows failures to browsers. */
  readonly failures: ErrorRequestHandler;
}

export function createPages({ baseUrl, logger }: GatewayPlatform, { transport, settings }: Needs): Pages {
  const hasConsole = settings.consoleUrl !== undefined;
  return {
    endpoint: createEndpointRoutes({ baseUrl, hasConsole, peers: transport.peers }),
    documentation: createDocumentationRoutes(baseUrl),
    home: (_req, res) => res.redirect(302, '/oauth/profile'),
    accounts: createAccountRoutes(baseUrl, (req) => transport.placeOf(req)),
    failures: createFailurePage(logger),
  };
}
