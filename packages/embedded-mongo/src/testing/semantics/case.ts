import type { Collection, Document } from 'mongodb';

export type Rows = Collection<Document>;

/** A command on a collection with these documents, and MongoDB's answer: a value or an error code. */
export interface Case {
  readonly documents: readonly Document[];
  readonly ask: (rows: Rows) => Promise<unknown>;
  readonly answer: unknown;
}

/** The form in which errors are compared. */
export const refused = (code: number): { refused: number } => ({ refused: code });

/** Documents with the ids 1, 2, … */
export const rowsOf = (...documents: Document[]): Document[] => documents.map((one, i) => ({ _id: i + 1, ...one }));
