import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { outboxPaths } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { Schema } from 'mongoose';
import { partsOf } from '@itsm/shared/base/texts/words';
import { titleField } from '../record-types/record';
import { idsIn, textIn } from '@itsm/shared/declared/values';
import type { ItsmRecord } from '../record-types/record';
import type { Values } from '@itsm/shared/declared/values';
import { customKeysOf, hasCustomFields } from './custom-keys';
import type { RecordFile } from './record-files.repository';
import { accountOfPlace, placeOf } from './record-places';
import type { SetAside } from '../record-types/life-cycle';
import { ownersOf } from '../record-types/record-type';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';

/** How the counts contain a record. */
export interface CountedAs {
  /** The fold that counted it, 0 for a record of an import; none for a new one that is not counted yet. */
  readonly fold?: number;
  /** The keys under which it is counted. A record of an import has none: it is counted as it is. */
  readonly as?: readonly string[];
  /** The keys that it had before its first change since. */
  readonly from?: readonly (readonly string[])[];
}

/** A stored record. The outbox is embedded, so that a change and its messages are one atomic write. */
export interface RecordDocument {
  readonly _id: number;
  /** The account, and the state of the record, unless it is active. */
  readonly accountId: string;
  readonly values: Values;
  /** The owners, for the owners index. */
  readonly owners: readonly number[];
  /** The parts by which the title is found, for the word index. */
  readonly words: readonly string[];
  /** Of a type with custom fields: their values, for the index of filters by them. */
  readonly customKeys?: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
  readonly aside?: SetAside;
  /** Those of its texts, by their fields. */
  readonly files?: readonly RecordFile[];
  readonly hasFiles?: boolean;
  readonly counted?: CountedAs;
  /** Set while the counts do not contain the record as it is. */
  readonly uncounted?: true;
  readonly outbox?: readonly OutboxEntry[];
  readonly outboxAt?: Date;
}

const storedAs: Readonly<Record<Field['kind'], unknown>> = {
  text: String,
  choice: String,
  flag: Boolean,
  integer: Number,
  timestamp: Date,
  date: Date,
  person: Number,
  record: Number,
  account: String,
  people: [Number],
  reference: Number,
  custom: Schema.Types.Mixed,
};

/** The mongoose schema of a type; strict: it refuses fields that the declaration does not have. */
export function recordSchema(type: RecordType): Schema<RecordDocument> {
  const values = new Schema(
    Object.fromEntries(type.fields.map((field) => [field.name, { type: storedAs[field.kind], default: null }])),
    { _id: false, id: false, strict: 'throw' },
  );
  const schema = new Schema(
    {
      _id: Number,
      accountId: { type: String, required: true },
      values: { type: values, required: true },
      owners: [Number],
      words: [String],
      customKeys: { type: [String], default: undefined },
      createdAt: Date,
      updatedAt: Date,
      version: Number,
      aside: {
        type: { _id: false, state: String, at: Date, by: { _id: false, id: Number, name: String }, entry: Number },
        default: undefined,
      },
      files: { type: [Schema.Types.Mixed], default: undefined },
      hasFiles: { type: Boolean, default: undefined },
      counted: { type: { fold: Number, as: [String], from: [[String]] }, default: undefined },
      uncounted: { type: Boolean, default: undefined },
      ...outboxPaths,
    },
    { id: false, versionKey: false, minimize: false, strict: 'throw', writeConcern: durable },
  );
  return schema as Schema<RecordDocument>;
}

/** The parts by which the title is found. */
export const wordsIn = (type: RecordType, values: Values): string[] => partsOf(textIn(values, titleField(type)) ?? '');

export function toDocument(type: RecordType, { id, accountId, aside, ...rest }: ItsmRecord) {
  const owners = ownersOf(type).flatMap((owner) => idsIn(rest.values, owner));
  const keys = hasCustomFields(type) && { customKeys: customKeysOf(rest.values) };
  const place = { accountId: placeOf(accountId, aside?.state), ...(aside && { aside }) };
  return { _id: id, ...place, ...rest, owners: [...new Set(owners)], words: wordsIn(type, rest.values), ...keys };
}

type StoredRecord = Pick<
  RecordDocument,
  '_id' | 'accountId' | 'values' | 'createdAt' | 'updatedAt' | 'version' | 'aside' | 'hasFiles'
>;

export const toRecord = ({
  _id,
  accountId,
  values,
  createdAt,
  updatedAt,
  version,
  aside,
  hasFiles,
}: StoredRecord): ItsmRecord => ({
  id: _id,
  accountId: accountOfPlace(accountId),
  values,
  createdAt,
  updatedAt,
  version,
  ...(aside && { aside }),
  ...(hasFiles && { hasFiles }),
});
