import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { createBodies } from './bodies';
import { readJson } from './read-json';

const request = (headers: Record<string, string> = {}) =>
  Object.assign(new PassThrough({ autoDestroy: false }), {
    complete: false,
    headers: { 'content-type': 'application/json', ...headers },
  });

const read = (req: ReturnType<typeof request>) =>
  readJson(req as unknown as IncomingMessage, { limit: 1_000, owner: 'wdc', bodies: createBodies() });

test.each([
  ['plain', {}, (text: string) => Buffer.from(text)],
  ['gzip', { 'content-encoding': 'gzip' }, gzipSync],
])('once a %s body is read, the close of its request is ignored', async (_name, headers, encode) => {
  const req = request(headers);
  const before = req.listenerCount('close');
  const reading = read(req);
  req.end(encode('{"a":1}'));
  expect(await reading).toEqual({ a: 1 });
  expect(req.listenerCount('close')).toBe(before);
});

test('a request that is closed before the end of its body was aborted', async () => {
  const req = request();
  const reading = read(req);
  req.write('{"a":');
  req.destroy();
  await expect(reading).rejects.toThrow('The request was aborted');
});
