import type { Document, RawDocument } from '../documents/document';

/** One change, as stored in the log. */
export type JournalEntry =
  | { readonly kind: 'put'; readonly collection: number; readonly document: RawDocument }
  | { readonly kind: 'remove'; readonly collection: number; readonly key: RawDocument }
  | { readonly kind: 'create'; readonly collection: number; readonly about: Document }
  | { readonly kind: 'drop'; readonly collection: number }
  | { readonly kind: 'createIndex'; readonly collection: number; readonly about: Document }
  | { readonly kind: 'dropIndex'; readonly collection: number; readonly about: Document };

/** Records changes. `append` is called in the order of the changes, each with a function that rolls it back. */
export interface Journal {
  /** Throws when no more changes are accepted. */
  checkUsable(): void;
  readonly append: (entry: JournalEntry, undo: () => void) => void;
  /** The number of changes that were ever appended. */
  readonly appended: number;
  /** Resolves when all appended changes are written, with `sync` also synced to disk. Failed writes are rolled back. */
  flushed(sync: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Stores nothing: for a server without a directory. */
export const memoryJournal: Journal = {
  checkUsable: () => undefined,
  append: () => undefined,
  appended: 0,
  flushed: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
