import { exercise } from '@itsm/shared/testing/store-commands';
import type { Exercise } from '@itsm/shared/testing/store-commands';
import type { Connection } from 'mongoose';
import { createRowsRepository } from '../../imports/rows.repository';
import { later, now, sample } from './sample';

/** A sample of each collection of `imports/`, as it is stored: the `n`-th. */
export const documents = {
  person_imports: (n: number) => ({
    _id: `import ${n}`,
    rows: { 2: { id: n, version: 0 } },
    expiresAt: later,
  }),
};

const batch = { importId: 'import', line: sample };
const outcome = { results: { created: 1, updated: 0, unchanged: 0, failures: 0 }, failures: [] };

/** One sample call for each method of each repository of `imports/`. */
export const exercises = (connection: Connection): Exercise[] => [
  exercise('createRowsRepository', createRowsRepository(connection), {
    async begin(rows) {
      await rows.begin(batch, now);
      await rows.begin({ ...batch, importId: 'new' }, now);
    },
    async reservations(rows) {
      const reservations = rows.reservations(batch);
      await reservations.of(2);
      await reservations.reserve(2, { id: 1, version: 0 });
      await reservations.reserve(3, { id: 1, version: 0 });
    },
    async finish(rows) {
      await rows.finish(batch, outcome);
      await rows.finish(batch, outcome);
    },
  }),
];
