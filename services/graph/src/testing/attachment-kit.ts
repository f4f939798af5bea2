import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import type { Connection } from 'mongoose';
import { createDirectory } from '../directory/module';
import { createForms } from '../forms/module';
import { createRecords } from '../create-records';
import type { AttachmentSettings } from '../attachments/module';
import type { Client } from './start-graph';
import { baseUrl, nodeIdDomain } from './start-graph';

/** The first bytes of a picture. */
export const picture = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');

/** A folder for files, as an address of a storage. */
export function createFileFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'attachments-'));
  return {
    folder,
    address: pathToFileURL(folder).href,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The work of another process on the same files; `milliseconds` its clock is ahead. */
export function sweeperOf(connection: Connection, settings: AttachmentSettings, now: () => Date) {
  const platform = { connection, logger: silentLogger, now, baseUrl, nodeIdDomain };
  const presence = createPresence({ connection, logger: silentLogger });
  const { attachments, store } = createRecords(platform, {
    directory: createDirectory(platform),
    forms: createForms(platform),
    presence,
    nudge: () => undefined,
    config: settings,
  });
  return { sweeper: attachments.sweeper, store };
}

export const keyFor = async (client: Client): Promise<string> => {
  const { body } = await client.get('/v1/attachments/storage').expect(200);
  return (body as { readonly local: { readonly key: string } }).local.key;
};

/** Posts a file as a form; the key is one of the client, unless it is given. */
export async function upload(client: Client, content: Buffer | string, name = 'a.txt', key?: string) {
  const given = key ?? (await keyFor(client));
  return client
    .rest('post', '/v1/attachments')
    .field('key', given)
    .attach('file', Buffer.from(content), { filename: name, contentType: 'text/html' });
}

/** The key of an uploaded file. */
export async function uploaded(client: Client, content: Buffer | string, name?: string): Promise<string> {
  const { status, body } = await upload(client, content, name);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { readonly key: string }).key;
}
