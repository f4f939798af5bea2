import type { Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';
import type { AttachmentStorage } from './attachment-storage';

/** S3 takes no smaller part of an object but the last one; so much of a file is in memory. */
const partBytes = 5 * 1024 * 1024;

interface Opened {
  readonly s3: typeof S3;
  readonly client: S3.S3Client;
}

/** A bucket of an S3-compatible storage. Without credentials in the address, those of the process are used. */
export function createS3Storage(address: URL): AttachmentStorage {
  const { host: Bucket, pathname } = address;
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  const objectOf = (name: string) => ({ Bucket, Key: prefix === '' ? name : `${prefix}/${name}` });
  let opening: Promise<Opened> | undefined;
  const open = (): Promise<Opened> => (opening ??= connect(address));

  async function writeInParts(name: string, first: Buffer, rest: AsyncGenerator<Buffer, void>): Promise<void> {
    const { s3, client } = await open();
    const object = objectOf(name);
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(object));
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
      const put = async (Body: Buffer): Promise<void> => {
        const PartNumber = Parts.length + 1;
        const { ETag } = await client.send(new s3.UploadPartCommand({ ...object, UploadId, PartNumber, Body }));
        Parts.push({ PartNumber, ETag });
      };
      await put(first);
      for await (const part of rest) await put(part);
      await client.send(new s3.CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
    } catch (error) {
      await client.send(new s3.AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => undefined);
      throw error;
    }
  }

  return {
    async write(name, content) {
      const parts = inParts(content);
      const { value: first = Buffer.alloc(0) } = (await parts.next()) as { value: Buffer | undefined };
      if (first.length >= partBytes) {
        await writeInParts(name, first, parts);
        return;
      }
      const { s3, client } = await open();
      await client.send(new s3.PutObjectCommand({ ...objectOf(name), Body: first }));
    },
    async read(name) {
      const { s3, client } = await open();
      try {
        const { Body } = await client.send(new s3.GetObjectCommand(objectOf(name)));
        return Body as Readable;
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return undefined;
        throw error;
      }
    },
    async remove(name) {
      const { s3, client } = await open();
      await client.send(new s3.DeleteObjectCommand(objectOf(name)));
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      opened?.client.destroy();
    },
  };
}

/** The library is large, so only processes that use it load it. */
async function connect({ username, password, searchParams }: URL): Promise<Opened> {
  const s3 = await import('@aws-sdk/client-s3');
  const endpoint = searchParams.get('endpoint');
  const credentials = { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
  const client = new s3.S3Client({
    region: searchParams.get('region') ?? 'us-east-1',
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(username !== '' && { credentials }),
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000 },
  });
  return { s3, client };
}

/** The content in parts of `partBytes` or a little more, the last one shorter. */
async function* inParts(content: Readable): AsyncGenerator<Buffer, void> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    yield Buffer.concat(chunks);
    [chunks, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(chunks);
}
