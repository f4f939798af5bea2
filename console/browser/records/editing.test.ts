/// <reference types="jest" />
import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import type { Role } from '../api/session';
import {
  askedWith,
  fieldsOfNew,
  isEditable,
  isKeeper,
  mayAddInternalNotes,
  mayAddNotes,
  mayCreate,
  mayEdit,
  takingOver,
} from './editing';
import { allowedWords } from '../parts/taking-over';
import type { RestRecord } from './values';

const field = (name: string, more: Partial<FieldDescription> = {}): FieldDescription => ({
  name,
  rest: name,
  input: name,
  restInput: name,
  label: name,
  kind: 'text',
  audience: 'staff',
  required: false,
  written: 'always',
  filterable: false,
  sortable: false,
  ...more,
});
const status = field('status', {
  kind: 'choice',
  words: ['registered', 'assigned', 'accepted', 'waiting_for', 'completed'].map((value) => ({ value, label: value })),
});
const type = {
  fields: [status, field('member', { kind: 'reference', refersTo: 'Person', restInput: 'member_id' })],
  transitions: [{ from: 'completed', to: ['assigned'] }],
  closed: ['completed'],
  takenUpAs: 'accepted',
  writes: { update: ['specialist'] },
} as unknown as TypeDescription;
const record = (values: Readonly<Record<string, unknown>> = {}): RestRecord => ({
  id: 103,
  nodeID: 'x',
  account: { id: 'wdc', name: 'WDC' },
  life_cycle_state: 'active',
  status: 'assigned',
  member: null,
  ...values,
});

test.each([
  ['a specialist', ['specialist'], {}, true],
  ['an end user', ['end_user'], {}, false],
  ['an auditor', ['auditor'], {}, false],
  ['a specialist, archived', ['specialist'], { life_cycle_state: 'archived' }, false],
  ['a specialist, of another account', ['specialist'], { account: { id: 'acme', name: 'Acme' } }, false],
] as const)('%s may edit: %s', (_who, roles, values, expected) => {
  expect(mayEdit(type, record(values), 'wdc', { roles })).toBe(expected);
});

test.each([
  ['auditor', false, false, false],
  ['end_user', true, false, false],
  ['key_contact', true, false, false],
  ['specialist', true, true, false],
  ['directory_administrator', true, true, true],
  ['account_administrator', true, true, true],
] as const)('%s: notes %s, internal ones %s, archive and trash %s', (role, notes, internal, keeps) => {
  const person = { roles: [role] };
  expect([mayAddNotes(person), mayAddInternalNotes(person), isKeeper(person)]).toEqual([notes, internal, keeps]);
});

test.each([
  [{}, true],
  [{ audience: 'machine' }, false],
  [{ written: 'on_change' }, true],
  [{ written: 'on_create' }, false],
  [{ written: 'never', restInput: undefined }, false],
  [{ kind: 'shape' }, false],
  [{ kind: 'reference', many: true }, false],
] as const)('a field with %j is edited: %s', (more, expected) => {
  expect(isEditable(field('one', more))).toBe(expected);
});

test('a status offers itself and those that it may change to; one without a rule offers all', () => {
  const valuesOf = (value: string) => allowedWords(type, status, value).map((word) => word.value);
  expect(valuesOf('completed')).toEqual(['assigned', 'completed']);
  expect(valuesOf('registered')).toHaveLength(5);
});

test('taking over makes the person its member, and accepts work that nobody has taken up', () => {
  expect(takingOver(type, record(), 5)).toEqual({
    body: { member_id: 5, status: 'accepted' },
    fields: ['member', 'status'],
  });
  const worked = record({ status: 'waiting_for', member: { id: 6, name: 'Mia' } });
  expect(takingOver(type, worked, 5)).toEqual({ body: { member_id: 5 }, fields: ['member'] });
});

test('what is one’s own, what has ended and what has no member is not taken over', () => {
  expect(takingOver(type, record({ member: { id: 5, name: 'Howard' } }), 5)).toBeUndefined();
  expect(takingOver(type, record({ status: 'completed' }), 5)).toBeUndefined();
  expect(takingOver({ ...type, fields: [status] }, record(), 5)).toBeUndefined();
});

test('a type without such a status is taken over by its member alone', () => {
  const { takenUpAs: _none, ...plain } = type;
  expect(takingOver(plain, record(), 5)).toEqual({ body: { member_id: 5 }, fields: ['member'] });
});

test('a status asks for the fields that it names, as far as they can be changed', () => {
  const words = [{ value: 'completed', label: 'Completed', asks: ['reason', 'rating'] }];
  const described = {
    ...type,
    fields: [field('reason'), field('rating', { written: 'never' }), field('other')],
  } as unknown as TypeDescription;
  const asking = field('status', { kind: 'choice', words });
  expect(askedWith(described, asking, 'completed').map(({ name }) => name)).toEqual(['reason']);
  expect(askedWith(described, asking, 'assigned')).toEqual([]);
});

test('the form of a new record has what names, places and must be given first, and only what the person may fill in', () => {
  const described = {
    title: 'subject',
    othersFill: ['subject', 'impact', 'category', 'requestedFor'],
    writes: { create: ['specialist', 'end_user'], update: ['specialist'] },
    fields: [
      field('subject', { required: true, audience: 'everybody' }),
      field('impact', { kind: 'choice', audience: 'everybody' }),
      field('category', { kind: 'choice' }),
      status,
      field('team', { kind: 'reference', refersTo: 'Team' }),
      field('requestedFor', { kind: 'reference', refersTo: 'Person', audience: 'everybody' }),
      field('problem', { kind: 'reference', refersTo: 'Problem' }),
      field('completedAt', { written: 'never', restInput: undefined }),
      field('source', { audience: 'machine' }),
    ],
  } as unknown as TypeDescription;
  const namesFor = (role: Role): readonly (readonly string[])[] => {
    const { first, more } = fieldsOfNew(described, { roles: [role] });
    return [first.map(({ name }) => name), more.map(({ name }) => name)];
  };
  expect(namesFor('specialist')).toEqual([
    ['subject', 'team', 'requestedFor'],
    ['impact', 'category', 'problem'],
  ]);
  expect(namesFor('end_user')).toEqual([['subject'], ['impact', 'requestedFor']]);
  expect(mayCreate(described, { roles: ['end_user'] })).toBe(true);
  expect(mayCreate(described, { roles: ['auditor'] })).toBe(false);
  const withAccount = {
    ...described,
    fields: [...described.fields, field('provider', { kind: 'account', required: true })],
  };
  expect(mayCreate(withAccount, { roles: ['specialist'] })).toBe(false);
});
