import { listArguments, listTypeDefs, viewValues } from '../api/graphql/list-arguments';
import { connectionArguments, connectionTypeDefs, idFields } from '../api/graphql/schema';
import { choiceTypeDefs, filterType, inputField, outputField } from './field.sdl';
import { isSetting, isStored, writableFields } from './language';
import type { ChoiceField, Declaration, DerivedField, StoredField } from './language';
import { inputName, memberName, rootField } from './names';
import { settingInput, settingOutput } from './setting-kinds';
import { viewsOf } from './views';

/** Members of a payload that only this answer shows, as SDL. */
interface Once {
  readonly create?: string;
}

/** The SDL of a type: the object, its connection, filters and orders, and the mutations that exist. */
export function declaredTypeDefs(type: Declaration, once: Once = {}): string {
  const stored = type.fields.filter(isStored);
  const writable = writableFields(type);
  const changeable = writable.filter(({ written }) => written !== 'on create');
  const creatable = writable.filter(({ written }) => written !== 'on change');
  return [
    ...stored.filter((field): field is ChoiceField => field.kind === 'choice').map(choiceTypeDefs),
    objectTypeDefs(type),
    ...(type.within ? [] : readTypeDefs(type, stored)),
    mutationTypeDefs(type, 'create', creatable.map(newInputLine), once.create),
    mutationTypeDefs(type, 'update', [
      idLine(type),
      ...(type.isVersioned ? [ifVersionInput] : []),
      ...changeable.map(inputLine),
    ]),
    mutationTypeDefs(type, 'delete', ['id: ID!']),
  ].join('\n');
}

const readTypeDefs = (type: Declaration, stored: readonly StoredField[]): readonly string[] => [
  listTypeDefs(type.graphqlName, filterFields(type), orderNames(type, stored), viewValues(viewsOf(type))),
  ...(type.search ? [idFilterTypeDefs(type)] : []),
  referenceFilters(stored),
  connectionTypeDefs(type.graphqlName),
  queryTypeDefs(type),
];

/** SDL of the version of a record. */
export const versionField = `"Raised by every change." version: Int!`;

/** SDL of the input member that refuses lost updates. */
export const ifVersionInput = `"Nothing is written when the record has another version." ifVersion: Int`;

const described = (help: string | undefined, line: string): string =>
  help === undefined ? line : `${JSON.stringify(help)} ${line}`;

const inputTypeOf = (field: StoredField): string =>
  isSetting(field) ? `${inputName(field)}: ${settingInput(field)}` : inputField(field);

const inputLine = (field: StoredField): string => described(field.help, inputTypeOf(field));

/** Says which value a new record has without it. */
const newInputLine = (field: StoredField): string => {
  const usual =
    'default' in field && isTold(field.default) ? `Default ${[field.default].flat().join(', ')}.` : undefined;
  const help = [field.help, usual].filter((part) => part !== undefined);
  const line = inputTypeOf(field) + (field.mustBeGiven ? '!' : '');
  return described(help.length === 0 ? undefined : help.join(' '), line);
};

/** No, nothing and none need no words. */
const isTold = (value: unknown): boolean => value !== false && String(value) !== '';

function outputLine(field: StoredField | DerivedField): string {
  if (field.kind === 'derived') return described(field.help, `${field.name}: ${field.type}`);
  return described(field.help, isSetting(field) ? settingOutput(field) : outputField(field));
}

const times = ['createdAt', 'updatedAt'];

const idLine = ({ isAccount }: Declaration): string =>
  isAccount ? '"The current account unless it is given." id: ID' : 'id: ID!';

const accountIdFields = /* GraphQL */ `
    id: ID!
    "The value of the header X-Service-Account."
    accountID: String!
`;

const orderNames = (type: Declaration, fields: readonly StoredField[]): string =>
  ['id', ...fields.filter(({ sortable }) => sortable).map(({ name }) => name), ...(type.isTimeless ? [] : times)].join(
    ' ',
  );

function filterOf(field: StoredField | DerivedField, prefix: string): string {
  if (field.kind === 'derived') return field.filter ?? '';
  if (field.kind === 'reference') return `${field.to.graphqlName}IdFilter`;
  return isSetting(field) ? 'Boolean' : filterType(field, prefix);
}

