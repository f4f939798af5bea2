import { connectionArguments } from '../api/graphql/schema';
import { inputName } from './names';
import { isFilled } from './language';
import type { ChoiceField, Field } from './language';

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
  reference: 'ID',
  custom: '[CustomFieldInput!]',
} as const;

const filters = {
  text: 'TextFilter',
  integer: 'IntegerFilter',
  timestamp: 'TimestampFilter',
  date: 'DateFilter',
  person: 'IdFilter',
  record: 'IdFilter',
  account: 'IdFilter',
  people: 'IdFilter',
  reference: 'IdFilter',
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
    case 'reference':
      return `${field.name}: ${field.to.graphqlName}`;
    case 'custom':
      return `${field.name}: [CustomField!]`;
    case 'people':
      return `${field.name}(${connectionArguments}): PersonConnection`;
    default:
      return `${field.name}: ${typeOf(field)}${isFilled(field) && !field.isRestricted ? '!' : ''}`;
  }
}

export const inputField = (field: Field): string => `${inputName(field)}: ${typeOf(field)}`;

/** The type of the field's filter; `prefix` is what the names of filters in the subgraph begin with. */
export function filterType(field: Field, prefix: string): string {
  if (field.kind === 'flag') return 'Boolean';
  if (field.kind === 'custom') return `[${prefix}CustomFilter!]`;
  return isChoice(field) ? `${field.enumName}Filter` : prefix + filters[field.kind];
}

export const choiceTypeDefs = ({ enumName, label, choices, isScalar }: ChoiceField): string => /* GraphQL */ `
  "${isScalar ? `One of ${choices.join(', ')}` : label}."
  ${isScalar ? `scalar ${enumName}` : `enum ${enumName} { ${choices.join(' ')} }`}

  input ${enumName}Filter {
    "Alternatives; null stands for no value."
    values: [${enumName}]!
    negate: Boolean = false
  }
`;
