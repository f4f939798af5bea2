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

describe('of a record that a team has got and that has no member', () => {
  const free: Happening = { ...creation, isNew: false, changed: ['team'], workers: {}, owners: [3], freeIn: 8 };
  const noted = { ...free, note: { id: 1, internal: false, mentions: [5] } };

  test('who watches the team is notified, who does not is not, nor who did it', () => {
    const ofTeam = new Map([
      [1, 'all'],
      [4, 'all'],
      [5, 'own'],
    ] as const);
    expect([...concerned({}, free, new Map(), ofTeam)]).toEqual([[4, 'free']]);
  });

  test('a reason that says more comes first, and one that says less does not', () => {
    const everybody = new Map([3, 4, 5, 6].map((id) => [id, 'all'] as const));
    const reopened = { ...noted, statuses: { before: 'completed', after: 'assigned' } };
    expect([...concerned({ closed: ['completed'] }, reopened, new Map([[6, 'all']]), everybody)]).toEqual([
      [5, 'mentioned'],
      [3, 'reopened'],
      [6, 'reopened'],
      [4, 'free'],
    ]);
    expect([...concerned({}, noted, new Map([[4, 'all']]), everybody)]).toEqual([
      [5, 'mentioned'],
      [3, 'free'],
      [4, 'free'],
      [6, 'free'],
    ]);
  });

  test('who has muted the record is not notified of it', () => {
    expect([...concerned({}, free, new Map([[4, 'none']]), new Map([[4, 'all']]))]).toEqual([]);
  });
});
