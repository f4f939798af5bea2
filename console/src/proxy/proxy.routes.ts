import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { AppError, badRequest, notFound, unauthorized } from '@itsm/shared/base/errors/app-error';
import { departureOf } from '@itsm/shared/api/http/departure';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import { uploadPaths } from '@itsm/shared/contracts/uploads';
import { accountShown, requireOwnPage } from '../sessions/own-page';
import type { CallsInFlight } from '../sessions/calls-in-flight';
import type { SessionCookie } from '../sessions/session-cookie';
import type { Answer, Call, Upstream } from '../upstream/module';

interface Dependencies {
  readonly upstream: Upstream;
  readonly cookie: SessionCookie;
  readonly calls: CallsInFlight;
  readonly build: string;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The permitted first segments after `/v1/`. */
const resources = new Set([
  'webhooks',
  'webhook_events',
  'webhook_policies',
  'webhook_deliveries',
  'ui_extensions',
  'import',
  'attachments',
  'notes',
  'rate_limit',
  'scopes',
  'types',
  ...Object.values(recordKinds).map(({ plural }) => plural),
]);

// What is compressed, the gateway decides.
const sent = [
  'content-type',
  'content-length',
  'accept',
  'accept-encoding',
  'if-none-match',
  'if-match',
  'idempotency-key',
  'x-service-language',
];
const returned =
  /^(?:content-type|content-length|content-encoding|content-disposition|content-language|vary|etag|link|location|retry-after|x-request-id|x-(?:ratelimit|costlimit|pagination)-[a-z-]+)$/;

/** Proxies the API for the console's pages, with the session's token instead of the cookie. */
export function createProxyRoutes({ upstream, cookie, calls, build }: Dependencies): Router {
  const router = Router({ caseSensitive: true });

  /** Sends the gateway's equivalent of `req`. Bodies are streamed; the gateways on both sides limit them. */
  async function passOn(
    req: Request,
    res: Response,
    { headers, ...call }: Omit<Call, 'body' | 'departure' | 'accountId'>,
  ): Promise<Answer> {
    const session = cookie.read(req);
    if (!session) throw unauthorized();
    calls.begin(session, res, call.isUpload);
    const account = accountShown(req);
    const identity = {
      authorization: `Bearer ${session.token}`,
      ...(account !== undefined && { 'x-service-account': account }),
    };
    return upstream.send(req, {
      ...call,
      accountId: session.account,
      headers: { ...headers, ...identity },
      ...(hasBody(req) && { body: req }),
      departure: departureOf(res),
    });
  }

  const forGateway: RequestHandler = async (req, res) => {
    const method = methods.find((one) => one === req.method);
    if (!method)
      throw new AppError('method_not_allowed', 'Method Not Allowed', { headers: { Allow: methods.join(', ') } });
    if (accountShown(req) === undefined) throw badRequest('X-Console must name an account');
    const isUpload = uploadPaths.some((one) => one === `/v1/${String(req.params['resource'])}`) && method === 'POST';
    const path = req.url.slice('/console'.length);
    await passBack(await passOn(req, res, { method, path, headers: headersIn(req), isUpload }), res);
  };

  router.use('/console', requireOwnPage, (_req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', 'X-Console-Build': build });
    next();
  });
  router.route('/console/graphql').post(forGateway).all(methodNotAllowed('POST'));
  router
    .route('/console/schema')
    .get(async (req, res) => {
      const headers = { ...headersIn(req), accept: 'text/plain' };
      const answer = await passOn(req, res, { method: 'GET', path: '/graphql', headers });
      // Revalidated on each use, and sent again only when it has changed.
      if (answer.statusCode < 400) res.set('Cache-Control', 'private, no-cache');
      await passBack(answer, res);
    })
    .all(methodNotAllowed('GET'));
  router.all(
    '/console/v1/:resource{/*path}',
    (req, _res, next) => {
      if (!resources.has(String(req.params['resource']))) throw notFound();
      next();
    },
    forGateway,
  );
  return router;
}

const hasBody = ({ headers }: Request): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

const headersIn = (req: Request): Record<string, string> =>
  Object.fromEntries(
    sent.flatMap((name) => {
      const value = req.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

function setReturned({ headers }: Answer, res: Response): void {
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && returned.test(name)) res.setHeader(name, value);
}

async function passBack(answer: Answer, res: Response): Promise<void> {
  res.status(answer.statusCode);
  setReturned(answer, res);
  // A pipeline adds six listeners to those of metrics, log, limits and cancellation: more than the ten that Node warns
  // of.
  res.setMaxListeners(16);
  // An error here means that one side disconnected.
  await pipeline(answer.body, res).catch(() => res.destroy());
}
