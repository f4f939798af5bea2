import type { GivenAttachment } from '../attachments/placed-files';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { parseCell, parseMember, parseText, parseValue } from '@itsm/shared/declared/read-value';
import type { CellContext, Parsed } from '@itsm/shared/declared/read-value';
import { customIn } from '@itsm/shared/declared/values';
import type { CustomValue, Value, Values } from '@itsm/shared/declared/values';
import { readAttachments, readFiles } from './given-files';
import type { GivenFiles } from './given-files';
import { inputName, restName } from '@itsm/shared/declared/names';
import type { Field } from '@itsm/shared/declared/language';
import { customPrefix } from '../record-types/fields';
import type { OwnerStep, RecordType } from '../record-types/record-type';
import { filesName, textsOf } from '../record-types/texts';

/** A refused member of a mutation's input: `{ message: "Subject is required", path: ["subject"] }`. */
export interface ValidationError {
  readonly message: string;
  readonly path: readonly string[];
}

export type Input = Readonly<Record<string, unknown>>;

/** A note to add to a record. */
export interface GivenNote {
  readonly text: string;
  readonly internal: boolean;
  readonly attachments: readonly GivenAttachment[];
}

/** A parsed input: `values` has only the fields that were given. */
export interface ParsedInput {
  readonly values: Values;
  readonly note: GivenNote | undefined;
  /** Those of texts that get or lose some. */
  readonly files: readonly GivenFiles[];
  readonly errors: readonly ValidationError[];
}

/** What is given for a step: its flags, and a note that is never internal. */
export interface ParsedStep extends Omit<ParsedInput, 'values' | 'files'> {
  readonly flags: Readonly<Record<string, boolean>>;
}

export const noteMaxLength = 65_535;

const noteLabels = { note: 'Note', internalNote: 'Internal note' } as const;
type NoteMember = keyof typeof noteLabels;
/** The members of an input that add a note. */
const noteMembers = Object.keys(noteLabels) as readonly NoteMember[];
const filesOf = (member: NoteMember) => ({ name: `${member}Attachments`, label: `${noteLabels[member]} attachments` });
/** The member of an input with the files of its note. */
export const filesMember = ({ internal }: Pick<GivenNote, 'internal'>) => filesOf(internal ? 'internalNote' : 'note');

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
    (name) => input[name],
  );
}

/** Every row of an import asks for the column of every field, so each is made once. */
const columnNames = new WeakMap<Field, string>();

/** The import column and the REST member of a field: `requested_by_id`, `sourceID`. */
export function columnName(field: Field): string {
  const known = columnNames.get(field);
  if (known !== undefined) return known;
  const name = restName(inputName(field));
  columnNames.set(field, name);
  return name;
}

/** The names of what import and REST can write. */
export const columnsOf = (type: RecordType): readonly string[] => [
  ...type.fields.filter((field) => !field.written).map(columnName),
  ...(type.hasNotes ? noteMembers.map(restName) : []),
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
    (name) => body[restName(name)],
  );
  const known = [
    ...columnsOf(type),
    ...(type.hasNotes ? noteMembers.map((name) => restName(filesOf(name).name)) : []),
    ...textsOf(type).map((field) => restName(filesName(field))),
  ];
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  if (unknown.length === 0) return parsed;
  throw validationFailed([
    ...toFieldErrors(parsed.errors),
    ...unknown.map((name) => [name, 'Unknown member'] as const),
  ]);
}

/** Parses the input of a mutation that is a step; it has no member for an internal note. */
export function parseStep({ flags = [], asksNote }: OwnerStep, input: Input): ParsedStep {
  const { note, errors } = readNotes((name) => input[name]);
  const isMissing = asksNote && !note && errors.length === 0;
  return {
    note,
    errors: isMissing ? [{ message: `${noteLabels.note} is required`, path: ['note'] }] : errors,
    flags: Object.fromEntries(flags.map(({ name }) => [name, input[name] === true])),
  };
}

