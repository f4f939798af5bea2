import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { AttachmentStorage } from './attachment-storage';

/** S3 takes no smaller part of an object but the last one; so much of a file is in memory. */
const partBytes = 5 * 1024 * 1024;

/** A bucket of an S3-compatible storage. Without credentials in the address, those of the process are used. */
export function createS3Storage({ host: Bucket, pathname, username, password, searchParams }: URL): AttachmentStorage {
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  const endpoint = searchParams.get('endpoint');
  const credentials = { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
  const client = new S3Client({
    region: searchParams.get('region') ?? 'us-east-1',
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(username !== '' && { credentials }),
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000 },
  });
  const objectOf = (name: string) => ({ Bucket, Key: prefix === '' ? name : `${prefix}/${name}` });

  async function writeInParts(name: string, first: Buffer, rest: AsyncGenerator<Buffer, void>): Promise<void> {
    const object = objectOf(name);
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
      const put = async (Body: Buffer): Promise<void> => {
        const PartNumber = Parts.length + 1;
        const { ETag } = await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body }));
        Parts.push({ PartNumber, ETag });
      };
      await put(first);
      for await (const part of rest) await put(part);
      await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
    } catch (error) {
      await client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => undefined);
      throw error;
    }
  }

  return {
    async write(name, content) {
      const parts = inParts(content);
      const { value: first = Buffer.alloc(0) } = (await parts.next()) as { value: Buffer | undefined };
      if (first.length >= partBytes) await writeInParts(name, first, parts);
      else await client.send(new PutObjectCommand({ ...objectOf(name), Body: first }));
    },
    async read(name) {
      try {
        const { Body } = await client.send(new GetObjectCommand(objectOf(name)));
        return Body as Readable;
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand(objectOf(name)));
    },
  };
}

/** The content in parts of `partBytes`, the last one shorter. */
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
