import { parseNodeId, parseRecordId } from '../base/ids/node-id';
import { problemOf } from '../base/texts/check-texts';
import { parseDay, parseTime } from '../base/time/time-text';
import type { ParsedTime } from '../base/time/time-text';
import type { CustomValue, Value } from './values';
import type { ChoiceField, Field, IntegerField, TextField } from './language';

export type Parsed = { readonly value: Value } | { readonly problem: string };

const mostPeople = 500;
const tooManyPeople = { problem: `are more than ${mostPeople}` } as const;

/** Parses a value of `field` from GraphQL input. */
export function parseValue(field: Field, nodeIdDomain: string, given: unknown): Parsed {
  switch (field.kind) {
    case 'text':
      return parseTextOf(field, given);
    case 'choice':
      return parseChoice(field, given);
    case 'flag':
      return typeof given === 'boolean' ? { value: given } : { problem: 'is not true or false' };
    case 'integer':
      return parseInteger(field, given);
    case 'timestamp':
    case 'date':
      return given instanceof Date ? { value: given } : { problem: 'is not a date' };
    case 'person':
      return found(parseGivenId(nodeIdDomain, 'Person', given));
    case 'record':
    case 'reference':
      return found(parseGivenId(nodeIdDomain, field.to.graphqlName, given));
    case 'account':
      return found(parseAccountId(nodeIdDomain, given));
    case 'people':
      return parsePeople(given, (id) => parseGivenId(nodeIdDomain, 'Person', id));
    case 'custom':
      return parseCustomValues(given);
  }
}

/**
 * Parses a value of `field` from the body of a REST write. Numbers, booleans, times and ids may be texts, as forms and
 * clients of comparable services send them; an empty text is null.
 */
export function parseMember(field: Field, nodeIdDomain: string, given: unknown): Parsed {
  if (given === '' && (field.kind !== 'text' || field.isCode)) return { value: null };
  if (field.kind === 'people' && Array.isArray(given)) return parseValue(field, nodeIdDomain, given.map(idText));
  if (typeof given === 'number' && (field.kind === 'person' || field.kind === 'record' || field.kind === 'reference'))
    return parseValue(field, nodeIdDomain, idText(given));
  return typeof given === 'string' && field.kind !== 'text'
    ? parseCell(field, { nodeIdDomain, timeZone: 'UTC' }, given)
    : parseValue(field, nodeIdDomain, given);
}

/** An id, which may be a number. */
const idText = (given: unknown): unknown => (typeof given === 'number' ? String(given) : given);

/** What gives the cells of an import their meaning. */
export interface CellContext {
  readonly nodeIdDomain: string;
  /** The IANA name of the importer's time zone. */
  readonly timeZone: string;
}

/**
 * Parses a value of `field` from a CSV cell: ids as numbers or node ids, booleans as words, times in ISO 8601, of the
 * zone if they have no offset; an empty cell is null.
 */
export function parseCell(field: Field, { nodeIdDomain, timeZone }: CellContext, cell: string): Parsed {
  const text = cell.trim();
  if (text === '') return { value: null };
  const personId = (id: string) => parseRecordId(nodeIdDomain, 'Person', id);
  switch (field.kind) {
    case 'flag':
      return parseFlag(text);
    case 'integer':
      return parseInteger(field, /^\d{1,15}$/.test(text) ? Number(text) : undefined);
    case 'timestamp':
      // Spreadsheets write a space for the T.
      return dated(parseTime(text.replace(/^(\S{10}) (?=\d)/, '$1T'), timeZone));
    case 'date':
      return dated(parseDay(text));
    case 'person':
      return found(personId(text));
    case 'people':
      return parsePeople(text.split(/[\s,;]+/), (id) => personId(String(id)));
    case 'record':
    case 'reference':
      return found(parseRecordId(nodeIdDomain, field.to.graphqlName, text));
    case 'account':
      return found(/^[a-z0-9-]{1,63}$/.test(text) ? text : parseAccountId(nodeIdDomain, text));
    case 'custom':
      return parseCustomValues(parsedJson(text));
    default:
      return parseValue(field, nodeIdDomain, text);
  }
}

/** A truth as spreadsheets and people write it. */
export function parseFlag(text: string): Parsed {
  if (/^(?:true|yes|1)$/i.test(text)) return { value: true };
  return /^(?:false|no|0)$/i.test(text) ? { value: false } : { problem: 'is not true or false' };
}