/** Parses the body of a step; 422 for members that it does not have. */
export function parseStepBody(step: OwnerStep, nodeIdDomain: string, body: Input): ParsedStep {
  const { flags = [] } = step;
  const files = filesOf('note').name;
  const read = flags.map((flag) => ({ flag, parsed: parseMember(flag, nodeIdDomain, body[flag.name] ?? false) }));
  const parsed = parseStep(step, {
    note: body['note'],
    [files]: body[restName(files)],
    ...Object.fromEntries(read.map(({ flag, parsed: one }) => [flag.name, 'value' in one && one.value])),
  });
  const known = ['note', restName(files), ...flags.map(({ name }) => name)];
  const errors = [
    ...toFieldErrors(parsed.errors),
    ...read.flatMap(({ flag, parsed: one }) =>
      'problem' in one ? [[flag.name, `${flag.label} ${one.problem}`] as const] : [],
    ),
    ...Object.keys(body)
      .filter((name) => !known.includes(name))
      .map((name) => [name, 'Unknown member'] as const),
  ];
  if (errors.length > 0) throw validationFailed(errors);
  return parsed;
}

/** Refusals as GraphQL names them. */
export const toInputErrors = (errors: readonly ValidationError[]): FieldError[] =>
  errors.map(({ message, path }) => [path.join('.'), message]);

/** Refusals as REST and import name them. */
export const toFieldErrors = (errors: readonly ValidationError[]): FieldError[] =>
  errors.map(({ message, path }) => [restPath(path).join('.') || 'base', message]);

/** The path as REST and import name it; the id of a custom field stays as it is. */
export const restPath = ([member, ...rest]: readonly string[]): readonly string[] =>
  member === undefined ? [] : [restName(member), ...rest];

/** The column of one custom field: `custom_fields.floor`. */
export const customColumnOf = (id: string): string => `${customPrefix}${id}`;

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
    (name) => row[restName(name)],
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
  givenField: (field: Field) => unknown,
  parse: (field: Field, given: unknown) => Parsed,
  givenFor: (member: string) => unknown,
): ParsedInput {
  const values: Record<string, Value> = {};
  const errors: ValidationError[] = [];
  for (const field of type.fields) {
    const given = field.written ? undefined : givenField(field);
    if (given === undefined) continue;
    const parsed = parse(field, given);
    if ('problem' in parsed) errors.push(refused(field, parsed.problem));
    else values[field.name] = parsed.value;
  }
  const { note, errors: ofNotes } = readNotes(givenFor);
  const { files, errors: ofFiles } = readFiles(type, givenFor);
  return { values, note, files, errors: [...errors, ...ofNotes, ...ofFiles] };
}

/** A write adds one note: its numbers in events and in an import are those of one. */
function readNotes(given: (member: string) => unknown): Pick<ParsedInput, 'note' | 'errors'> {
  const errors: ValidationError[] = [];
  const notes = noteMembers.flatMap((name): GivenNote[] => {
    const label = noteLabels[name];
    const parsed = parseText(noteMaxLength, given(name) ?? '');
    if ('problem' in parsed) errors.push({ message: `${label} ${parsed.problem}`, path: [name] });
    const files = filesOf(name);
    const { attachments, problem } = readAttachments(given(files.name));
    if (problem !== undefined) errors.push({ message: `${files.label} ${problem}`, path: [files.name] });
    const text = 'value' in parsed ? parsed.value : null;
    if (typeof text === 'string') return [{ text, internal: name === 'internalNote', attachments }];
    if (attachments.length > 0 && 'value' in parsed)
      errors.push({ message: `${label} is required with attachments`, path: [name] });
    return [];
  });
  if (notes.length > 1)
    errors.push({ message: 'Internal note cannot be given together with a note', path: ['internalNote'] });
  return { note: notes[0], errors };
}
