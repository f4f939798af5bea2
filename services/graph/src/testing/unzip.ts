import { crc32, inflateRawSync } from 'node:zlib';

const endLength = 22;

/** The files of an archive, by name; throws for one that is not whole. */
export function unzip(archive: Buffer): ReadonlyMap<string, string> {
  const end = archive.subarray(-endLength);
  if (end.readUInt32LE(0) !== 0x0605_4b50) throw new Error('The archive does not end as one');
  const files = new Map<string, string>();
  let at = end.readUInt32LE(16);
  for (let left = end.readUInt16LE(10); left > 0; left -= 1) {
    const [checksum, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset));
    const [nameLength, moreLength] = [28, 30].map((offset) => archive.readUInt16LE(at + offset)) as [number, number];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const head = archive.readUInt32LE(at + 42);
    const start = head + 30 + archive.readUInt16LE(head + 26) + archive.readUInt16LE(head + 28);
    const content = inflateRawSync(archive.subarray(start, start + packed!));
    if (content.length !== size || crc32(content) !== checksum) throw new Error(`${name} is not as it was`);
    files.set(name, content.toString('utf8'));
    at += 46 + nameLength + moreLength;
  }
  return files;
}

/** The cells of a file by RFC 4180, with CRLF between its records. */
export function cellsOf(file: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quoted, plain, end] of file.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    records.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') records.push([]);
  }
  return records.filter((cells) => cells.length > 1);
}
