import { orderArgument, viewValues } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments, connectionTypeDefs, idFields } from '@itsm/shared/api/graphql/schema';
import { ifVersionInput, versionField } from '@itsm/shared/declared/declared.sdl';
import { choiceTypeDefs, filterType, inputField, isChoice, outputField } from '@itsm/shared/declared/field.sdl';
import { moveNames } from '../record-types/life-cycle';
import { titleField } from '../record-types/record';
import { hasCustomFields } from '../store/custom-keys';
import { filterNames, identityNames, orderNames } from '../read/record-query';
import { inverseRelations } from '../read/record-relations';
import type { InverseRelation } from '../read/record-relations';
import { recordSharedTypeDefs } from './shared.sdl';
import { memberName, rootField } from '@itsm/shared/declared/names';
import { numberName, views, viewsOf } from '../record-types/record-type';
import type { OwnerStep, RecordType } from '../record-types/record-type';
import { filesName, textsOf } from '../record-types/texts';
import type { Field } from '@itsm/shared/declared/language';

/** The GraphQL schema of all declarations together. */
export function typeDefsOf(types: readonly RecordType[]): string {
  const relations = inverseRelations(types);
  const inverseOf = (parent: string) => relations.filter((relation) => relation.parent.name === parent);
  const ofPerson = inverseOf('person').map(inverseField);
  return [
    recordSharedTypeDefs,
    `type Person @key(fields: "id") {\n    id: ID!\n    ${ofPerson.join('\n    ')}\n  }`,
    ...types.map((type) => recordTypeDefs(type, inverseOf(type.name))),
  ].join('\n');
}

/** The SDL of one type; `inverse` are its connections to the records that refer to it. */
const recordTypeDefs = (type: RecordType, inverse: readonly InverseRelation[]): string =>
  [
    ...type.fields.filter(isChoice).map(choiceTypeDefs),
    objectTypeDefs(type, inverse),
    connectionTypeDefs(type.graphqlName),
    queryTypeDefs(type),
    type.mutations.create ? mutationTypeDefs(type, 'Create', '') : '',
    type.mutations.update ? mutationTypeDefs(type, 'Update', `id: ID!\n      ${ifVersionInput}`) : '',
    type.mutations.update ? moveTypeDefs(type) : '',
    ...(type.steps ?? []).map((step) => stepTypeDefs(type, step)),
  ].join('\n');

const inverseField = ({ field, child }: InverseRelation): string =>
  `${field}(${connectionArguments}): ${child.graphqlName}Connection`;

const objectTypeDefs = (type: RecordType, inverse: readonly InverseRelation[]): string => /* GraphQL */ `
    "${type.description}"
    type ${type.graphqlName} implements Node @key(fields: "id") {
      ${idFields}
      "The number as an ID."
      ${numberName(type)}: ID!
      account: Account!
      ${type.fields.map(outputField).join('\n      ')}
      ${textsOf(type).map(filesField).join('\n      ')}
      ${inverse.map(inverseField).join('\n      ')}
      ${type.hasNotes ? `notes(${connectionArguments}): NoteConnection` : ''}
      "For those who work with the account's records."
      auditLines(${connectionArguments}): AuditLineConnection
      ${versionField}
      lifeCycleState: RecordLifeCycleState!
      createdAt: ISO8601Timestamp!
      updatedAt: ISO8601Timestamp!
    }
`;

function queryTypeDefs(type: RecordType): string {
  const { graphqlName: name } = type;
  const title = type.fields.find((field) => field.name === titleField(type))?.label.toLowerCase() ?? '';
  const filters = type.fields.filter((field) => filterNames(type).includes(field.name));
  return /* GraphQL */ `
    enum ${name}View {
      ${viewValues(viewsOf(type).map((view) => ({ name: view, description: views[view].description })))}
    }

    "All parts must hold."
    input ${name}Filter {
      "Words that all occur in the ${title}, or parts of them, in upper or lower case."
      query: String
      ${identityNames(type)
        .map((name) => `${name}: RecordIdFilter`)
        .join('\n      ')}
      ${filters.map((field) => `${field.name}: ${filterType(field, 'Record')}`).join('\n      ')}
      ${hasCustomFields(type) ? '"All of them must hold."\n      customFilters: [RecordCustomFilter!]' : ''}
      createdAt: RecordTimestampFilter
      updatedAt: RecordTimestampFilter
    }

    enum ${name}OrderField {
      ${orderNames(type).join('\n      ')}
    }

    input ${name}Order {
      field: ${name}OrderField!
      direction: RecordOrderDirection = asc
    }

    extend type Query {
      "By id unless \`order\` is given."
      ${rootField(type)}(${connectionArguments}, view: ${name}View = current_account, filter: ${name}Filter, ${orderArgument(name)}): ${name}Connection
      "Null when there is none with this id that the caller may see."
      ${memberName(type)}(id: ID!): ${name}
    }
  `;
}

/** Archiving, trashing and restoring answer as an update does. */
const moveTypeDefs = (type: RecordType): string => /* GraphQL */ `
  extend type Mutation {
    ${moveNames
      .map((move) => `${moveMutation(type, move)}(input: RecordLifeCycleInput!): ${type.graphqlName}UpdatePayload`)
      .join('\n    ')}
  }
`;

/** `requestArchive`, `requestWithdraw`. */
export const moveMutation = (type: RecordType, move: OwnerStep['name']): string =>
  `${memberName(type)}${move.charAt(0).toUpperCase()}${move.slice(1)}`;

function stepTypeDefs(type: RecordType, { name, description, asksNote, flags = [] }: OwnerStep): string {
  const mutation = moveMutation(type, name);
  const input = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  return /* GraphQL */ `
    input ${input} {
      id: ID!
      ${ifVersionInput}
      note: String${asksNote ? '!' : ''}
      "Files of the note."
      noteAttachments: [NoteAttachmentInput!]
      ${flags.map((flag) => `${flag.name}: Boolean`).join('\n      ')}
      clientMutationId: String
    }

    extend type Mutation {
      "${description} For those to whom the record belongs."
      ${mutation}(input: ${input}!): ${type.graphqlName}UpdatePayload
    }
  `;
}

const filesField = (field: Field): string => `"Files of ${quoted(field)}."
      ${filesName(field)}: [Attachment!]`;

const filesInput = (field: Field): string => `"Files to add to ${quoted(field)}, or to take away from it."
      ${filesName(field)}: [AttachmentInput!]`;

const quoted = ({ name }: Field): string => `\`${name}\``;

const noteInputs = `"A text to add to the record."
      note: String
      "A note for those who work with the account's records, who alone may add one; not together with \`note\`."
      internalNote: String
      "Files of the note."
      noteAttachments: [NoteAttachmentInput!]
      "Files of the internal note."
      internalNoteAttachments: [NoteAttachmentInput!]`;

function mutationTypeDefs(type: RecordType, verb: 'Create' | 'Update', identity: string): string {
  const name = `${type.graphqlName}${verb}`;
  const member = memberName(type);
  return /* GraphQL */ `
    input ${name}Input {
      ${identity}
      ${type.fields
        .filter((field) => !field.written)
        .map(inputField)
        .join('\n      ')}
      ${textsOf(type).map(filesInput).join('\n      ')}
      ${type.hasNotes ? noteInputs : ''}
      clientMutationId: String
    }

    type ${name}Payload {
      "Null when the input was refused."
      ${member}: ${type.graphqlName}
      errors: [ValidationError!]!
      clientMutationId: String
    }

    extend type Mutation {
      ${member}${verb}(input: ${name}Input!): ${name}Payload
    }
  `;
}
