import type { Directory } from '../directory/module';
import type { Forms } from '../forms/module';
import type { Store } from '../store/module';
import { createLookups } from './record-lookups';
import type { OpenLookups } from './record-lookups';
import { createReaders } from './record-reader';
import type { ReaderOf } from './record-reader';

interface Needs {
  readonly directory: Directory;
  readonly forms: Forms;
  readonly store: Store;
}

export interface Reading {
  readonly openLookups: OpenLookups;
  readonly readerOf: ReaderOf;
}

export function createReading({ directory, forms, store: { repositoryOf, recordFiles, children } }: Needs): Reading {
  const openLookups = createLookups(directory.store, forms.store, repositoryOf, recordFiles);
  return { openLookups, readerOf: createReaders({ repositoryOf, childrenOf: children, openLookups }) };
}
