import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { parseCell, parseMember, parseText, parseValue } from '@itsm/shared/declared/read-value';
import type { CellContext, Parsed } from '@itsm/shared/declared/read-value';
import { customIn } from '@itsm/shared/declared/values';
import type { CustomValue, Value, Values } from '@itsm/shared/declared/values';
import { inputName, restName } from '@itsm/shared/declared/names';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';

/** A refused member of a mutation's input: `{ message: "Subject is required", path: ["subject"] }`. */
export interface ValidationError {
  readonly message: string;
  readonly path: readonly string[];
}

export type Input = Readonly<Record<string, unknown>>;

/** A parsed input: `values` has only the fields that were given. */
export interface ParsedInput {
  readonly values: Values;
  readonly note: string | undefined;
  readonly errors: readonly ValidationError[];
}

export const noteMaxLength = 65_535;

export const refused = (field: Field, problem: string): ValidationError => ({
  message: `${field.label} ${problem}`,
  path: [inputName(field)],
});

/** Parses the input of a mutation. Whether referenced people and records exist is checked by `checkReferences`. */
export function parseInput(type: RecordType, nodeIdDomain: string, input: Input): ParsedInput {
  return parseMembers(
    type,
    (field) => input[inputName(field)],
    (field, given) => (given === null ? { value: null } : parseValue(field, nodeIdDomain, given)),
    input['note'],
  );
}

/** The import column and the REST member of a field: `requested_by_id`, `sourceID`. */
export const columnName = (field: Field): string => restName(inputName(field));

/** The names of what import and REST can write. */
export const columnsOf = (type: RecordType): readonly string[] => [
  ...type.fields.filter((field) => !field.written).map(columnName),
  ...(type.hasNotes ? ['note'] : []),
];

/**
 * Parses the body of a REST write; 422 for members that no client can write, as GraphQL refuses them before its
 * mutation.
 */
export function parseBody(type: RecordType, nodeIdDomain: string, body: Input): ParsedInput {
  const parsed = parseMembers(
    type,
    (field) => body[columnName(field)],
    (field, given) => (given === null ? { value: null } : parseMember(field, nodeIdDomain, given)),
    body['note'],
  );
  const known = columnsOf(type);
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  if (unknown.length === 0) return parsed;
  throw validationFailed([
    ...toFieldErrors(parsed.errors),
    ...unknown.map((name) => [name, 'Unknown member'] as const),
  ]);
}

/** Refusals as REST and import name them. */
export const toFieldErrors = (errors: readonly ValidationError[]): FieldError[] =>
  errors.map(({ message, path }) => [restPath(path).join('.') || 'base', message]);

/** The path as REST and import name it; the id of a custom field stays as it is. */
export const restPath = ([member, ...rest]: readonly string[]): readonly string[] =>
  member === undefined ? [] : [restName(member), ...rest];

const customColumn = 'custom_fields';
const customPrefix = `${customColumn}.`;

/** Whether it is the column of one custom field, as `custom_fields.floor`, of a type that has them. */
export const isCustomColumn = (name: string, known: readonly string[]): boolean =>
  known.includes(customColumn) && name.startsWith(customPrefix) && name.length > customPrefix.length;

/** Custom fields that have columns of their own. An empty cell empties the field, as in every column. */
const customCells = (row: Readonly<Record<string, string>>): readonly CustomValue[] =>
  Object.entries(row)
    .filter(([name]) => name.startsWith(customPrefix))
    .map(([name, cell]) => ({ id: name.slice(customPrefix.length), value: cell.trim() || null }));

/** Parses the cells of one import row. */
export function parseCells(type: RecordType, context: CellContext, row: Readonly<Record<string, string>>): ParsedInput {
  const parsed = parseMembers(
    type,
    (field) => row[columnName(field)],
    (field, given) => parseCell(field, context, String(given)),
    row['note'],
  );
  const custom = type.fields.find(({ kind }) => kind === 'custom');
  const cells = custom ? customCells(row) : [];
  if (!custom || cells.length === 0) return parsed;
  return {
    ...parsed,
    values: { ...parsed.values, [custom.name]: [...customIn(parsed.values, custom.name), ...cells] },
  };
}

function parseMembers(
  type: RecordType,
  givenFor: (field: Field) => unknown,
  parse: (field: Field, given: unknown) => Parsed,
  givenNote: unknown,
): ParsedInput {
  const values: Record<string, Value> = {};
  const errors: ValidationError[] = [];
  for (const field of type.fields) {
    const given = field.written ? undefined : givenFor(field);
    if (given === undefined) continue;
    const parsed = parse(field, given);
    if ('problem' in parsed) errors.push(refused(field, parsed.problem));
    else values[field.name] = parsed.value;
  }
  const note = parseText(noteMaxLength, givenNote ?? '');
  if ('problem' in note) errors.push({ message: `Note ${note.problem}`, path: ['note'] });
  return { values, note: 'value' in note && typeof note.value === 'string' ? note.value : undefined, errors };
}
