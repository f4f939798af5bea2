import type { Document } from '../documents/document';

/** What an update does to one document. */
export interface Update {
  /** Gives the changed document; may change the given one. `inserting`: it is a new one by upsert. */
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
