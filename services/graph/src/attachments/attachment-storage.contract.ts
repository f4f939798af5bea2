import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AttachmentStorage } from './attachment-storage';

/** The tests that every storage passes; `list` names what is stored, wherever it is. */
export function describeStorage(storage: AttachmentStorage, list: () => Promise<readonly string[]>): void {
  afterAll(() => storage.close());
  const name = () => `wdc/7/${randomUUID()}`;
  const contentOf = async (read: Readable | undefined) => {
    if (!read) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of read as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const inChunks = (content: Buffer, bytes = 60_000) =>
    Readable.from(
      Array.from({ length: Math.ceil(content.length / bytes) }, (_none, n) =>
        content.subarray(n * bytes, (n + 1) * bytes),
      ),
    );

  test.each([0, 1, 100_000, 5 * 1024 * 1024, 12_000_000])('%d bytes are read as they were written', async (bytes) => {
    const [one, content] = [name(), randomBytes(bytes)];
    await storage.write(one, inChunks(content));
    const read = await contentOf(await storage.read(one));
    expect(read && Buffer.compare(read, content)).toBe(0);
  });

  test('what was not written is not there, and removing it is no error', async () => {
    const one = name();
    expect(await storage.read(one)).toBeUndefined();
    await storage.remove(one);
    await storage.write(one, inChunks(Buffer.from('a')));
    await storage.remove(one);
    await storage.remove(one);
    expect(await storage.read(one)).toBeUndefined();
  });

  test.each([1_000, 11_000_000])('of a write that breaks off after %d bytes nothing is left', async (bytes) => {
    const one = name();
    const before = await list();
    const broken = async function* () {
      for await (const chunk of inChunks(randomBytes(bytes))) yield chunk as Buffer;
      throw new Error('The client has left');
    };
    await expect(storage.write(one, Readable.from(broken()))).rejects.toThrow('The client has left');
    expect(await storage.read(one)).toBeUndefined();
    expect(await list()).toEqual(before);
  });
}
