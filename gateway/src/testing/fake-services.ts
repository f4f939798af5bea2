import { randomBytes } from 'node:crypto';
import express from 'express';
import type { ErrorRequestHandler, Express, Response } from 'express';
import { parse } from 'graphql';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { loadConnection } from '@itsm/shared/api/graphql/connections';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import {
  connectionArguments,
  connectionTypeDefs,
  sharedResolvers,
  sharedTypeDefs,
} from '@itsm/shared/api/graphql/schema';
import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { createSubgraph } from '@itsm/shared/api/graphql/subgraph';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { CallerVerifier } from '@itsm/shared/api/identity/caller-token';
import { silentLogger } from '@itsm/shared/observing/logs/logger';

export const nodeIdOf = (type: string, id: number | string): string => toNodeId('service.example', type, id);

/** The people subgraph of auth; `resolved` is called for each reference that is resolved. */
export async function mountPeople(http: Express, verify: CallerVerifier, resolved: () => void): Promise<void> {
  const typeDefs = parse(`${sharedTypeDefs} ${connectionTypeDefs('Person')}
    type Person implements Node @key(fields: "id") { id: ID! name: String! supportID: String }
    type Query { me: Person people(${connectionArguments}): PersonConnection }`);
  const resolvers = {
    ...sharedResolvers,
    Person: {
      __resolveReference: ({ id }: { id: string }) => {
        if (id === nodeIdOf('Person', 404)) throw notFound();
        resolved();
        return { id, name: `Person ${id}` };
      },
      supportID: () => {
        throw new Error('connection string mongodb://secret');
      },
    },
    Query: {
      me: (_parent: unknown, _args: unknown, { caller }: SubgraphContext) => ({ id: '1', name: caller.name }),
      people: (_parent: unknown, args: ConnectionArgs) =>
        loadConnection(args, {
          read: () => Promise.resolve([{ id: 1, name: 'Ada' }]),
          count: () => Promise.resolve(1),
        }),
    },
  };
  await mount(http, typeDefs, resolvers, verify);
}

/** The requests subgraph of graph; `executed` is called for each operation that reaches it. */
export async function mountRequests(http: Express, verify: CallerVerifier, executed: () => void): Promise<void> {
  const typeDefs = parse(`${sharedTypeDefs} ${connectionTypeDefs('Request')}
    type Person @key(fields: "id", resolvable: false) { id: ID! }
    type Request implements Node @key(fields: "id") {
      id: ID! subject: String account: String requestedBy: Person parent: Request
      requests(${connectionArguments}): RequestConnection
    }
    type RequestPayload { request: Request }
    type Query { requests(${connectionArguments}): RequestConnection request(id: ID!): Request }
    type Mutation { requestCreate(subject: String): RequestPayload }`);
  const record = (id: number, account: string) => ({ id, subject: `Request ${id}`, account, requestedBy: { id: '7' } });
  const source = (account: string) => ({
    read: () => Promise.resolve([record(1, account), record(2, account)]),
    count: () => Promise.resolve(2),
  });
  const resolvers = {
    ...sharedResolvers,
    Request: {
      // The account `wdc` has the requests 1 and 2; no caller may read 3.
      async __resolveReference({ id }: { id: string }, { caller }: SubgraphContext) {
        if (id === nodeIdOf('Request', 3)) throw new AppError('forbidden', 'Missing required scope(s): request:Read');
        const known = [1, 2].find((number) => nodeIdOf('Request', number) === id);
        return known && caller.accountId === 'wdc' ? { ...record(known, caller.accountId), id } : undefined;
      },
      requests: () => null,
    },
    Query: {
      requests: (_parent: unknown, args: ConnectionArgs, { caller }: SubgraphContext) => {
        executed();
        return loadConnection(args, source(caller.accountId));
      },
      request: () => {
        throw notFound();
      },
    },
    Mutation: {
      requestCreate: (_parent: unknown, { subject }: { subject: string }) => {
        executed();
        return { request: { id: 3, subject } };
      },
    },
  };
  await mount(http, typeDefs, resolvers, verify);
}

async function mount(
  http: Express,
  typeDefs: ReturnType<typeof parse>,
  resolvers: ResolverMap,
  verify: CallerVerifier,
): Promise<void> {
  const subgraph = createSubgraph({ typeDefs, resolvers, verify, logger: silentLogger });
  await subgraph.start();
  http.use('/graphql', subgraph.router);
}

/** A text that cannot be compressed to less than three quarters of its length. */
export const longText = (length: number): string => randomBytes(length).toString('base64').slice(0, length);

/** Paths with other answers: a text of that length with a strong tag, for nobody's store, with a cookie, or one that breaks off. */
const otherAnswers: readonly (readonly [path: RegExp, answer: (res: Response, length: number) => void])[] = [
  [/\/long\/(\d+)$/, (res, length) => res.set('ETag', '"strong"').type('text').send(longText(length))],
  [/\/private\/(\d+)$/, (res, length) => res.set('Cache-Control', 'no-store').type('text').send(longText(length))],
  [/\/cookie\/(\d+)$/, (res, length) => res.cookie('a', 'b').type('text').send(longText(length))],
  [
    /\/broken\/(\d+)$/,
    (res, length) => {
      res.set('Content-Length', String(length)).write('{');
      res.socket?.end();
    },
  ],
];

/** A REST service that answers with the request as it arrived. */
export function createEcho(): Express {
  const http = express();
  http.use((req, res, next) => {
    if (req.path === '/graphql') next('router');
    else next();
  });
  // As a service of an earlier release.
  http.get('/v1/types', (_req, res) => void res.sendStatus(404));
  http.use(async (req, res) => {
    if (req.path.endsWith('/silent')) return;
    for (const [path, answer] of otherAnswers) {
      const [, length] = path.exec(req.path) ?? [];
      if (length !== undefined) return answer(res, Number(length));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks).length;
    const status = req.path.endsWith('/teapot') ? 418 : 200;
    const isChallenged = req.path.endsWith('/challenged');
    if (isChallenged) res.setHeader('WWW-Authenticate', 'Bearer error="insufficient_user_authentication"');
    res.setHeader('X-Service-Time', new Date().toISOString());
    res.status(isChallenged || req.path.endsWith('/refused') ? 401 : status);
    res.json({ method: req.method, url: req.originalUrl, headers: req.headers, bytes });
  });
  // The client may disconnect in the middle of a body.
  const leave: ErrorRequestHandler = (error, _req, res, next) => (res.headersSent ? next(error) : void res.destroy());
  http.use(leave);
  return http;
}
