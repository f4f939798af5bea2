import { validationFailed } from '../base/errors/app-error';
import type { FieldError } from '../base/errors/app-error';
import { isConveyed, isFilled, isSetting, isStored, writableFields } from './language';
import type { Declaration, SettingField, StoredField } from './language';
import type { GivenOf, RecordOf } from './record-of';
import { givenName, inputName, propertyOf, restName } from './names';
import { parseCell, parseFlag, parseMember, parseValue } from './read-value';
import type { CellContext } from './read-value';
import { parseSetting } from './setting-kinds';
import type { ParsedSetting } from './setting-kinds';

/** How an edge names and parses members. */
interface Edge {
  /** Whether a null for a field that cannot be empty counts as not given. */
  readonly skipsNull: (type: Declaration) => boolean;
  readonly nameOf: (field: StoredField) => string;
  readonly parse: (field: StoredField, nodeIdDomain: string, given: unknown) => ParsedSetting;
}

/** The member of a REST body: `key_rotation_days`, `manager_id`. */
export const memberOf = (field: StoredField): string => restName(inputName(field));

const graphqlEdge: Edge = {
  nameOf: inputName,
  parse: (field, nodeIdDomain, given) =>
    isSetting(field) ? parseSetting(field, nodeIdDomain, given) : parseValue(field, nodeIdDomain, given),
  skipsNull: ({ nullIs }) => nullIs === 'absent',
};
const restEdge: Edge = {
  nameOf: memberOf,
  parse: (field, nodeIdDomain, given) =>
    given === '' && field.kind !== 'text'
      ? { value: null }
      : isSetting(field)
        ? parseSetting(field, nodeIdDomain, given, true)
        : parseMember(field, nodeIdDomain, given),
  skipsNull: () => false,
};
/** Pages name members as GraphQL does; ids are numbers. */
const formEdge: Edge = { ...restEdge, nameOf: inputName };

/** Of files: an empty cell is an empty field, which for a list is an empty list, and for a standing enabled. */
const cellEdge = (timeZone: string): Edge => ({
  ...restEdge,
  parse(field, nodeIdDomain, given) {
    const text = String(given).trim();
    if (field.kind === 'standing') return text === '' ? { value: false } : parseFlag(text);
    if (isSetting(field))
      return parseSetting(field, nodeIdDomain, isList(field) ? text.split(/[\s,;]+/).filter(Boolean) : text || null);
    // An emptied text may have a default.
    return text === '' && field.kind === 'text'
      ? parseMember(field, nodeIdDomain, text)
      : parseCell(field, { nodeIdDomain, timeZone }, text);
  },
});

const isList = ({ kind }: SettingField): boolean => kind === 'choices' || kind === 'texts';

/** GraphQL input name → REST name, where they differ. */
export const restNamesOf = (type: Declaration): Readonly<Record<string, string>> =>
  Object.fromEntries(
    writableFields(type)
      .filter((field) => memberOf(field) !== inputName(field))
      .map((field) => [inputName(field), memberOf(field)]),
  );

/** What one refused member of an input is answered with: its REST name, and a sentence that begins with its label. */
type Refusal = readonly [member: string, text: string];

export const refusalOf = (field: StoredField, problem: string): Refusal => [
  memberOf(field),
  `${field.label} ${problem}`,
];

/** The field of that name; throws for one that the type does not declare. */
function fieldNamed(type: Declaration, name: string): StoredField {
  const field = writableFields(type).find((one) => one.name === name || propertyOf(one) === name);
  if (!field) throw new Error(`${type.graphqlName} has no field ${name}`);
  return field;
}

/** A 422 for values that a rule of the service refuses, by the names of their fields: `{keyRotationDays: 'is …'}`. */
export const refuse = <D extends Declaration>(
  type: D,
  problems: { readonly [F in keyof GivenOf<D>]?: string | undefined },
) =>
  validationFailed(
    Object.entries(problems)
      .filter(([, problem]) => problem !== undefined)
      .map(([name, problem]) => refusalOf(fieldNamed(type, name), String(problem))),
  );

/** A new record, or a change of one. */
type Write = 'create' | 'update';

interface Reading<D extends Declaration> {
  readonly type: D;
  readonly nodeIdDomain: string;
  readonly write: Write;
}

/** Reads the input of a GraphQL mutation, of which the schema has checked the names; 422 for refused values. */
export const readInput = <D extends Declaration>(
  type: D,
  nodeIdDomain: string,
  write: Write,
  input: object,
): GivenOf<D> => read({ type, nodeIdDomain, write }, input, graphqlEdge);

/** Reads the body of a REST write; 422 for refused values and for members that no client can write. */
export const readBody = <D extends Declaration>(
  type: D,
  nodeIdDomain: string,
  write: Write,
  body: object,
): GivenOf<D> => read({ type, nodeIdDomain, write }, body, restEdge);

/**
 * Reads the cells of an import, by their columns, before it is known whether they are those of a new record; 422 for refused
 * values.
 */
export const readCells = <D extends Declaration>(
  type: D,
  { nodeIdDomain, timeZone }: CellContext,
  cells: Readonly<Record<string, string>>,
): GivenOf<D> => read({ type, nodeIdDomain, write: 'update' }, cells, cellEdge(timeZone));

