import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import type { GatewayPlatform, Transport } from '../transport/module';
import { createAccountRoutes } from './account.routes';
import { createDocumentationRoutes } from './documentation.routes';
import { createFailurePage } from './failure.page';

interface Needs {
  readonly transport: Transport;
}

export interface Pages {
  readonly documentation: Router;
  /** For `GET /`. */
  readonly home: RequestHandler;
  /** Mounted last: takes the requests that no service route matched. */
  readonly accounts: Router;
  /** Mounted after all: shows failures to browsers. */
  readonly failures: ErrorRequestHandler;
}

export function createPages({ baseUrl, logger }: GatewayPlatform, { transport }: Needs): Pages {
  return {
    documentation: createDocumentationRoutes(),
    home: (_req, res) => res.redirect(302, '/oauth/profile'),
    accounts: createAccountRoutes(baseUrl, (req) => transport.placeOf(req)),
    failures: createFailurePage(logger),
  };
}
