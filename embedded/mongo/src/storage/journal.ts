import type { Document, RawDocument } from '../documents/document';

/** One change, as the log keeps it. */
export type JournalEntry =
  | { readonly kind: 'put'; readonly collection: number; readonly document: RawDocument }
  | { readonly kind: 'remove'; readonly collection: number; readonly key: RawDocument }
  | { readonly kind: 'create'; readonly collection: number; readonly about: Document }
  | { readonly kind: 'drop'; readonly collection: number }
  | { readonly kind: 'createIndex'; readonly collection: number; readonly about: Document }
  | { readonly kind: 'dropIndex'; readonly collection: number; readonly about: Document };

/** Where changes are kept. `append` is called in the order in which the changes were made, with what takes the change back. */
export interface Journal {
  /** Throws when changes can no longer be kept. */
  checkUsable(): void;
  readonly append: (entry: JournalEntry, undo: () => void) => void;
  /** Resolves when everything appended so far is written (and on the disk, when `sync`). What could not be is taken back. */
  flushed(sync: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Keeps nothing: for a server without a directory. */
export const memoryJournal: Journal = {
  checkUsable: () => undefined,
  append: () => undefined,
  flushed: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
