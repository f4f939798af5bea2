/// <reference types="jest" />
import type { TypeDescription } from '@itsm/shared/declared/description';
import { possibleSteps } from './steps';
import type { RestRecord } from './values';

const step = { label: '', description: '', done: '', asksNote: false, flags: [], unless: [] };
const type = {
  endUsersSee: ['requestedBy', 'requestedFor'],
  fields: [
    { name: 'requestedBy', rest: 'requested_by' },
    { name: 'requestedFor', rest: 'requested_for' },
    { name: 'completedAt', rest: 'completed_at' },
  ],
  steps: [
    { ...step, name: 'withdraw', from: ['assigned'] },
    {
      ...step,
      name: 'rate',
      from: ['completed'],
      within: { days: 14, field: 'completedAt' },
      unless: [{ field: 'rating', is: ['good', 'bad'], problem: 'rated' }],
    },
  ],
} as unknown as TypeDescription;
const now = new Date('2026-03-15T12:00:00Z');
const namesFor = (values: object, personId = 4): readonly string[] =>
  possibleSteps(
    type,
    { requested_by: { id: 4 }, requested_for: null, ...values } as unknown as RestRecord,
    personId,
    now,
  ).map(({ name }) => name);

test.each([
  ['open', { status: 'assigned' }, ['withdraw']],
  ['just completed', { status: 'completed', completed_at: '2026-03-15T11:00:00Z' }, ['rate']],
  ['completed 14 days ago', { status: 'completed', completed_at: '2026-03-01T12:00:00Z' }, ['rate']],
  ['completed longer ago', { status: 'completed', completed_at: '2026-03-01T11:59:59Z' }, []],
  ['completed at an unknown time', { status: 'completed', completed_at: null }, ['rate']],
  ['rated', { status: 'completed', rating: 'bad' }, []],
] as const)('what is %s', (_what, values, expected) => {
  expect(namesFor(values)).toEqual(expected);
});

test('only those to whom it belongs have steps', () => {
  expect(namesFor({ status: 'assigned' }, 5)).toEqual([]);
  expect(namesFor({ status: 'assigned', requested_for: { id: 5 } }, 5)).toEqual(['withdraw']);
});

test('a type without steps, and one whose records belong to nobody, have none', () => {
  const record = { status: 'assigned', requested_by: { id: 4 } } as unknown as RestRecord;
  const { steps: _none, ...without } = type;
  const { endUsersSee: _nobody, ...ofNobody } = type;
  expect([possibleSteps(without, record, 4, now), possibleSteps(ofNobody, record, 4, now)]).toEqual([[], []]);
});
