import request from 'supertest';
import { createHttp } from '../../api/http/create-http';
import { addLogFact, inLogContext } from './log-context';
import { createLogger } from './logger';

function startLogging() {
  const lines: string[] = [];
  return { lines, logger: createLogger('test', 'info', (line) => lines.push(line)) };
}

const factsIn = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('every log line of a request has its id, and not that of another request', async () => {
  const { lines, logger } = startLogging();
  const http = createHttp(logger, (app) => {
    app.get('/:account', async (req, res) => {
      addLogFact('accountId', req.params.account);
      await new Promise((resolve) => setImmediate(resolve));
      logger.info('worked');
      res.end();
    });
  });
  await Promise.all(
    ['wdc', 'acme'].map((account) => request(http).get(`/${account}`).set('X-Request-Id', `request-${account}`)),
  );
  expect(
    factsIn(lines)
      .map(({ requestId, accountId }) => [requestId, accountId])
      .sort(),
  ).toEqual([
    ['request-acme', 'acme'],
    ['request-wdc', 'wdc'],
  ]);
});

test('the fields of a line take precedence over those of its context, which ends with the work', () => {
  const { lines, logger } = startLogging();
  inLogContext({ accountId: 'wdc' }, () => logger.info('inside', { accountId: 'acme' }));
  addLogFact('accountId', 'lost');
  logger.info('outside');
  expect(factsIn(lines).map(({ accountId }) => accountId)).toEqual(['acme', undefined]);
});
