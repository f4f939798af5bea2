import type { Person } from './person';
import { administeredBy, emailKeyOf } from './person';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { outboxPaths } from '@itsm/shared/messages/outbox/outbox';
import { wordsOf } from '@itsm/shared/base/texts/words';
import { Schema } from 'mongoose';

/** The stored form of a person. */
export interface PersonDocument extends Omit<Person, 'id' | 'verified'> {
  readonly _id: number;
  /** Absent in documents of earlier releases, where everybody counted as verified. */
  readonly verified?: boolean;
  readonly emailKey: string;
  /** The keys of `roles`, for the index. */
  readonly accountIds: readonly string[];
  /** The accounts that the person administers while enabled, for the index. Absent in documents of earlier releases. */
  readonly administers?: readonly string[];
  /** Search terms: each account with each word of name and address, as in `wdc ellen`. Absent in documents of earlier releases. */
  readonly search?: readonly string[];
}

export const personCollection = 'people';

/** The mongoose schema, with the indexes. */
export const personSchema = new Schema<PersonDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    name: { type: String, required: true },
    primaryEmail: { type: String, required: true },
    emailKey: { type: String, required: true },
    verified: Boolean,
    authenticationId: String,
    source: String,
    sourceID: String,
    roles: { type: Schema.Types.Mixed, required: true },
    accountIds: { type: [String], required: true },
    administers: { type: [String], default: undefined },
    search: { type: [String], default: undefined },
    locale: { type: String, required: true },
    timeZone: { type: String, required: true },
    disabledAt: Date,
    enabledAt: Date,
    createdAt: Date,
    updatedAt: Date,
    password: Schema.Types.Mixed,
    version: { type: Number, required: true },
    ...outboxPaths,
  },
  { collection: personCollection, versionKey: false, minimize: false, writeConcern: durable },
);
personSchema.index({ accountId: 1, emailKey: 1 }, { unique: true });
personSchema.index(
  { accountId: 1, authenticationId: 1 },
  { unique: true, partialFilterExpression: { authenticationId: { $type: 'string' } } },
);
personSchema.index({ emailKey: 1, _id: 1 });
personSchema.index({ accountIds: 1, _id: 1 });
for (const property of ['name', 'primaryEmail', 'source', 'sourceID', 'disabledAt', 'createdAt', 'updatedAt']) {
  personSchema.index({ accountIds: 1, [property]: 1, _id: 1 });
}
personSchema.index({ search: 1, _id: 1 });
personSchema.index({ accountIds: 1, accountId: 1 });
// Partial: only people who administer an account.
personSchema.index({ administers: 1, _id: 1 }, { partialFilterExpression: { administers: { $gt: '' } } });

export const searchOf = ({
  name,
  primaryEmail,
  accountIds,
}: Pick<PersonDocument, 'name' | 'primaryEmail' | 'accountIds'>): string[] => {
  const words = wordsOf(`${name} ${primaryEmail}`);
  return accountIds.flatMap((account) => words.map((word) => `${account} ${word}`));
};

/** The members derived for indexes. */
export function derivedOf(person: Omit<Person, 'id'>) {
  const accountIds = Object.keys(person.roles);
  return {
    emailKey: emailKeyOf(person.primaryEmail),
    accountIds,
    administers: administeredBy(person),
    search: searchOf({ ...person, accountIds }),
  };
}

/** Converts a stored person; members missing from earlier releases become null. */
export function toPerson({ _id: id, ...stored }: PersonDocument): Person {
  const { accountId, name, primaryEmail, verified = true, roles } = stored;
  const { authenticationId = null, source = null, sourceID = null } = stored;
  const { locale, timeZone, disabledAt = null, enabledAt = null, password = null } = stored;
  const { createdAt, updatedAt, version } = stored;
  const named = {
    id,
    accountId,
    name,
    primaryEmail,
    verified,
    authenticationId,
    source,
    sourceID,
    roles,
    locale,
    timeZone,
  };
  return { ...named, disabledAt, enabledAt, password, createdAt, updatedAt, version };
}