/** Reads the values of a page, by the names of GraphQL; 422 for refused values. */
export const readForm = <D extends Declaration>(type: D, write: Write, given: object): GivenOf<D> =>
  read({ type, nodeIdDomain: '', write }, given, formEdge);

/** Refusals by the names of GraphQL, as pages name their fields. */
export const byInputNames = (type: Declaration, errors: readonly FieldError[]): FieldError[] =>
  errors.map(([path, text]) => {
    const [member = '', ...rest] = path.split('.');
    const field = writableFields(type).find((one) => memberOf(one) === member);
    return [[field ? inputName(field) : member, ...rest].join('.'), text];
  });

function read<D extends Declaration>(reading: Reading<D>, given: object, edge: Edge): GivenOf<D> {
  const { type, write } = reading;
  const members = new Map(Object.entries(given));
  const values: Record<string, unknown> = {};
  const refusals: Refusal[] = [];
  const isFixed = ({ written, isInputOnly }: StoredField) =>
    write === 'update' && isInputOnly && written === 'on create';
  for (const field of writableFields(type).filter((one) => !isFixed(one))) {
    const value: unknown = members.get(edge.nameOf(field));
    members.delete(edge.nameOf(field));
    const isSkipped = value === null && isFilled(field) && edge.skipsNull(type);
    const isGiven = value !== undefined && !isSkipped;
    if (!isGiven && !(write === 'create' && field.mustBeGiven)) continue;
    const parsed = parseFor(reading, edge, field, value ?? null);
    if ('problem' in parsed) refusals.push(...refusalsOf(field, parsed));
    // What cannot be empty gets its default.
    else if (parsed.value !== null || !isFilled(field)) values[givenName(field)] = parsed.value;
  }
  refusals.push(...[...members.keys()].map((name) => [name, 'Unknown member'] as const));
  if (refusals.length > 0) throw validationFailed(refusals);
  return values as GivenOf<D>;
}

/** Refuses an empty value where there must be one; that of a new record may still get its default. */
function parseFor(
  { type, nodeIdDomain, write }: Reading<Declaration>,
  edge: Edge,
  field: StoredField,
  given: unknown,
): ParsedSetting {
  const parsed = given === null ? { value: null } : edge.parse(field, nodeIdDomain, given);
  if ('problem' in parsed || parsed.value !== null || !isFilled(field)) return parsed;
  const isWithoutDefault = field.isInputOnly && !('default' in field);
  const isNeeded = write === 'update' || field.mustBeGiven || isWithoutDefault || type.nullIs === 'refused';
  return isNeeded ? { problem: emptyProblem(field) } : parsed;
}

/** Why a field is refused that must have a value. */
function emptyProblem({ kind }: StoredField): string {
  if (kind === 'flag' || kind === 'standing') return 'is not true or false';
  return kind === 'choices' || kind === 'texts' || kind === 'shape' ? 'are required' : 'is required';
}

const refusalsOf = (field: StoredField, refused: Exclude<ParsedSetting, { value: unknown }>): readonly Refusal[] =>
  refused.within?.map(([at, text]) => [[memberOf(field), at].filter(Boolean).join('.'), text] as const) ?? [
    refusalOf(field, refused.problem),
  ];

/** The fields of a new record: what was given, the defaults, and null for the rest; 422 for what is required. */
export function newRecord<D extends Declaration>(type: D, given: GivenOf<D>): RecordOf<D> {
  const values = given as Readonly<Record<string, unknown>>;
  const fields = type.fields.filter(isStored);
  const late = fields.filter((field) => field.written === 'on change' && values[givenName(field)] !== undefined);
  if (late.length > 0) throw validationFailed(late.map((field) => refusalOf(field, 'cannot be given for a new one')));
  const record = fields.map((field) => {
    const value = isConveyed(field) ? null : values[propertyOf(field)];
    return [propertyOf(field), value ?? ('default' in field ? field.default : null) ?? null] as const;
  });
  return filled(type, Object.fromEntries(record));
}

/**
 * The fields of `before` after a change; 422 for what is required, and for another value of what is written on creation
 * alone. Secrets and standings stay as they are: the service converts them.
 */
export function changedRecord<D extends Declaration>(type: D, before: RecordOf<D>, given: GivenOf<D>): RecordOf<D> {
  const changes = Object.entries(given).filter(
    ([name, value]) => value !== undefined && isKept(fieldNamed(type, name)),
  );
  const former = before as Readonly<Record<string, unknown>>;
  const fixed = changes
    .filter(([name, value]) => fieldNamed(type, name).written === 'on create' && value !== former[name])
    .map(([name]) => refusalOf(fieldNamed(type, name), 'cannot be changed'));
  if (fixed.length > 0) throw validationFailed(fixed);
  return filled(type, { ...before, ...Object.fromEntries(changes) });
}

/** Whether what is given is what is kept. */
const isKept = (field: StoredField): boolean => !isConveyed(field) && !field.isInputOnly;

function filled<D extends Declaration>(type: D, record: Readonly<Record<string, unknown>>): RecordOf<D> {
  const missing = type.fields
    .filter(isStored)
    .filter((field) => isFilled(field) && !isConveyed(field) && record[propertyOf(field)] === null);
  if (missing.length > 0) throw validationFailed(missing.map((field) => refusalOf(field, emptyProblem(field))));
  return record as RecordOf<D>;
}
