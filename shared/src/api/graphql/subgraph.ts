import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
} from '@apollo/server/plugin/disabled';
import { buildSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import type { Request, RequestHandler, Router } from 'express';
import { print } from 'graphql';
import type { DocumentNode, GraphQLFormattedError } from 'graphql';
import { unwrapResolverError } from '@apollo/server/errors';
import { authenticate, callerOf } from '../identity/authenticate';
import type { CallerVerifier } from '../identity/caller-token';
import { languagesOf } from '../identity/languages';
import { asCall } from '../http/as-call';
import { presentCall } from '../../base/concurrency/present-call';
import type { Idempotency } from '../http/idempotency';
import { jsonBody } from '../http/json-body';
import { requestIdOf } from '../http/request-id';
import type { Logger } from '../../observing/logs/logger';
import type { SubgraphContext } from './context';
import { declareScopes } from './declared-scopes';
import { createDocumentStore } from './document-store';
import { guardReferences } from './guard-references';
import type { LargeQueries } from './large-queries';
import { largeCallHeader } from './large-query';
import type { LargeQuery, WrittenAnswer } from './large-query';
import type { ResolverMap } from './merge-resolvers';
import { writeAnswer } from './write-answer';
import { AppError } from '../../base/errors/app-error';
import type { ErrorCode } from '../../base/errors/app-error';
import { outageRefusal } from '../../base/errors/outage';

export interface SubgraphOptions {
  readonly typeDefs: DocumentNode;
  readonly resolvers: ResolverMap;
  readonly verify: CallerVerifier;
  readonly logger: Logger;
  /** Answers queries that may have many nodes in a worker thread; without it the main thread answers them. */
  readonly largeQueries?: Pick<LargeQueries, 'answer'> | undefined;
  /** Without it an `Idempotency-Key` changes nothing. */
  readonly idempotency?: Idempotency;
}

/**
 * A service's part of the GraphQL API: `router` answers POST (operations, authenticated) and GET (the SDL, for
 * composition).
 */
export interface Subgraph {
  readonly router: Router;
  /** Answers a query without HTTP. */
  answer(query: LargeQuery): Promise<WrittenAnswer>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Cheap test without parsing: the gateway writes operations with their type first. */
const isQuery = ({ body }: Request): boolean => /^\s*(query\b|\{)/.test(String((body as { query?: unknown }).query));

export function createSubgraph({
  typeDefs,
  verify,
  logger,
  largeQueries,
  idempotency,
  ...options
}: SubgraphOptions): Subgraph {
  const resolvers = guardReferences(typeDefs, options.resolvers);
  const server = new ApolloServer<SubgraphContext>({
    schema: buildSubgraphSchema({ typeDefs, resolvers: resolvers as GraphQLResolverMap<unknown> }),
    formatError: formatError(logger),
    // Only the gateway can reach this; it has its own rules for introspection and media types.
    introspection: true,
    csrfPrevention: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    documentStore: createDocumentStore(),
    // The gateway removes locations anyway, and their tokens are most of a document's memory.
    parseOptions: { noLocation: true },
    stringifyResult: writeAnswer,
    // Each of these plugins would add a function call per field of every answer.
    plugins: [ApolloServerPluginInlineTraceDisabled(), ApolloServerPluginCacheControlDisabled()],
  });
  const sdl = print(declareScopes(typeDefs, resolvers));
  const router = express.Router();

  const contextOf = (req: Request): SubgraphContext => ({
    caller: callerOf(req),
    requestId: requestIdOf(req),
    languages: languagesOf(req),
  });
  const answerLarge: RequestHandler = async (req, res, next) => {
    const call = presentCall();
    const { query, variables = {} } = req.body as { query?: unknown; variables?: LargeQuery['variables'] };
    if (!largeQueries || !call?.signal || req.get(largeCallHeader) === undefined || typeof query !== 'string') {
      next();
      return;
    }
    const { status, body } = await largeQueries.answer({ query, variables, context: contextOf(req) }, call);
    res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
  };

  return {
    router,
    async answer({ query, variables, context }) {
      const { body, http } = await server.executeOperation({ query, variables }, { contextValue: context });
      if (body.kind !== 'single') throw new Error('an answer in parts');
      return { status: http.status ?? 200, text: await writeAnswer(body.singleResult) };
    },
    async start() {
      await server.start();
      router.get('/', (_req, res) => {
        res.type('text/plain').send(sdl);
      });
      router.post(
        '/',
        authenticate(verify),
        ...jsonBody('1mb'),
        asCall(isQuery),
        ...(idempotency ? [inGraphql(idempotency.graphql(isQuery))] : []),
        answerLarge,
        expressMiddleware(server, { context: ({ req }) => Promise.resolve(contextOf(req)) }),
      );
    },
    stop: () => server.stop(),
  };
}

/** The refusals of `handler` in the form of GraphQL, since the gateway shows no others. */
const inGraphql =
  (handler: RequestHandler): RequestHandler =>
  (req, res, next) => {
    void handler(req, res, (error?: unknown) => {
      if (!(error instanceof AppError)) {
        next(error);
        return;
      }
      const { details } = error;
      const [[, message] = ['', error.message]] = details.errors ?? [];
      const told = details.headers?.['Retry-After'] ? 'CALL_STILL_RUNNING' : 'BAD_USER_INPUT';
      res.json({ data: null, errors: [{ message, extensions: { code: told } }] });
    });
  };

const codes: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'UNAUTHENTICATED',
  insufficient_user_authentication: 'INSUFFICIENT_USER_AUTHENTICATION',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  too_many_calls: 'TOO_MANY_CALLS',
  service_unavailable: 'SERVICE_UNAVAILABLE',
  insufficient_storage: 'INSUFFICIENT_STORAGE',
};

/**
 * Formats errors: refusals keep their message and get their public code; internal errors and outages are logged and
 * answered without detail.
 */
const formatError =
  (logger: Logger) =>
  (formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError => {
    const cause = unwrapResolverError(thrown);
    if (cause instanceof AppError) {
      const { maxAge } = cause.details;
      const code = codes[cause.code] ?? 'BAD_USER_INPUT';
      return { ...formatted, extensions: { code, ...(maxAge !== undefined && { max_age: maxAge }) } };
    }
    const code = formatted.extensions?.['code'];
    if (typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR') return { ...formatted, extensions: { code } };
    logger.error('resolver failed', { path: formatted.path, error: cause });
    const refused = outageRefusal(cause);
    return {
      ...formatted,
      message: refused?.message ?? 'Internal Server Error',
      extensions: { code: (refused && codes[refused.code]) ?? 'INTERNAL_SERVER_ERROR' },
    };
  };
