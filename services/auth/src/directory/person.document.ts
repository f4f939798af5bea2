import { fromStored, storedName, storedPaths } from '@itsm/shared/declared/stored';
import { isStored } from '@itsm/shared/declared/language';
import type { Declaration } from '@itsm/shared/declared/language';
import { administeredBy, emailKeyOf, personType } from './person';
import type { Person } from './person';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { outboxPaths } from '@itsm/shared/messages/outbox/outbox';
import { partsOf } from '@itsm/shared/base/texts/words';
import { Schema } from 'mongoose';

/** The stored form of a person. */
export interface PersonDocument extends Omit<
  Person,
  'id' | 'authenticationID' | 'verified' | 'disabledAt' | 'enabledAt' | 'password'
> {
  readonly _id: number;
  readonly authenticationId?: string | null;
  /** Absent in documents of earlier releases, as the next three may be. */
  readonly verified?: boolean;
  readonly disabledAt?: Date | null;
  readonly enabledAt?: Date | null;
  readonly password?: Person['password'];
  readonly emailKey: string;
  /** The keys of `roles`, for the index. */
  readonly accountIds: readonly string[];
  /** The accounts that the person administers while enabled, for the index. Absent in documents of earlier releases. */
  readonly administers?: readonly string[];
  /** Search terms: each account with each part of words of name and address, as in `wdc ellen`. Absent in documents of earlier releases. */
  readonly search?: readonly string[];
}

export const personCollection = 'people';

/** The mongoose schema, with the indexes. */
export const personSchema = new Schema<PersonDocument>(
  {
    _id: Number,
    accountId: { type: String, required: true },
    ...storedPaths(personType),
    emailKey: { type: String, required: true },
    roles: { type: Schema.Types.Mixed, required: true },
    accountIds: { type: [String], required: true },
    administers: { type: [String], default: undefined },
    search: { type: [String], default: undefined },
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
const listed = (personType as Declaration).fields.filter(isStored).filter(({ filterable }) => filterable);
for (const property of [...listed.map(({ name }) => storedName(personType, name)), 'createdAt', 'updatedAt']) {
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
  const parts = partsOf(`${name} ${primaryEmail}`);
  return accountIds.flatMap((account) => parts.map((part) => `${account} ${part}`));
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

/** The person of a document, also of an earlier release. */
export const toPerson = (document: PersonDocument): Person => ({
  id: document._id,
  accountId: document.accountId,
  ...fromStored(personType, document),
  roles: document.roles,
  enabledAt: document.enabledAt ?? null,
  password: document.password ?? null,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
  version: document.version,
});
