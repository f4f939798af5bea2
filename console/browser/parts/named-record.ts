import { nounOf, recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKind } from '@itsm/shared/contracts/record-kinds';
import { numberOf } from '../api/number';

/** A record by its number or address; only an address says its kind. */
export interface NamedRecord {
  readonly number: string;
  /** The first part of event names: "request", "project_task". */
  readonly kind: string | undefined;
}

/** Parses "103", "#103", "requests/103", an address that ends so, or a node id; undefined for anything else. */
export function parseRecord(text: string): NamedRecord | undefined {
  const typed = text.trim();
  const number = /^#?(\d{1,15})$/.exec(typed)?.[1];
  if (number !== undefined) return { number, kind: undefined };
  const [, plural, inAddress] = /(?:^|\/)([a-z_]+)\/(\d{1,15})(?:[/?#].*)?$/.exec(typed) ?? [];
  if (plural !== undefined && inAddress !== undefined) return { number: inAddress, kind: kindOf(plural) };
  return parseNodeId(typed);
}

function parseNodeId(text: string): NamedRecord | undefined {
  if (!/^[\w-]{16,}$/.test(text)) return undefined;
  try {
    const number = numberOf(text);
    return /^\d{1,15}$/.test(number) ? { number, kind: undefined } : undefined;
  } catch {
    return undefined;
  }
}

const kinds = Object.entries<RecordKind>(recordKinds);
/** An unknown kind is kept, so that nothing is found. */
const kindOf = (plural: string): string => kinds.find(([, kind]) => kind.plural === plural)?.[0] ?? plural;
const pluralOf = (kind: string): string => kinds.find(([name]) => name === kind)?.[1].plural ?? kind;

/** The record of an event in the form of addresses: "requests/103". */
export const recordName = (event: string, number: number): string =>
  `${pluralOf(event.slice(0, event.indexOf('.')))}/${number}`;

/** Whether an event such as `project-task.update` is about that kind; true when no kind is known. */
export const isAbout = (event: string, { kind }: NamedRecord): boolean =>
  kind === undefined || event.slice(0, event.indexOf('.')).replaceAll('-', '_') === kind;

/** How a record of a GraphQL type is shown: its number in words, and the first part of its address. */
export interface ShownRecord {
  readonly words: string;
  /** `project_task`. */
  readonly name: string;
  readonly plural: string;
}

/** "Project task 7" in `project_tasks`; undefined for a type without pages. */
export function shownRecord(type: string, number: number): ShownRecord | undefined {
  const [name, kind] = kinds.find(([, { graphqlName }]) => graphqlName === type) ?? [];
  return kind && name !== undefined ? { words: `${nounOf(type)} ${number}`, name, plural: kind.plural } : undefined;
}