const referenceFilters = (fields: readonly StoredField[]): string =>
  fields
    .flatMap((field) => (field.kind === 'reference' && field.filterable ? [field.to] : []))
    .map(
      ({ graphqlName }) => /* GraphQL */ `
  input ${graphqlName}IdFilter {
    "Alternatives; null stands for no value."
    values: [ID]!
    negate: Boolean = false
  }
`,
    )
    .join('\n');

const filterFields = (type: Declaration): string =>
  [
    ...(type.search ? [searchFilters(type, type.search)] : []),
    ...type.fields
      .filter(({ filterable }) => filterable)
      .map((field) => `${field.name}: ${filterOf(field, type.graphqlName)}`),
    ...(type.isTimeless ? [] : times.map((name) => `${name}: ${type.graphqlName}TimestampFilter`)),
  ].join('\n');

const searchFilters = ({ graphqlName }: Declaration, names: readonly string[]): string =>
  `"Words, or parts of words, that all occur in ${names.join(' and ')}." query: String id: ${graphqlName}IdFilter`;

const idFilterTypeDefs = ({ graphqlName }: Declaration): string => /* GraphQL */ `
  input ${graphqlName}IdFilter {
    "Alternatives."
    values: [ID!]!
    negate: Boolean = false
  }
`;

const objectTypeDefs = ({
  graphqlName,
  description,
  fields,
  isTimeless,
  isVersioned,
  isAccount,
  within,
}: Declaration): string => /* GraphQL */ `
  "${description}"
  type ${graphqlName} ${within ? '' : 'implements Node @key(fields: "id")'} {
    ${within ? 'id: ID!' : isAccount ? accountIdFields : idFields}
    ${fields
      .filter((field) => field.kind === 'derived' || isStored(field))
      .map(outputLine)
      .join('\n    ')}
    ${isVersioned ? versionField : ''}
    ${isTimeless ? '' : times.map((name) => `${name}: ISO8601Timestamp!`).join('\n    ')}
  }
`;

function queryTypeDefs(type: Declaration): string {
  const { graphqlName, reads = usualReads } = type;
  const one = `${JSON.stringify(reads.one)} ${memberName(type)}(id: ${type.isAccount ? 'ID' : 'ID!'}): ${graphqlName}`;
  return /* GraphQL */ `
    extend type Query {
      ${JSON.stringify(reads.list)}
      ${rootField(type)}(${connectionArguments}, ${listArguments(graphqlName)}): ${graphqlName}Connection
      ${reads.one === undefined ? '' : one}
    }
  `;
}

const usualReads: NonNullable<Declaration['reads']> = {
  list: 'Of the current account.',
  one: 'Null when there is none with this id in the current account.',
};

function mutationTypeDefs(type: Declaration, write: keyof Declaration['writes'], input: string[], once = ''): string {
  const description = type.writes[write];
  if (description === undefined) return '';
  const verb = write.charAt(0).toUpperCase() + write.slice(1);
  const name = type.graphqlName + verb;
  return /* GraphQL */ `
    input ${name}Input {
      ${input.join('\n      ')}
      clientMutationId: String
    }

    ${payloadTypeDefs(type, verb, once)}

    extend type Mutation {
      ${description === '' ? '' : JSON.stringify(description)}
      ${memberName(type)}${verb}(input: ${name}Input!): ${name}Payload
    }
  `;
}

/** SDL of the payload of a mutation; for an action that the declaration does not know as well. */
export const payloadTypeDefs = (type: Declaration, verb: string, once = ''): string => /* GraphQL */ `
  type ${type.graphqlName}${verb}Payload {
    "Null when the input was refused."
    ${verb === 'Delete' ? deletedTypeDefs(type) : `${memberName(type)}: ${type.graphqlName}`}
    ${once}
    errors: [ValidationError!]!
    clientMutationId: String
  }
`;

function deletedTypeDefs({ deleted, within, ...type }: Declaration): string {
  const returned = within ?? type;
  return deleted === 'id' ? 'deletedId: ID' : `${memberName(returned)}: ${returned.graphqlName}`;
}
