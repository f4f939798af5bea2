import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createImportFileRepository } from '../imports/import-file.repository';
import { createImportRepository } from '../imports/import.repository';
import type { ClaimedImport } from '../imports/import.repository';
import { account, anImport, later, now } from './sample-documents';

const lease = { owner: 'process', until: later };
const gone = ['process 1', 'process 2'];
const claimed = { ...anImport(17), id: 'import 17', fence: 1 } as unknown as ClaimedImport;
const progress = {
  line: 5,
  blank: 0,
  results: { created: 1, updated: 0, unchanged: 0, failures: 1 },
  reserved: {} as never,
};

async function* chunks(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from('a,b\n1,2\n'));
}

/** One sample call for each method of each repository of `imports/`. */
export const exercisesOfImports = (connection: Connection): Exercise[] => [
  exercise('createImportRepository', createImportRepository(connection), {
    insert: (all) => all.insert({ ...claimed, id: 'new' }),
    find: (all) => all.find(account, 'import 17'),
    list: (all) => all.list(account, 100),
    cancel: (all) => all.cancel(account, 'import 37', now),
    countUnfinished: (all) => all.countUnfinished(account),
    isDue: (all) => all.isDue(now, gone, ['greedy']),
    claim: (all) => all.claim(now, gone, lease, ['greedy']),
    reserve: (all) => all.reserve(claimed, {} as never),
    advance: (all) =>
      all.advance(claimed, { ...progress, failures: [{ line: 1, column: null, message: 'x' }] }, now, lease),
    send: (all) =>
      all.send(
        { ...claimed, id: 'import 57' },
        { line: 1, blank: 0, areLast: false },
        { id: 'm', contract: 'c', message: '{}' },
        now,
        later,
      ),
    count: (all) => all.count('import 57', 1, { ...progress, failures: [] }, now),
    finish: (all) => all.finish({ ...claimed, id: 'import 37' }, { state: 'done' }, now),
    release: (all) => all.release(claimed, now),
    failures: (all) => all.failures('import 1', 100, 20),
  }),
  exercise(
    'createImportFileRepository',
    createImportFileRepository(connection, () => now),
    {
      write: (all) => all.write('new', chunks()),
      async read(all) {
        for await (const data of all.read('import 17')) if (data.length === 0) return;
      },
      remove: (all) => all.remove('import 18'),
    },
  ),
];
