import { concerned } from './concerned';
import type { Happening } from './happening';

const creation: Happening = {
  accountId: 'wdc',
  recordType: 'request',
  recordId: 7,
  at: new Date(0),
  person: { id: 1, name: 'Howard' },
  isNew: true,
  changed: ['status', 'member'],
  statuses: { before: null, after: 'assigned' },
  workers: { member: 2 },
  owners: [3],
};

test('who began to watch before the creation was looked at is not notified of it as of a change', () => {
  const levels = new Map([[4, 'all']] as const);
  expect([...concerned({ closed: ['completed'] }, creation, levels)]).toEqual([
    [2, 'assigned'],
    [3, 'created'],
  ]);
  const change = { ...creation, isNew: false, statuses: { before: 'declined', after: 'assigned' } };
  expect([...concerned({ closed: ['completed'] }, change, levels)]).toEqual([
    [2, 'assigned'],
    [4, 'changed'],
  ]);
});
