import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { mongo } from 'mongoose';
import type { Connection } from 'mongoose';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

interface ChunkDocument {
  readonly _id: string;
  readonly data: mongo.Binary;
  readonly expiresAt: Date;
}

/** Uploaded files, stored in chunks that every replica can read; no file is held in memory or on a local disk. */
export interface ImportFileRepository {
  ensureIndexes(): Promise<void>;
  /** Stores the stream; returns its size in bytes. */
  write(id: string, stream: AsyncIterable<Buffer>): Promise<number>;
  /** Reads the file, in pieces that are parsed in one turn of the event loop each. */
  read(id: string): AsyncGenerator<Buffer>;
  remove(id: string): Promise<void>;
}

const chunkBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;
/** A file outlives its import only when a process died in between; a TTL index removes it then. */
const keptMilliseconds = 7 * 24 * 60 * 60 * 1000;

export function createImportFileRepository(connection: Connection, now: () => Date): ImportFileRepository {
  const chunks = connection.collection<ChunkDocument>('import_chunks');
  const idOf = (id: string, nr: number): string => `${id} ${String(nr).padStart(6, '0')}`;

  async function* inChunks(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let parts: Buffer[] = [];
    let size = 0;
    for await (const part of stream) {
      parts.push(part);
      size += part.length;
      if (size < chunkBytes) continue;
      const whole = Buffer.concat(parts);
      let start = 0;
      for (; whole.length - start >= chunkBytes; start += chunkBytes) yield whole.subarray(start, start + chunkBytes);
      parts = [whole.subarray(start)];
      size = whole.length - start;
    }
    if (size > 0) yield Buffer.concat(parts);
  }

  return {
    async ensureIndexes() {
      await ensureIndex(chunks, { expiresAt: 1 }, { expireAfterSeconds: 0 });
    },
    async write(id, stream) {
      const expiresAt = new Date(now().getTime() + keptMilliseconds);
      let bytes = 0;
      let nr = 0;
      for await (const data of inChunks(stream)) {
        bytes += data.length;
        const document = { _id: idOf(id, nr), data: new mongo.Binary(data), expiresAt };
        await chunks.insertOne(document, { writeConcern: durable });
        nr += 1;
      }
      return bytes;
    },
    async *read(id) {
      for (let nr = 0; ; nr += 1) {
        const found = await chunks.findOne({ _id: idOf(id, nr) }, { promoteBuffers: true });
        if (!found) return;
        const data = Buffer.from(found.data as unknown as Buffer);
        for (let at = 0; at < data.length; at += pieceBytes) yield data.subarray(at, at + pieceBytes);
      }
    },
    async remove(id) {
      await chunks.deleteMany({ _id: { $gte: idOf(id, 0), $lte: `${id} 999999` } }, { writeConcern: durable });
    },
  };
}
