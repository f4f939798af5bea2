import { moveNames } from '../record-types/life-cycle';
import { columnName } from '../write/record.input';
import { filterNames, identityNames, orderNames } from '../read/record-query';
import { inverseRelations } from '../read/record-relations';
import type { InverseRelation } from '../read/record-relations';
import { hasCustomFields } from '../store/custom-keys';
import { indexesOf } from '../store/record-indexes';
import { inputName, memberName, restName, rootField } from '@itsm/shared/declared/names';
import { modelName, viewsOf } from '../record-types/record-type';
import { wordsOf } from '@itsm/shared/testing/declared-page';
import type { RecordType } from '../record-types/record-type';
import { filesName, textsOf } from '../record-types/texts';

/** The generated part of docs/api/records.md, in Markdown. */
export const recordsPage = (types: readonly RecordType[]): string =>
  [overview(types), ...types.map((type) => section(type, types))].join('\n\n');

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function overview(types: readonly RecordType[]): string {
  return [
    row('Type', 'GraphQL', 'REST', 'Scopes'),
    row('---', '---', '---', '---'),
    ...types.map((type) =>
      row(type.name, codes([rootField(type), memberName(type)]), code(`/v1/${type.plural}`), scopesOf(type)),
    ),
  ].join('\n');
}

const scopesOf = (type: RecordType): string =>
  codes([
    `${modelName(type)}:Read`,
    ...(type.mutations.create ? [`${modelName(type)}:Create`] : []),
    ...(type.mutations.update ? [`${modelName(type)}:Update`] : []),
  ]);

function section(type: RecordType, types: readonly RecordType[]): string {
  const inverse = inverseRelations(types).filter(({ parent }) => parent.name === type.name);
  const { create, update } = type.mutations;
  return [
    `## ${type.graphqlName}`,
    '',
    type.description,
    '',
    row('Field', 'Input', 'REST', 'REST body, column', 'Value'),
    row('---', '---', '---', '---', '---'),
    ...type.fields.map((field) =>
      row(
        code(field.name) + (field.required ? ' (always)' : ''),
        field.written ? 'set by the platform' : code(inputName(field)),
        code(restName(field.name)),
        field.written ? '' : code(columnName(field)),
        wordsOf(field),
      ),
    ),
    '',
    `* Mutations: ${create ? `${code(`${memberName(type)}Create`)} for ${codes(create)}` : 'none'}${update ? `; ${code(`${memberName(type)}Update`)} for ${codes(update)}` : ''}`,
    ...(type.othersFill ? [`* Callers who may create but not update set only: ${codes(type.othersFill)}`] : []),
    `* Visible to end users and key contacts: ${seenBy(type)}`,
    `* Views, in REST \`/v1/${type.plural}/<view>\`: ${codes(viewsOf(type))}`,
    `* Filters: ${codes(['query', ...identityNames(type), ...filterNames(type), ...(hasCustomFields(type) ? ['customFilters'] : []), 'createdAt', 'updatedAt'])}`,
    `* Orders: ${codes(orderNames(type))}`,
    ...(inverse.length > 0 ? [`* Connections: ${codes(inverse.map(({ field }) => field))}`] : []),
    ...filesOf(type),
    `* Below \`/v1/${type.plural}/:id\`: ${codes(partsOf(type, inverse))}`,
    ...transitionsOf(type),
    `* Indexes: ${codes(indexesOf(type).map(({ name }) => name))}`,
  ].join('\n');
}

/** The addresses below a record, with their methods. */
const partsOf = (type: RecordType, inverse: readonly InverseRelation[]): readonly string[] => [
  'GET /audit',
  ...(type.hasNotes ? ['GET and POST /notes', 'GET /notes/:note'] : []),
  ...inverse.map(({ field, child }) => `GET${child.mutations.create ? ' and POST' : ''} /${restName(field)}`),
  ...type.fields
    .filter(({ kind }) => kind === 'people' && type.mutations.update)
    .flatMap(({ name }) => [`POST /${restName(name)}`, `DELETE /${restName(name)}/:person`]),
  ...(type.mutations.update ? moveNames.map((move) => `POST /${move}`) : []),
  ...(type.steps ?? []).map(({ name }) => `POST /${name}`),
];

/** The members with files of texts. */
function filesOf(type: RecordType): readonly string[] {
  const names = textsOf(type).map(filesName);
  return names.length > 0 ? [`* Files: ${codes(names)}; in bodies of REST ${codes(names.map(restName))}`] : [];
}

function seenBy({ endUsersSee }: RecordType): string {
  if (typeof endUsersSee !== 'string') return `those that name them as ${codes(endUsersSee)}`;
  return endUsersSee === 'all' ? 'all' : 'none';
}

const transitionsOf = ({ transitions = {} }: RecordType): string[] => {
  const rules = Object.entries(transitions).map(([from, to]) => `${code(from)} to ${codes(to)}`);
  return rules.length > 0
    ? [`* Allowed status changes: from ${rules.join('; from ')}; from any other status to any`]
    : [];
};
