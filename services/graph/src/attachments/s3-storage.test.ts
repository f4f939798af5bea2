import { CreateBucketCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { describeStorage } from './attachment-storage.contract';
import { createS3Storage } from './s3-storage';

const endpoint = process.env['S3_URL'] ?? '';
const Bucket = 'attachments';

// scripts/s3.mjs starts a server.
(endpoint === '' ? describe.skip : describe)('a bucket', () => {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'a/secret+' };
  const client = new S3Client({ endpoint, forcePathStyle: true, region: 'eu-west-1', credentials });
  beforeAll(async () => {
    const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const;
    await client.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration }));
  });
  afterAll(() => client.destroy());

  const where = `region=eu-west-1&endpoint=${encodeURIComponent(endpoint)}`;
  describeStorage(
    createS3Storage(new URL(`s3://key:${encodeURIComponent('a/secret+')}@${Bucket}/of/notes?${where}`)),
    async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'of/notes/' }));
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return [...Contents, ...Uploads].map(({ Key }) => Key ?? '');
    },
  );
});
