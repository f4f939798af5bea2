import type { Collection, Document } from 'mongodb';

export type Rows = Collection<Document>;

/** Something asked of a collection with these documents, and what MongoDB answers: a value or the code of its refusal. */
export interface Case {
  readonly documents: readonly Document[];
  readonly ask: (rows: Rows) => Promise<unknown>;
  readonly answer: unknown;
}

/** What a refusal is compared as. */
export const refused = (code: number): { refused: number } => ({ refused: code });

/** Documents under the ids 1, 2, … */
export const rowsOf = (...documents: Document[]): Document[] => documents.map((one, i) => ({ _id: i + 1, ...one }));
