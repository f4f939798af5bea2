import { Router } from 'express';
import type { Request, Response } from 'express';
import type { Coordination, WindowState } from '@itsm/shared/stores/coordination/coordination';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { limits } from '@itsm/shared/pricing/limits';
import { setRateHeaders, toEpochSeconds } from './limit-answers';
import { costWindow, costWindowOf, requestWindows, requestWindowsOf } from './windows';

const present = (state: WindowState | undefined, seconds: number) => ({
  seconds,
  limit: state?.limit,
  remaining: state?.remaining,
  reset: state && toEpochSeconds(state.resetAt),
});

/** `GET /v1/rate_limit`: the state of all windows of the caller, without counting a request. */
export function createRateLimitRoutes(
  coordination: Coordination,
  limitKeyOf: (req: Request, res: Response) => Promise<string>,
): Router {
  const router = Router();
  router
    .route('/v1/rate_limit')
    .get(async (req, res) => {
      const limitKey = await limitKeyOf(req, res);
      const asked = [...requestWindowsOf(limitKey, 0), costWindowOf(limitKey, 0)];
      const { windows } = await coordination.take(asked, []).catch(() => {
        throw new AppError('service_unavailable', 'Service Unavailable');
      });
      setRateHeaders(res, windows.slice(0, requestWindows.length));
      res.set('Cache-Control', 'no-store').json({
        requests: requestWindows.map(({ seconds }, index) => present(windows[index], seconds)),
        cost: present(windows[requestWindows.length], costWindow.seconds),
      });
    })
    .all(methodNotAllowed('GET'));
  router
    .route('/docs/limits')
    .get((_req, res) => {
      res.type('text/plain').send(limitsInWords());
    })
    .all(methodNotAllowed('GET'));
  return router;
}

/** The text at the `documentationUrl` of a refusal. */
const limitsInWords = (): string =>
  [
    ...requestWindows.map(
      ({ limit, seconds }) => `Requests: ${limit} in ${seconds} seconds, GraphQL and REST together.`,
    ),
    `GraphQL points: ${costWindow.limit} in ${costWindow.seconds} seconds; see the x-costlimit-* headers and rateLimit.`,
    `GraphQL calls: depth ${limits.depth}, ${limits.nodes} nodes, page size ${limits.pageSize}, ${limits.mutations} mutation.`,
    `Aliases: a field can be selected again at its place under other aliases ${limits.repetitions} times in a call; after the first ${limits.freeRepetitions}, repetitions can ask for ${limits.repeatedValues} values, page sizes counted.`,
    'Counted per person for personal access tokens, per application and person for application tokens.',
    'GET /v1/rate_limit shows what is left without counting as a request.',
    '',
  ].join('\n');
