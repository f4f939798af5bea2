import { parseNodeId, parseRecordId } from '@itsm/shared/base/ids/node-id';
import { problemOf } from '@itsm/shared/base/texts/check-texts';
import { parseDay, parseTime } from '@itsm/shared/base/time/time-text';
import type { ParsedTime } from '@itsm/shared/base/time/time-text';
import type { Value } from './values';
import type { ChoiceField, Field } from './record-type';

export type Parsed = { readonly value: Value } | { readonly problem: string };

const mostPeople = 500;

/** Parses a value of `field` from GraphQL input. */
export function parseValue(field: Field, nodeIdDomain: string, given: unknown): Parsed {
  switch (field.kind) {
    case 'text':
      return parseText(field.maxLength, given);
    case 'choice':
      return parseChoice(field, given);
    case 'flag':
      return typeof given === 'boolean' ? { value: given } : { problem: 'is not true or false' };
    case 'integer':
      return parseInteger(field.max, given);
    case 'timestamp':
    case 'date':
      return given instanceof Date ? { value: given } : { problem: 'is not a date' };
    case 'person':
      return found(parseGivenId(nodeIdDomain, 'Person', given));
    case 'record':
      return found(parseGivenId(nodeIdDomain, field.to.graphqlName, given));
    case 'account':
      return found(parseAccountId(nodeIdDomain, given));
    case 'people':
      return parsePeople(given, (id) => parseGivenId(nodeIdDomain, 'Person', id));
  }
}

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
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: 'is not true or false' };
    case 'integer':
      return parseInteger(field.max, /^\d{1,15}$/.test(text) ? Number(text) : undefined);
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
      return found(parseRecordId(nodeIdDomain, field.to.graphqlName, text));
    case 'account':
      return found(/^[a-z0-9-]{1,63}$/.test(text) ? text : parseAccountId(nodeIdDomain, text));
    default:
      return parseValue(field, nodeIdDomain, text);
  }
}

const found = (id: number | string | undefined): Parsed =>
  id === undefined ? { problem: 'was not found' } : { value: id };

export function parseText(maxLength: number, given: unknown): Parsed {
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

const parseChoice = ({ choices }: ChoiceField, given: unknown): Parsed =>
  typeof given === 'string' && choices.includes(given)
    ? { value: given }
    : { problem: `is not one of ${choices.join(', ')}` };

const parseInteger = (max: number, given: unknown): Parsed =>
  Number.isInteger(given) && (given as number) >= 0 && (given as number) <= max
    ? { value: given as number }
    : { problem: `is not a whole number from 0 to ${max}` };

const dated = (parsed: ParsedTime): Parsed => ('time' in parsed ? { value: parsed.time } : parsed);

export function parseAccountId(nodeIdDomain: string, given: unknown): string | undefined {
  const ref = typeof given === 'string' ? parseNodeId(nodeIdDomain, given) : undefined;
  return ref?.type === 'Account' ? ref.id : undefined;
}

function parsePeople(given: unknown, parseId: (id: unknown) => number | undefined): Parsed {
  const ids = Array.isArray(given) ? given.map(parseId) : [undefined];
  if (ids.length > mostPeople) return { problem: `are more than ${mostPeople}` };
  const people = ids.filter((id) => id !== undefined);
  if (people.length < ids.length) return { problem: 'were not found' };
  return { value: [...new Set(people)].sort((a, b) => a - b) };
}

/** Like `parseRecordId`, but accepts values that are no text. */
export const parseGivenId = (nodeIdDomain: string, graphqlName: string, given: unknown): number | undefined =>
  typeof given === 'string' ? parseRecordId(nodeIdDomain, graphqlName, given) : undefined;
