import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { presentCall } from '../../base/concurrency/present-call';
import type { PresentCall } from '../../base/concurrency/present-call';
import type { Logger } from '../../observing/logs/logger';
import { silentLogger } from '../../observing/logs/logger';
import { waitUntil } from '../../testing/wait-until';
import { createLargeQueries } from './large-queries';
import type { FromLargeQueries, LargeQuery, ToLargeQueries } from './large-query';
import { serveLargeQueries } from './serve-large-queries';

const folder = mkdtempSync(join(tmpdir(), 'large-queries-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The script of a thread that behaves as the text of the query says. */
const script = join(folder, 'thread.js');
writeFileSync(
  script,
  `const { parentPort } = require('node:worker_threads');
  const log = (message, facts) => parentPort.postMessage({ kind: 'log', level: 'info', message, facts });
  parentPort.on('message', ({ kind, id, query, milliseconds }) => {
    if (kind === 'leave') return log('left', { id });
    if (query.query === 'wait') return log('waits', { milliseconds });
    if (query.query === 'exit') process.exit(3);
    if (query.query === 'grow') { const all = []; for (;;) all.push(new Array(1e5).fill({})); }
    parentPort.postMessage({ kind: 'answered', id, status: 200, body: Buffer.from(query.query) });
  });`,
);

const caller = { accountId: 'wdc' } as LargeQuery['context']['caller'];
const queryOf = (query: string): LargeQuery => ({
  query,
  variables: {},
  context: { caller, requestId: 'r', languages: [] },
});
const callOf = (signal = new AbortController().signal): PresentCall => ({ accountId: 'wdc', left: () => 700, signal });

function start() {
  const said: object[] = [];
  const logger: Logger = { ...silentLogger, info: (message, facts) => void said.push({ message, ...facts }) };
  const queries = createLargeQueries({ script, workerData: {}, logger });
  const ask = async (query: string, call = callOf()) =>
    Buffer.from((await queries.answer(queryOf(query), call)).body).toString();
  return { queries, said, ask };
}

test('the thread is notified when a client disconnects, and other queries go on', async () => {
  const { queries, said, ask } = start();
  const leaving = new AbortController();
  const waiting = ask('wait', callOf(leaving.signal));
  await waitUntil('the query', () => said.length > 0);
  expect(said).toEqual([{ message: 'waits', milliseconds: 700 }]);
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  await waitUntil('the thread to know', () => said.length === 2);
  expect(await ask('another')).toBe('another');
  await expect(ask('late', callOf(leaving.signal))).rejects.toThrow('left');
  queries.close();
});

test('when a thread ends its queries fail, and the next query starts another thread', async () => {
  const { queries, ask } = start();
  await expect(ask('exit')).rejects.toThrow('the thread for large calls ended');
  expect(await ask('again')).toBe('again');
  const underWay = ask('wait');
  queries.close();
  await expect(underWay).rejects.toThrow('the thread for large calls ended');
});

test("a query that exhausts the thread's memory fails as too large an answer", async () => {
  const { queries, ask } = start();
  expect(JSON.parse(await ask('grow'))).toMatchObject({ errors: [{ extensions: { code: 'ANSWER_TOO_LARGE' } }] });
  queries.close();
});

test("a query in the thread is aborted by its call's deadline and by the client's disconnect", async () => {
  const { port1, port2 } = new MessageChannel();
  const heard: FromLargeQueries[] = [];
  port2.on('message', (message: FromLargeQueries) => heard.push(message));
  let seen: PresentCall | undefined;
  serveLargeQueries(port1, {
    answer: ({ query }) => {
      seen = presentCall();
      if (query === 'now') return Promise.resolve({ status: 200, text: 'é' });
      return new Promise((_resolve, reject) =>
        seen?.signal?.addEventListener('abort', () => reject(seen?.signal?.reason as Error)),
      );
    },
  });
  const send = (message: ToLargeQueries): void => port2.postMessage(message);
  send({ kind: 'answer', id: 1, query: queryOf('now'), milliseconds: 500 });
  await waitUntil('an answer', () => heard.length === 1);
  expect(heard).toMatchObject([{ kind: 'answered', id: 1, status: 200 }]);
  expect(Buffer.from((heard[0] as FromLargeQueries & { kind: 'answered' }).body).toString()).toBe('é');
  expect(seen?.accountId).toBe('wdc');
  expect(seen?.left()).toBeLessThanOrEqual(500);
  send({ kind: 'answer', id: 2, query: queryOf('later'), milliseconds: 60_000 });
  send({ kind: 'leave', id: 2 });
  await waitUntil('the end', () => heard.length === 2);
  expect(heard[1]).toMatchObject({ kind: 'failed', id: 2 });
  port2.close();
});
