import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { create, createUntilRefused, credentials, expectRecords, idIn } from './changes';
import { freePort } from './free-port';
import { killGroups } from './operations/process-group';
import { startReplicaSet } from './operations/replica-set';
import { startPlatformProcess } from './platform-process';
import { mountDisk } from './small-disk';
import { call } from './tour/api';

// A mongod is there where the environment has servers. Only root can mount a disk.
const withMongod = process.env['MONGODB_URL'] !== undefined && process.getuid?.() === 0 ? test : test.skip;

afterEach(killGroups);

withMongod(
  'a MongoDB whose disk is full ends itself: calls get 503, and with room it starts again with all that was acknowledged',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'itsm-full-mongodb-'));
    const own = mkdtempSync(join(tmpdir(), 'itsm-full-mongodb-'));
    // Its journal alone takes 300 MB.
    const disk = mountDisk(directory, '512m');
    const set = await startReplicaSet(directory, 1);
    const [node] = set.nodes;
    const data = { directory: own, mongodbUrl: set.urlOf('itsm') };
    const platform = await startPlatformProcess({ port: await freePort(), data });
    const { demo } = platform;
    try {
      const acknowledged = [idIn(await create(demo, 'Help!'))];
      disk.fill(0);
      const { acknowledged: more, answer } = await createUntilRefused(demo, 'It does not fit. '.repeat(1_000));
      acknowledged.push(...more);
      expect(answer).toMatchObject({
        status: 503,
        body: { errors: [{ message: 'Service Unavailable', extensions: { code: 'SERVICE_UNAVAILABLE' } }] },
      });
      expect(answer.headers.get('retry-after')).toBe('5');
      disk.makeRoom();
      await node?.start();
      const isWell = async () => (await call(`${demo.base_url}/v1/people`, credentials(demo))).status === 200;
      await waitUntil('calls to be answered', isWell);
      acknowledged.push(idIn(await create(demo, 'Help!')));
      await expectRecords(demo, acknowledged);
    } finally {
      await platform.stop();
      killGroups();
      disk.remove();
      for (const folder of [directory, own]) rmSync(folder, { recursive: true, force: true });
    }
  },
);
