import { emailKeyOf } from './person';

/** Values are OR, `negate` turns the result round. */
export interface TextFilter {
  readonly values: readonly (string | null)[];
  readonly negate?: boolean | null;
}

/** The members of the GraphQL input `PersonFilter`; all of them must match. */
export interface PersonFilter {
  readonly primaryEmail?: TextFilter | null;
  readonly name?: TextFilter | null;
  readonly sourceID?: TextFilter | null;
  readonly disabled?: boolean | null;
}

type Condition = Readonly<Record<string, object | null>>;

/** The same as store conditions; addresses are compared without regard to case. */
export function toConditions(filter: PersonFilter): Condition[] {
  const conditions: Condition[] = [];
  if (filter.primaryEmail) conditions.push({ emailKey: among(filter.primaryEmail, emailKeyOf) });
  if (filter.name) conditions.push({ name: among(filter.name) });
  if (filter.sourceID) conditions.push({ sourceID: among(filter.sourceID) });
  if (typeof filter.disabled === 'boolean') conditions.push({ disabledAt: filter.disabled ? { $ne: null } : null });
  return conditions;
}

function among({ values, negate }: TextFilter, key = (value: string) => value) {
  const wanted = values.filter((value) => value !== null).map(key);
  return negate ? { $nin: wanted } : { $in: wanted };
}
