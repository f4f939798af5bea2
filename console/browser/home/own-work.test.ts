import { byTurn, workOf } from './own-work';
import type { Work } from './own-work';

const of = (id: string, more: Partial<Work> = {}): Work => ({
  id,
  number: 1,
  type: 'request',
  subject: id,
  status: 'accepted',
  priority: null,
  from: undefined,
  team: undefined,
  updatedAt: '2026-03-18T12:00:00Z',
  ...more,
});
const ids = (work: readonly Work[]) => work.map(({ id }) => id);

test('the highest priority comes first, and of one priority what was left alone for longest', () => {
  const work = [
    of('none'),
    of('low', { priority: 'low' }),
    of('high', { priority: 'high' }),
    of('high and old', { priority: 'high', updatedAt: '2026-03-17T23:00:00+02:00' }),
    of('top', { priority: 'top' }),
    of('none and old', { updatedAt: '2026-03-01T12:00:00Z' }),
    of('medium', { priority: 'medium' }),
  ];
  expect(ids(byTurn(work, []).own)).toEqual(['top', 'high and old', 'high', 'medium', 'low', 'none and old', 'none']);
});

test('what waits for somebody else is apart, until something new is known of it', () => {
  const work = ['waiting_for', 'waiting_for_customer', 'workflow_pending', 'in_progress', 'on_backlog'].map((status) =>
    of(status, { status }),
  );
  expect(ids(byTurn(work, []).own)).toEqual(['in_progress', 'on_backlog']);
  expect(ids(byTurn(work, []).waiting)).toEqual(['waiting_for', 'waiting_for_customer', 'workflow_pending']);
  const answered = { record: { id: 'waiting_for_customer', number: 1, type: 'Request', title: '' } };
  expect(ids(byTurn(work, [answered, { record: null }]).own)).toContain('waiting_for_customer');
});

test('work is of several types, and a type that was refused leaves the others', () => {
  const task = {
    id: 't',
    number: 3,
    subject: 'Mount',
    status: 'assigned' as const,
    team: null,
    updatedAt: '2026-03-18T12:00:00Z',
  };
  expect(workOf({ requests: null, problems: null, tasks: { totalCount: 1, nodes: [task] } })).toEqual([
    { ...task, type: 'task', priority: null, from: undefined, team: undefined },
  ]);
});
