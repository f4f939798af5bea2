import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { createFileFolder, upload } from '../testing/attachment-kit';
import { startGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
const files = createFileFolder();
const folder = mkdtempSync(join(tmpdir(), 'scan-'));
beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
});
afterAll(async () => {
  await keys.close();
  await mongo.close();
  files.remove();
  rmSync(folder, { recursive: true });
});

/** The service with a scan by this program, which gets the path of a file for its findings. */
async function withScan(program: string) {
  const script = join(folder, 'scan.cjs');
  writeFileSync(script, program);
  const attachmentScan = `${process.execPath} ${script} ${join(folder, 'found')}`;
  const settings = { attachments: files.address, attachmentMaxBytes: 4_000_000, attachmentScan };
  const graph = await startGraph(mongo, keys, undefined, { attachments: settings });
  return { graph, specialist: graph.as('specialist', { sub: '2' }) };
}

const wholeFile = `
  const { createHash } = require('node:crypto');
  const { writeFileSync } = require('node:fs');
  const hash = createHash('sha256');
  let text = '';
  process.stdin.on('data', (part) => { hash.update(part); text += part.toString('latin1'); });
  process.stdin.on('end', () => {
    writeFileSync(process.argv[2], hash.digest('hex'));
    process.exit(text.includes('a virus') ? 1 : text.includes('too odd') ? 2 : 0);
  });`;

test('the command gets the whole file and decides', async () => {
  const { graph, specialist } = await withScan(wholeFile);
  const content = randomBytes(3_000_000);
  expect((await upload(specialist, content)).status).toBe(200);
  expect(readFileSync(join(folder, 'found'), 'utf8')).toBe(createHash('sha256').update(content).digest('hex'));
  const { status, body } = await upload(specialist, 'has a virus in it');
  expect([status, body]).toMatchObject([422, { errors: [['file', 'File is refused by the scan of this platform']] }]);
  expect((await upload(specialist, 'is too odd')).status).toBe(503);
  const usages = graph.connection.collection<{ _id: string }>('attachment_usages');
  expect(await usages.findOne({ _id: 'wdc' })).toMatchObject({ bytes: 3_000_000, arriving: [] });
  await graph.stop();
});

test('a command that does not read the file, or that does not exist, lets nothing pass', async () => {
  const { graph, specialist } = await withScan('process.exit(0);');
  expect((await upload(specialist, randomBytes(3_000_000))).status).toBe(503);
  await graph.stop();
  const settings = { attachments: files.address, attachmentScan: join(folder, 'nothing') };
  const other = await startGraph(mongo, keys, undefined, { attachments: settings });
  expect((await upload(other.as('specialist', { sub: '2' }), 'a')).status).toBe(503);
  await other.stop();
});
