import { AppError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import express from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Router } from 'express';
import type { ClientRequest } from './client-authentication';
import { answerClientErrors, clientBody, clientRequestOf, noStore, sendJson } from './client-endpoint';
import type { RevocationService } from './revocation.service';
import type { TokenIntrospectionService } from './token-introspection.service';
import type { TokenService } from './token.service';

interface Dependencies {
  /** The public origin. */
  readonly issuer: string;
  readonly tokens: TokenService;
  readonly revocations: RevocationService;
  readonly introspection: TokenIntrospectionService;
  readonly logger: Logger;
}

/** What clients call, by address. */
export function createOAuthRoutes(dependencies: Dependencies): Readonly<Record<string, Router>> {
  const { issuer, tokens, revocations, introspection, logger } = dependencies;
  return {
    '/.well-known/oauth-authorization-server': metadataRoutes(issuer, tokens.grantTypes),
    '/oauth/token': tokenRoutes(tokens, logger),
    '/oauth/revoke': revocationRoutes(revocations, logger),
    '/oauth/introspect': introspectionRoutes(introspection, logger),
  };
}

/** `GET /.well-known/oauth-authorization-server` (RFC 8414 §2). */
function metadataRoutes(issuer: string, grantTypes: readonly string[]): Router {
  const authenticationMethods = ['client_secret_basic', 'client_secret_post'];
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    jwks_uri: `${issuer}/oauth/jwks`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: authenticationMethods,
    revocation_endpoint_auth_methods_supported: authenticationMethods,
    introspection_endpoint_auth_methods_supported: authenticationMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
  const router = express.Router();
  router
    .route('/')
    .get((_req, res) => {
      res.set('Cache-Control', 'public, max-age=3600').json(metadata);
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

/** `POST /oauth/token`, form or JSON. */
function tokenRoutes(tokens: TokenService, logger: Logger): Router {
  const router = express.Router();
  const answer = answerClient(logger, (request) => tokens.answer(request));
  router.route('/').post(answer).all(methodNotAllowed('POST'));
  return router;
}

/** `POST /oauth/revoke` (RFC 7009): 200 and `{}` once the token does not count any more. */
function revocationRoutes(revocations: RevocationService, logger: Logger): Router {
  const router = express.Router();
  const answer = answerClient(logger, async (request) => {
    await revocations.revoke(request);
    return {};
  });
  router.route('/').post(answer).all(methodNotAllowed('POST'));
  return router;
}

/** `POST /oauth/introspect` for clients (RFC 7662), `GET` for the holder of the token. */
function introspectionRoutes(introspection: TokenIntrospectionService, logger: Logger): Router {
  const router = express.Router();
  router
    .route('/')
    .get(noStore, async (req, res) => {
      sendJson(res, await introspection.forBearer(bearerOf(req)));
    })
    .post(answerClient(logger, (request) => introspection.forClient(request)))
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  return router;
}

/** From the body of a client's request to the answer, or to its refusal in the words of OAuth. */
function answerClient(
  logger: Logger,
  answer: (request: ClientRequest) => Promise<object>,
): (RequestHandler | ErrorRequestHandler)[] {
  const send: RequestHandler = async (req, res) => {
    sendJson(res, await answer(clientRequestOf(req)));
  };
  return [...clientBody, send, answerClientErrors(logger)];
}

/** RFC 6750 §2.1 and §3: in the header only; without one the refusal names no error. */
function bearerOf(req: Request): string {
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(req.get('authorization') ?? '')?.[1];
  if (token !== undefined) return token;
  throw new AppError('unauthorized', 'Unauthorized', { headers: { 'WWW-Authenticate': 'Bearer realm="oauth"' } });
}
