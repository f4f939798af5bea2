import type { Document } from '../documents/document';

/** A parsed update. */
export interface Update {
  /** Returns the changed document, and may modify the given one. `inserting` is true for the document of an upsert. */
  apply(document: Document, inserting: boolean): Document;
  readonly replaces: boolean;
}

export interface UpdateStatement {
  /** The update as typed values. */
  readonly update: unknown;
  readonly filter: Document;
  readonly arrayFilters: unknown;
  readonly variables: Document | undefined;
  readonly now: Date;
}
