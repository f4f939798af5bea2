import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import type { Connection } from 'mongoose';
import supertest from 'supertest';
import { createDirectory } from '../directory/module';
import { createForms } from '../forms/module';
import { createRecords } from '../create-records';
import type { AttachmentSettings } from '../attachments/module';
import type { Client, Options } from './start-graph';
import { baseUrl, nodeIdDomain, startGraph } from './start-graph';

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
function sweeperOf(connection: Connection, settings: AttachmentSettings, now: () => Date) {
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
  const { body } = (await client.get('/v1/attachments/storage').expect(200)) as { readonly body: unknown };
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
  const { status, body } = (await upload(client, content, name)) as { readonly status: number; readonly body: unknown };
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { readonly key: string }).key;
}

/** A file as a note shows it. */
interface Shown {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly inline: boolean;
  readonly content_type: string;
  readonly uri: string;
}

/** The files of a note in REST. */
export const shownIn = (body: unknown) => (body as { readonly attachments: readonly Shown[] }).attachments;

/** Limits of the service of `startFiles`, in bytes. */
export const [mostBytes, quota] = [100_000, 400_000] as const;

/** The service with a folder for files, and what tests look at. */
export async function startFiles(options: Pick<Options, 'types' | 'around'> = {}) {
  const [mongo, keys, files] = [await startEmbeddedMongo(), await startCallerKeys(), createFileFolder()];
  const settings = { attachments: files.address, attachmentMaxBytes: mostBytes, attachmentQuotaBytes: quota };
  const graph = await startGraph(mongo, keys, undefined, { attachments: settings, ...options });
  const { connection, clock, app } = graph;
  let accounts = 0;
  const process = (ahead: number) => sweeperOf(connection, settings, () => new Date(clock.now().getTime() + ahead));

  /** A specialist, an end user and an auditor of an account of their own, with a request of the end user. */
  async function openAccount() {
    accounts += 1;
    const account = `files-${accounts}`;
    const first = accounts * 10;
    const person = async (id: number, role: 'specialist' | 'end_user' | 'auditor') => {
      await graph.publishPerson({ id, accountId: account });
      return graph.as(role, { sub: String(id), home: account }, account);
    };
    const specialist = await person(first + 1, 'specialist');
    const user = await person(first + 2, 'end_user');
    const auditor = await person(first + 3, 'auditor');
    const given = { subject: 'Printer', requested_by_id: first + 2 };
    const made = await specialist.rest('post', '/v1/requests', given).expect(201);
    const { id, nodeID } = made.body as { id: number; nodeID: string };
    return { account, specialist, user, auditor, id, nodeID, notes: `/v1/requests/${id}/notes` };
  }

  /** Calls without a token. */
  const anybody = () => atPublicAddress(supertest(app.http), baseUrl);
  return {
    graph,
    openAccount,
    anybody,
    download: (uri: string) => anybody().get(uri).buffer(true),
    async usage(account: string) {
      const usages = connection.collection<{ _id: string; bytes: number; arriving: string[] }>('attachment_usages');
      const found = await usages.findOne({ _id: account });
      return { bytes: found?.bytes ?? 0, arriving: found?.arriving ?? [] };
    },
    /** The names of the stored files. */
    objects: (account: string) =>
      readdirSync(files.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.parentPath.includes(`/${account}/`))
        .map(({ name }) => name),
    /** Another process, whose clock is that many milliseconds ahead. */
    process,
    sweep: (ahead: number) => process(ahead).sweeper.work(),
    async stop() {
      await graph.stop();
      await keys.close();
      await mongo.close();
      files.remove();
    },
  };
}
