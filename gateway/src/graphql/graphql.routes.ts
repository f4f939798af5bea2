import { Router } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { admitCall, refusePlainHttp, supergraphOf } from './call-handler';
import type { CallHandler, GraphqlDependencies } from './call-handler';
import { json, mediaTypeOf } from '../transport/media-type';
import { sendError } from './graphql-responses';

/** `POST` runs an operation. `GET` without a query serves the schema (spec: GraphQL). */
export function createGraphqlRoutes(dependencies: GraphqlDependencies, handleCall: CallHandler): Router {
  const { logger } = dependencies;
  const router = Router();

  /** Answers 405. It needs no token, but a known caller is counted and gets the limit headers, as on every answer. */
  const refuseMethod =
    (...allowed: readonly string[]): RequestHandler =>
    async (req, res, next) => {
      const isAnswered = await admitCall(dependencies, req, res).then((admitted) => !admitted, passUnauthorized);
      if (!isAnswered) methodNotAllowed(...allowed)(req, res, next);
    };
  const refuseQuery = refuseMethod('POST');

  const sendSchema: RequestHandler = async (req, res) => {
    const admission = await admitCall(dependencies, req, res);
    if (!admission) return;
    const supergraph = supergraphOf(dependencies);
    const isText = req.accepts(['json', 'text']) === 'text';
    // A client may keep it, and asks on each use whether it has changed.
    res.set('Cache-Control', 'private, no-cache').vary('Accept');
    res.type(isText ? 'text/plain' : (mediaTypeOf(req) ?? json));
    (isText ? supergraph.sdl() : supergraph.introspection()).send(req, res);
  };

  router.use(async (req, res, next) => {
    await refusePlainHttp(dependencies, req, res);
    next();
  });
  router
    .route('/')
    .get((req, res, next) => (hasQuery(req) ? refuseQuery(req, res, next) : sendSchema(req, res, next)))
    .post(handleCall)
    .all(refuseMethod('GET', 'POST'));
  const handleErrors: ErrorRequestHandler = (error: unknown, req, res, next) => {
    if (res.headersSent) next(error);
    else sendError(req, res, error, logger);
  };
  return router.use(handleErrors);
}

const hasQuery = (req: Request): boolean => Object.keys(req.query).length > 0;

/** A `catch` handler: false for the refusal of an unknown token; rethrows other errors. */
function passUnauthorized(error: unknown): false {
  if (error instanceof AppError && error.code === 'unauthorized') return false;
  throw error;
}