const mostCustomValues = 1_000;

/** A list of `{ id, value }`; whether an id is that of a field and what values it takes, the form says. */
function parseCustomValues(given: unknown): Parsed {
  if (!Array.isArray(given) || !given.every(isCustomValue)) return { problem: 'are not a list of `id` and `value`' };
  if (given.length > mostCustomValues) return { problem: `are more than ${mostCustomValues}` };
  return { value: given.map(({ id, value }) => ({ id, value: value ?? null })) };
}

function isCustomValue(given: unknown): given is CustomValue {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const names = Object.keys(given);
  return (
    names.includes('id') &&
    names.every((name) => name === 'id' || name === 'value') &&
    isText((given as CustomValue).id)
  );
}

const isText = (given: unknown): boolean => typeof given === 'string' && given !== '' && problemOf(given) === undefined;

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const found = (id: number | string | undefined): Parsed =>
  id === undefined ? { problem: 'was not found' } : { value: id };

function parseTextOf(field: TextField, given: unknown): Parsed {
  const { maxLength, exact, isCode, check, read, default: usual } = field;
  if (isCode) return parseCode(maxLength, given);
  const parsed = parseText(maxLength, given);
  if (!('value' in parsed)) return parsed;
  if (parsed.value === null) return { value: usual ?? null };
  const text = exact ? String(given) : parsed.value;
  const problem = check?.(text);
  return problem === undefined ? (read?.(text) ?? { value: text }) : { problem };
}

function parseCode(mostBytes: number, given: unknown): Parsed {
  if (typeof given !== 'string') return { problem: 'is not a text' };
  const problem = problemOf(given);
  if (problem !== undefined) return { problem };
  return Buffer.byteLength(given) > mostBytes
    ? { problem: `is longer than ${mostBytes / 1_024} KB (${mostBytes.toLocaleString('en')} bytes of UTF-8)` }
    : { value: given };
}

/** A reader of texts that the pattern matches; `problem` is why others are refused. */
export const matching =
  (pattern: RegExp, problem: string) =>
  (text: string): { readonly value: string } | { readonly problem: string } =>
    pattern.test(text) ? { value: text } : { problem };

export function parseText(
  maxLength: number,
  given: unknown,
): { readonly value: string | null } | { readonly problem: string } {
  if (typeof given !== 'string') return { problem: 'is not a text' };
  const problem = problemOf(given);
  if (problem !== undefined) return { problem };
  const text = given.trim();
  // Counts code points, so that an emoji is one character.
  if (text.length > maxLength && [...text].length > maxLength) {
    return { problem: `is too long (at most ${maxLength} characters)` };
  }
  return { value: text === '' ? null : text };
}

const parseChoice = ({ choices, otherwise }: ChoiceField, given: unknown): Parsed =>
  typeof given === 'string' && choices.includes(given)
    ? { value: given }
    : { problem: otherwise ?? `is not one of ${choices.join(', ')}` };

const parseInteger = ({ min = 0, max }: IntegerField, given: unknown): Parsed =>
  Number.isInteger(given) && (given as number) >= min && (given as number) <= max
    ? { value: given as number }
    : { problem: `is not a whole number from ${min} to ${max}` };

const dated = (parsed: ParsedTime): Parsed => ('time' in parsed ? { value: parsed.time } : parsed);

export function parseAccountId(nodeIdDomain: string, given: unknown): string | undefined {
  const ref = typeof given === 'string' ? parseNodeId(nodeIdDomain, given) : undefined;
  return ref?.type === 'Account' ? ref.id : undefined;
}

function parsePeople(given: unknown, parseId: (id: unknown) => number | undefined): Parsed {
  const ids = Array.isArray(given) ? given.map(parseId) : [undefined];
  if (ids.length > mostPeople) return tooManyPeople;
  const people = ids.filter((id) => id !== undefined);
  return people.length < ids.length ? { problem: 'were not found' } : peopleOf(people);
}

/** The value of a field of people: each once, in the order of their ids. */
export const peopleOf = (ids: readonly number[]): Parsed =>
  ids.length > mostPeople ? tooManyPeople : { value: [...new Set(ids)].sort((a, b) => a - b) };

/** Like `parseRecordId`, but accepts values that are no text. */
export const parseGivenId = (nodeIdDomain: string, graphqlName: string, given: unknown): number | undefined =>
  typeof given === 'string' ? parseRecordId(nodeIdDomain, graphqlName, given) : undefined;
