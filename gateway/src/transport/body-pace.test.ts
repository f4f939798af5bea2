import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { bodyPace, watchPace } from './body-pace';

/**
 * A body that the test writes piece by piece, a timer that the test advances, and the times at which it was found too
 * slow.
 */
function receive() {
  const req = Object.assign(new PassThrough(), { complete: false });
  const late: string[] = [];
  let now = 0;
  let waiting: { readonly at: number; readonly work: () => void } | undefined;
  const timer = {
    now: () => now,
    after(milliseconds: number, work: () => void) {
      waiting = { at: now + milliseconds, work };
      return () => void (waiting = undefined);
    },
  };
  watchPace(req as unknown as IncomingMessage, ({ code }) => late.push(code), timer);
  return {
    req,
    late,
    pass: async (milliseconds: number) => {
      await turn();
      now += milliseconds;
      if (waiting && waiting.at <= now) waiting.work();
    },
  };
}

test('a body that does not arrive is reported late, once', async () => {
  const { req, late, pass } = receive();
  req.write('g');
  await pass(bodyPace.milliseconds - 1);
  expect(late).toEqual([]);
  await pass(2);
  expect(late).toEqual(['request_timeout']);
  await pass(60_000);
  expect(late).toHaveLength(1);
});

test('a body that keeps the pace may take minutes; when it stops, it is reported late', async () => {
  const { req, late, pass } = receive();
  for (let second = 0; second < 120; second += 1) {
    req.write(Buffer.alloc(bodyPace.bytesPerSecond));
    await pass(1_000);
  }
  expect(late).toEqual([]);
  await pass(bodyPace.milliseconds + 1_000);
  expect(late).toEqual(['request_timeout']);
});

test('a complete body is not watched, and back-pressure does not make a body late', async () => {
  const done = receive();
  done.req.end('all');
  await done.pass(60_000);
  expect(done.late).toEqual([]);
  const held = receive();
  held.req.write('g');
  held.req.pause();
  for (let minute = 0; minute < 3; minute += 1) await held.pass(bodyPace.milliseconds);
  expect(held.late).toEqual([]);
});
