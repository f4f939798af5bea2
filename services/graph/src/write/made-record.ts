import type { Values } from '@itsm/shared/declared/values';
import { textIn } from '@itsm/shared/declared/values';
import type { ItsmRecord } from '../record-types/record';
import type { Moment, RecordType } from '../record-types/record-type';
import type { SourcePair } from '../store/record.repository';

/** The source and source ID, if there are both. */
export function pairIn(values: Values): SourcePair | undefined {
  const [source, sourceID] = [textIn(values, 'source'), textIn(values, 'sourceID')];
  return source === undefined || sourceID === undefined ? undefined : { source, sourceID };
}

/** The complete values of a new record. */
export function created(type: RecordType, given: Values, moment: Moment): Values {
  const empty = Object.fromEntries(type.fields.map(({ name }) => [name, null]));
  return type.derive({ ...empty, ...given }, undefined, moment);
}

export const newRecord = (id: number, values: Values, { accountId, now }: Moment): ItsmRecord => ({
  id,
  accountId,
  values,
  createdAt: now,
  updatedAt: now,
  version: 1,
});

export const changed = (type: RecordType, before: ItsmRecord, given: Values, moment: Moment): ItsmRecord => ({
  ...before,
  values: type.derive({ ...before.values, ...given }, before.values, moment),
  updatedAt: moment.now,
  version: before.version + 1,
});

const sourceNames = ['source', 'sourceID'];
export const hasNewSource = (given: Values): boolean => sourceNames.some((name) => given[name] !== undefined);
