import type { Caller } from '@itsm/shared/api/identity/caller';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import type { ItsmRecord } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { textsOf } from '../record-types/texts';
import type { RecordFile } from '../store/record-files.repository';
import type { Lookups } from './record-lookups';

/**
 * The files of the texts of a record that the caller sees. Those of a text that is not for everybody are for those who
 * work with the account's records. A partner that sees the record sees no files of it, as it sees no notes.
 */
export async function seenFiles(
  type: RecordType,
  caller: Caller,
  lookups: Lookups,
  { id, accountId, hasFiles }: Pick<ItsmRecord, 'id' | 'accountId' | 'hasFiles'>,
): Promise<readonly RecordFile[]> {
  if (!hasFiles || accountId !== caller.accountId) return [];
  const files = (await lookups.files(type.name).load(id)) ?? [];
  const texts = textsOf(type).filter(({ audience }) => audience === 'everybody' || seesAccount(caller));
  return texts.flatMap(({ name }) => files.filter(({ field }) => field === name));
}
