/// <reference types="jest" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from '@0no-co/graphql.web';
import { buildSchema, parse, validate } from 'graphql';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { bulkUpdateOf, changeInput, itemsOf, refusedIn } from './bulk-job';
import type { EditableField } from './editing';
import type { ListedRecord } from './list-document';

const schema = buildSchema(readFileSync(join(__dirname, '../../schema.graphql'), 'utf8'));
const fields = [
  { name: 'member', restInput: 'member_id', input: 'memberId', kind: 'reference' },
  { name: 'status', restInput: 'status', input: 'status', kind: 'choice' },
  { name: 'completionReason', restInput: 'completion_reason', input: 'completionReason', kind: 'choice' },
] as unknown as readonly EditableField[];
const type = { graphqlName: 'ProjectTask', member: 'projectTask', fields } as unknown as TypeDescription;
const [member, status] = fields as [EditableField, EditableField];
const records = [101, 102, 103].map((number) => ({ number }) as ListedRecord);

test('the mutation of a type with two words is valid', () => {
  expect(validate(schema, parse(print(bulkUpdateOf(type))))).toEqual([]);
});

test('a change is the same input of each record, with ids as texts', () => {
  const given = changeInput(type, { field: member, value: { id: 2, name: 'Howard' }, more: {} });
  expect(itemsOf(records.slice(0, 2), given)).toEqual([
    { id: '101', memberId: '2' },
    { id: '102', memberId: '2' },
  ]);
  expect(changeInput(type, { field: member, value: null, more: {} })).toEqual({ memberId: null });
  const more = { completion_reason: 'solved' };
  expect(changeInput(type, { field: status, value: 'completed', more })).toEqual({
    status: 'completed',
    completionReason: 'solved',
  });
});

test('the lines of a log name the records by their places', () => {
  const log =
    'line,column,message\n1,"","Not Found"\n3,"status","Status ""lost"", is not\none of them"\n9,"","Beyond"\n';
  expect(refusedIn(log, records)).toEqual([
    { number: 101, message: 'Not Found' },
    { number: 103, message: 'Status "lost", is not\none of them' },
  ]);
});
