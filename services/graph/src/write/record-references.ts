import { refused } from './record.input';
import type { ValidationError } from './record.input';
import { idIn, idsIn, textIn } from '@itsm/shared/declared/values';
import type { Values } from '@itsm/shared/declared/values';
import type { Lookups } from '../read/record-lookups';
import { sharedAs } from '../store/record-selection';
import type { AccountField, Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';

/** Errors for references in `values` to people, records or accounts that the account may not refer to. */
export async function checkReferences(lookups: Lookups, type: RecordType, values: Values): Promise<ValidationError[]> {
  const answers = type.fields.map((field) => {
    const isEmpty = (values[field.name] ?? null) === null;
    return { field, known: isEmpty || isKnown(lookups, field, values) };
  });
  // Most fields refer to nothing, and an import has many rows: these wait for nothing.
  const asked = answers.filter(({ known }) => known !== true);
  if (asked.length === 0) return [];
  const checked = await Promise.all(
    asked.map(async ({ field, known }) => {
      const plural = field.kind === 'people';
      return (await known) ? [] : [refused(field, plural ? 'were not found' : 'was not found')];
    }),
  );
  return checked.flat();
}

const isThere = async (loading: Promise<unknown>): Promise<boolean> => (await loading) !== undefined;

/** True at once for a field that refers to nothing. */
function isKnown(lookups: Lookups, field: Field, values: Values): true | Promise<boolean> {
  switch (field.kind) {
    case 'record':
      return isThere(lookups.records(field.to.name).load(idIn(values, field.name) ?? 0));
    case 'person':
    case 'people':
      return arePeople(lookups, idsIn(values, field.name));
    case 'reference':
      return isThere(lookups.forms.load(idIn(values, field.name) ?? 0));
    case 'account':
      return isOwnOrPartner(lookups, field, textIn(values, field.name));
    default:
      return true;
  }
}

const arePeople = async (lookups: Lookups, ids: readonly number[]): Promise<boolean> =>
  (await Promise.all(ids.map((id) => lookups.seenPerson(id)))).every((person) => person !== undefined);

async function isOwnOrPartner(lookups: Lookups, { as }: AccountField, id: string | undefined): Promise<boolean> {
  if (id === lookups.accountId) return true;
  return (await lookups.partners()).some((partner) => partner.id === id && partner.as === as);
}

/**
 * The accounts whose "All" view contains the record: its own, and the partners that it refers to (spec: Events, rule
 * 3).
 */
export async function accountsThatSee(lookups: Lookups, type: RecordType, values: Values): Promise<string[]> {
  const named = sharedAs(type).flatMap(({ name }) => textIn(values, name) ?? []);
  if (named.every((id) => id === lookups.accountId)) return [lookups.accountId];
  const partners = (await lookups.partners()).map(({ id }) => id);
  return [...new Set([lookups.accountId, ...named.filter((id) => partners.includes(id))])];
}
