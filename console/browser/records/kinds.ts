import { nounOf, recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKind } from '@itsm/shared/contracts/record-kinds';

/** A kind of record with pages of its own. */
export interface Kind {
  /** The first part of its events. */
  readonly name: string;
  /** In addresses and in REST. */
  readonly plural: string;
  /** In sentences: "project task". */
  readonly noun: string;
  /** In sentences: "project tasks". */
  readonly nouns: string;
  readonly events: readonly string[];
  /** The type in its GraphQL ids. */
  readonly type: string;
  readonly hasNotes: boolean;
  readonly hasHistory: boolean;
}

/** All kinds of record, from the platform's table. */
export const kinds: readonly Kind[] = Object.entries<RecordKind>(recordKinds).map(
  ([name, { graphqlName, plural, label, service, events }]) => ({
    name,
    plural,
    noun: nounOf(graphqlName).toLowerCase(),
    nouns: label.toLowerCase(),
    events: events.map((action) => `${name}.${action}`),
    type: graphqlName,
    hasNotes: events.includes('note-added'),
    hasHistory: service === 'graph',
  }),
);

/** By field: the kind of record that it refers to; other fields are texts. A test compares it with the schema. */
export const kindOfField: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    kinds.flatMap(({ name, noun, plural }) => [
      [name, plural],
      [noun.replaceAll(' ', '_'), plural],
    ]),
  ),
  member: 'people',
  members: 'people',
  manager: 'people',
  requested_by: 'people',
  requested_for: 'people',
};
