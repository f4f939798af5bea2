import { trashMilliseconds } from '../store/trash-emptier';
import type { startFiles } from './attachment-kit';

interface Trashed {
  readonly account: string;
  /** The collection of the record, which is in the trash. */
  readonly plural: string;
  /** The address of its file. */
  readonly uri: string;
}

/** Empties the trash: the file is there until its record is deleted, and then leaves the storage and the quota. */
export async function expectFileGoesWithRecord(
  files: Awaited<ReturnType<typeof startFiles>>,
  { account, plural, uri }: Trashed,
): Promise<void> {
  const { store } = files.process(trashMilliseconds);
  await store.countKeeper.work();
  await files.graph.connection.collection(plural).updateMany({}, { $unset: { outboxAt: '', uncounted: '' } });
  await files.sweep(0);
  await files.download(uri).expect(200);
  await store.trashEmptier.work();
  await files.download(uri).expect(404);
  await files.sweep(0);
  expect(files.objects(account)).toEqual([]);
  expect(await files.usage(account)).toMatchObject({ bytes: 0 });
}
