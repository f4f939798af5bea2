import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import { isStaff } from '../api/roles';
import type { Session } from '../api/session';
import { statusWhenTaken } from '../parts/taking-over';
import type { RecordChange } from './change';
import type { RestRecord } from './values';

/** A field that a person may change, with its name in bodies of REST. */
export type EditableField = FieldDescription & { readonly restInput: string };

type Person = Pick<Session, 'roles'>;

const hasRole = ({ roles }: Person, needed: readonly string[] | undefined): boolean =>
  roles.some((role) => needed?.includes(role) === true);

/** Whether a list of the type has something for the person. */
export const mayList = ({ columns, audience, endUsersSee }: TypeDescription, person: Person): boolean =>
  columns !== undefined && (isStaff(person) || (audience !== 'staff' && endUsersSee?.length !== 0));

/** Whether the person may change the record: it is theirs to change, and neither archived nor in the trash. */
export const mayEdit = (type: TypeDescription, record: RestRecord, account: string, person: Person): boolean =>
  record.account.id === account && record['life_cycle_state'] === 'active' && mayUpdate(type, person);

/** Whether the person may change records of the type. */
export const mayUpdate = (type: TypeDescription, person: Person): boolean => hasRole(person, type.writes.update);

/** Whether the person may create records of the type, by a form that has all that they need. */
export const mayCreate = (type: TypeDescription, person: Person): boolean =>
  hasRole(person, type.writes.create) &&
  type.fields.every((field) => !field.required || field.restInput === undefined || isEditable(field, true));

/** The fields that the person has a use for: those who asked for the work see less than those who do it. */
export const fieldsFor = <F extends Pick<FieldDescription, 'audience'>>(
  person: Person,
  fields: readonly F[],
): readonly F[] => fields.filter(({ audience }) => isStaff(person) || audience === 'everybody');

/**
 * The fields of a form for a new record: those that name, place and must be given first, and the others. Who only asks says
 * what it is about, and is the one who asks.
 */
export function fieldsOfNew(type: TypeDescription, person: Person) {
  const isForAll = type.othersFill === undefined || hasRole(person, type.writes.update);
  const fields = fieldsFor(person, type.fields)
    .filter((field): field is EditableField => isEditable(field, true))
    // The platform gives the first status, by what else is given, and the rest depends on it.
    .filter(
      ({ name, when }) =>
        name !== 'status' && name !== 'disabled' && !when && (isForAll || type.othersFill?.includes(name)),
    );
  const isFirst = ({ name, kind, required, refersTo }: EditableField): boolean =>
    name === type.title || (required && kind !== 'flag') || (isForAll && ['Person', 'Team'].includes(refersTo ?? ''));
  return { first: fields.filter(isFirst), more: fields.filter((field) => !isFirst(field)) };
}

/** Whether records of the type have custom fields. */
export const takesCustom = (type: TypeDescription): boolean => type.fields.some(({ rest }) => rest === 'custom_fields');

/** Whether a page edits the field. Lists have no editor yet, and the form of a UI extension has a panel of its own. */
export const isEditable = (field: FieldDescription, isNew = false): field is EditableField =>
  field.restInput !== undefined &&
  field.audience !== 'machine' &&
  (field.written === 'always' || field.written === (isNew ? 'on_create' : 'on_change')) &&
  field.many !== true &&
  !['account', 'secret', 'shape', 'derived'].includes(field.kind);

/** The fields that are asked for together with a value of a choice. */
export function askedWith(type: TypeDescription, field: FieldDescription, value: unknown): readonly EditableField[] {
  const { asks = [] } = field.words?.find((word) => word.value === value) ?? {};
  return type.fields.filter((one): one is EditableField => asks.includes(one.name) && isEditable(one));
}

/** Those who keep an account archive, trash and restore its records. */
export const isKeeper = (person: Person): boolean =>
  hasRole(person, ['account_administrator', 'directory_administrator']);

/** Those who change many records by a job of the platform. */
export const mayStartJobs = (person: Person): boolean => hasRole(person, ['account_administrator', 'specialist']);

/** Everybody who sees a record may add notes, except those who only audit. */
export const mayAddNotes = ({ roles }: Person): boolean => roles.some((role) => role !== 'auditor');

/** Internal notes are for those who work with all of the account's records. */
export const mayAddInternalNotes = (person: Person): boolean =>
  mayAddNotes(person) && hasRole(person, ['specialist', 'auditor', 'account_administrator', 'directory_administrator']);

/** The change by which the person takes over the record; undefined where there is nothing to take over. */
export function takingOver(type: TypeDescription, record: RestRecord, personId: number): RecordChange | undefined {
  const fieldNamed = (name: string) => type.fields.find((field) => field.name === name && isEditable(field));
  const [member, status] = [fieldNamed('member'), fieldNamed('status')];
  const now = typeof record['status'] === 'string' ? record['status'] : '';
  const current = record['member'] as { readonly id: number } | null | undefined;
  if (member?.restInput === undefined || current?.id === personId || type.closed?.includes(now)) return undefined;
  const takenUp = statusWhenTaken(type, status, now);
  const isTakenUp = takenUp !== undefined;
  return {
    body: { [member.restInput]: personId, ...(isTakenUp && { status: takenUp }) },
    fields: [member.rest, ...(isTakenUp ? ['status'] : [])],
  };
}
