import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive; its text is read when the archive has come to it. */
export interface ZippedFile {
  readonly name: string;
  readonly content: AsyncIterable<string>;
}

/** What the directory at the end of the archive says of a file. */
interface Entry {
  readonly name: Buffer;
  readonly crc: number;
  readonly size: number;
  readonly packed: number;
  /** Where its header begins. */
  readonly at: number;
}

/** The largest number that fits in the four bytes of the first ZIP formats; a larger one is in a ZIP64 member. */
const mostInFour = 0xffff_ffff;
/** Sizes come after the content, names are UTF-8. */
const flags = 0x0808;
const deflated = 8;
/** The version of the format that knows ZIP64. */
const version = 45;

/**
 * A ZIP archive of the files, as it is read (PKWARE APPNOTE 6.3). Nothing is held but the piece at hand, so a file and
 * the archive may have any size.
 */
export async function* zipOf(files: readonly ZippedFile[], at: Date): AsyncGenerator<Buffer> {
  const modified = dosTime(at);
  const entries: Entry[] = [];
  let position = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const head = headerOf(name, modified);
    yield head;
    const content = deflate(file.content);
    let packed = 0;
    for await (const piece of content.pieces) {
      packed += piece.length;
      yield piece;
    }
    const entry = { name, ...content.read(), packed, at: position };
    const tail = descriptorOf(entry);
    yield tail;
    position += head.length + packed + tail.length;
    entries.push(entry);
  }
  const directory = Buffer.concat(entries.map((entry) => directoryEntry(entry, modified)));
  yield Buffer.concat([directory, endOf(entries.length, directory.length, position)]);
}

/** The content as it is packed; `read` tells its checksum and size, once all pieces were read. */
function deflate(content: AsyncIterable<string>) {
  let crc = 0;
  let size = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const text of content) {
      const bytes = Buffer.from(text);
      crc = crc32(bytes, crc);
      size += bytes.length;
      yield bytes;
    }
  }
  const packing = createDeflateRaw();
  // The reader of the pieces gets the error, too.
  pipeline(Readable.from(counted(), { objectMode: false }), packing).catch(() => undefined);
  return { pieces: packing as AsyncIterable<Buffer>, read: () => ({ crc, size }) };
}

/** Date and time of MS-DOS in two seconds, as a member of ZIP; of UTC, since there is no zone. */
function dosTime(at: Date): Buffer {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return numbers([time, 2], [date, 2]);
}

/** The numbers, each in so many bytes, the lowest first. */
function numbers(...all: readonly (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer {
  return Buffer.concat(
    all.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
      else buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}

const inFour = (value: number): number => Math.min(value, mostInFour);
const isLarge = ({ size, packed }: Entry): boolean => size >= mostInFour || packed >= mostInFour;

/** §4.3.7 */
const headerOf = (name: Buffer, modified: Buffer): Buffer =>
  Buffer.concat([
    numbers([0x0403_4b50, 4], [version, 2], [flags, 2], [deflated, 2]),
    modified,
    numbers([0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]),
    name,
  ]);

/** §4.3.9 */
function descriptorOf(entry: Entry): Buffer {
  const bytes = isLarge(entry) ? 8 : 4;
  return numbers([0x0807_4b50, 4], [entry.crc, 4], [entry.packed, bytes], [entry.size, bytes]);
}

/** §4.3.12, with the member of §4.5.3 for what does not fit. */
function directoryEntry(entry: Entry, modified: Buffer): Buffer {
  const { name, crc, size, packed, at } = entry;
  const large = [size, packed, at].filter((value) => value >= mostInFour);
  const more =
    large.length === 0
      ? Buffer.alloc(0)
      : numbers([1, 2], [8 * large.length, 2], ...large.map((value) => [value, 8] as const));
  return Buffer.concat([
    numbers([0x0201_4b50, 4], [version, 2], [version, 2], [flags, 2], [deflated, 2]),
    modified,
    numbers([crc, 4], [inFour(packed), 4], [inFour(size), 4], [name.length, 2], [more.length, 2]),
    numbers([0, 2], [0, 2], [0, 2], [0, 4], [inFour(at), 4]),
    name,
    more,
  ]);
}

/** §4.3.16, and before it §4.3.14 and §4.3.15 where numbers do not fit. */
function endOf(count: number, size: number, at: number): Buffer {
  const end = numbers([0x0605_4b50, 4], [0, 4], [count, 2], [count, 2], [inFour(size), 4], [inFour(at), 4], [0, 2]);
  if (size < mostInFour && at < mostInFour) return end;
  const rest = numbers([version, 2], [version, 2], [0, 4], [0, 4], [count, 8], [count, 8], [size, 8], [at, 8]);
  const large = Buffer.concat([numbers([0x0606_4b50, 4], [rest.length, 8]), rest]);
  const where = numbers([0x0706_4b50, 4], [0, 4], [at + size, 8], [1, 4]);
  return Buffer.concat([large, where, end]);
}
