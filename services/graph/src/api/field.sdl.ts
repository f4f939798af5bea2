import { connectionArguments } from '@itsm/shared/api/graphql/schema';
import { inputName } from '../record-types/record-type';
import type { ChoiceField, Field } from '../record-types/record-type';

const scalars = {
  text: 'String',
  flag: 'Boolean',
  integer: 'Int',
  timestamp: 'ISO8601Timestamp',
  date: 'ISO8601Date',
  person: 'ID',
  record: 'ID',
  account: 'ID',
  people: '[ID!]',
} as const;

const filters = {
  text: 'RecordTextFilter',
  flag: 'Boolean',
  integer: 'RecordIntegerFilter',
  timestamp: 'RecordTimestampFilter',
  date: 'RecordDateFilter',
  person: 'RecordIdFilter',
  record: 'RecordIdFilter',
  account: 'RecordIdFilter',
  people: 'RecordIdFilter',
} as const;

export const isChoice = (field: Field): field is ChoiceField => field.kind === 'choice';

const typeOf = (field: Field): string => (isChoice(field) ? field.enumName : scalars[field.kind]);

export function outputField(field: Field): string {
  switch (field.kind) {
    case 'person':
      return `${field.name}: Person`;
    case 'account':
      return `${field.name}: Account`;
    case 'record':
      return `${field.name}: ${field.to.graphqlName}`;
    case 'people':
      return `${field.name}(${connectionArguments}): PersonConnection`;
    default:
      return `${field.name}: ${typeOf(field)}${field.required ? '!' : ''}`;
  }
}

export const inputField = (field: Field): string => `${inputName(field)}: ${typeOf(field)}`;

export const filterType = (field: Field): string => (isChoice(field) ? `${field.enumName}Filter` : filters[field.kind]);

export const choiceTypeDefs = ({ enumName, label, choices }: ChoiceField): string => /* GraphQL */ `
  "${label}."
  enum ${enumName} { ${choices.join(' ')} }

  input ${enumName}Filter {
    "Alternatives; null stands for no value."
    values: [${enumName}]!
    negate: Boolean = false
  }
`;
