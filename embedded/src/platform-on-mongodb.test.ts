import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { openDataDirectory } from './data/data-directory';
import { readDemoFile } from './demo/demo-file';
import { startPlatform } from './platform';
import { freePort } from './testing/console-browser';

// Stand-ins for MongoDB servers: the platform knows only their addresses.
let one: EmbeddedMongo;
let other: EmbeddedMongo;
let folder: string;
beforeAll(async () => {
  [one, other] = await Promise.all([startEmbeddedMongo(), startEmbeddedMongo()]);
  folder = mkdtempSync(join(tmpdir(), 'itsm-mongodb-'));
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  rmSync(folder, { recursive: true });
});

async function start(name: string, mongodbUrl: string | undefined) {
  const data = openDataDirectory(join(folder, name));
  const platform = await startPlatform({
    port: await freePort(),
    data,
    mongodbUrl,
    logLevel: 'error',
    progress: () => {},
  });
  return { platform, demo: readDemoFile(data.demoFile) };
}

/** Starts a platform, sends a query as the administrator of its demo file, and stops it. */
async function answerTo(name: string, mongodbUrl: string | undefined): Promise<unknown> {
  const { platform, demo } = await start(name, mongodbUrl);
  const token = demo.accounts.wdc.administrator.personal_access_token;
  const answer = await fetch(demo.graphql_url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-service-account': 'wdc',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: '{ me { name } }' }),
  });
  const body: unknown = await answer.json();
  await platform.close();
  return body;
}

const ellen = { data: { me: { name: 'Ellen Brown' } } };

test('the demo people of a data folder can call the API with each store of its data', async () => {
  expect(await answerTo('first', one.urlOf('own'))).toEqual(ellen);
  expect(existsSync(join(folder, 'first', 'mongo'))).toBe(false);
  // The same prefix of the database names, which is all that the file knows, but an empty server.
  expect(await answerTo('first', other.urlOf('own'))).toEqual(ellen);
  expect(await answerTo('first', undefined)).toEqual(ellen);
  // The databases have the people; the file has lost their passwords and tokens.
  expect(await answerTo('first', one.urlOf('own'))).toEqual(ellen);
});

test('with another data folder the databases are not opened: it lacks their keys', async () => {
  await expect(start('second', one.urlOf('own'))).rejects.toThrow(
    'the data in the store were sealed with the keys of another data folder.',
  );
});
