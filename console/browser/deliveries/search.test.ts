/// <reference types="jest" />
import { countedBy, filterOf, spanOf, statesOf } from './search';

const now = new Date('2026-03-18T12:00:00Z');
const span = (search: Parameters<typeof spanOf>[0]): string[] => {
  const { from, until } = spanOf(search, now);
  return [from.toISOString(), until.toISOString()];
};

test.each([
  ['nothing', {}, ['2026-03-17T12:00:00.000Z', '2026-03-18T12:00:00.000Z']],
  ['a span', { since: '1h' }, ['2026-03-18T11:00:00.000Z', '2026-03-18T12:00:00.000Z']],
  ['a moment', { since: '2026-03-01T00:00:00Z' }, ['2026-03-01T00:00:00.000Z', '2026-03-18T12:00:00.000Z']],
  [
    'two moments',
    { since: '2026-03-01T00:00:00Z', until: '2026-03-02T00:00:00Z' },
    ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ],
  [
    'a span before a moment',
    { since: '1h', until: '2026-03-02T00:00:00Z' },
    ['2026-03-01T23:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ],
  [
    'an end to come',
    { until: '2027-01-01T00:00:00Z', since: '2026-03-18T00:00:00Z' },
    ['2026-03-18T00:00:00.000Z', '2026-03-18T12:00:00.000Z'],
  ],
  ['no moment', { since: 'yesterday', until: 'soon' }, ['2026-03-17T12:00:00.000Z', '2026-03-18T12:00:00.000Z']],
])('%s', (_name, search, expected) => expect(span(search)).toEqual(expected));

const eventNames = ['request.create', 'request.update', 'project_task.update', 'task.update'];

test.each([
  ['103', {}, undefined],
  ['requests/103', {}, ['request.create', 'request.update']],
  ['https://service.example/accounts/wdc/tasks/103', {}, ['task.update']],
  ['requests/103', { event: 'request.update,task.update' }, ['request.update']],
  ['requests/103', { event: 'task.update' }, ['request.']],
])('a record that is given as %s with %j: the number, and events of its kind', (object, others, events) => {
  const filter = filterOf(Object.assign({ object }, others), eventNames);
  expect(filter).toEqual({ objectId: { values: [103] }, ...(events && { event: { values: events } }) });
});

test('parameters of the address become a filter, and invalid ones are left out', () => {
  expect(
    filterOf(
      {
        webhook: '1',
        state: 'failed,stopped,broken',
        event: 'request.create',
        problem: 'timeout',
        status: '500,abc',
        object: '103',
        occurrence: 'e-1',
        host: 'receiver.example:443',
        test: 'false',
      },
      eventNames,
    ),
  ).toEqual({
    webhook: { values: ['1'] },
    state: { values: ['failed', 'stopped'] },
    event: { values: ['request.create'] },
    errorClass: { values: ['timeout'] },
    lastStatus: { values: [500] },
    objectId: { values: [103] },
    eventId: { values: ['e-1'] },
    host: { values: ['receiver.example:443'] },
    test: false,
  });
  expect(filterOf({ state: 'broken', object: '', status: 'x' }, eventNames)).toEqual({});
});

test.each([
  ['one webhook', { webhook: '7', state: 'failed', since: '7d' }, { webhook: '7', ignored: [] }],
  ['several webhooks', { webhook: '7,8' }, { webhook: null, ignored: ['Webhook'] }],
  ['nothing', {}, { webhook: null, ignored: [] }],
  [
    'what the API does not count by',
    { event: 'request.create', object: 'requests/1', host: 'x' },
    { webhook: null, ignored: ['Event', 'Record', 'Host'] },
  ],
])('the counts of %s', (_name, search, expected) => expect(countedBy(search)).toEqual(expected));

test('the chosen states are those that exist', () => {
  expect(statesOf({ state: 'stopped,failed,lost' })).toEqual(['failed', 'stopped']);
  expect(statesOf({})).toEqual([]);
});
