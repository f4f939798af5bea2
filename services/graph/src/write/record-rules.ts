import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Values } from '@itsm/shared/declared/values';
import { holds } from '@itsm/shared/declared/description';
import { textIn } from '@itsm/shared/declared/values';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import { refused } from './record.input';
import type { GivenNote, ValidationError } from './record.input';
import { ownersOf, statusesFor } from '../record-types/record-type';
import type { Moment, OwnerStep, RecordType } from '../record-types/record-type';

/** The errors of complete `values` by the declaration's rules; `errors` are those that were found before. */
export function checkRules(
  type: RecordType,
  before: Values | undefined,
  values: Values,
  moment: Moment,
  errors: readonly ValidationError[],
): ValidationError[] {
  const found = [
    ...missingIn(type, values),
    ...checkTransition(type, before, values),
    ...checkOwn(type, values, moment),
  ];
  // A field with an invalid value is reported once.
  return found.filter(({ path }) => !errors.some((error) => error.path[0] === path[0]));
}

const missingIn = (type: RecordType, values: Values): ValidationError[] =>
  type.fields
    .filter((field) => field.required && (values[field.name] ?? null) === null)
    .map((field) => refused(field, 'is required'));

function checkTransition(type: RecordType, before: Values | undefined, values: Values): ValidationError[] {
  const [from, to] = [before && textIn(before, 'status'), textIn(values, 'status')];
  const next = from === undefined || from === to ? undefined : type.transitions?.[from];
  const status = type.fields.find(({ name }) => name === 'status');
  if (!status || !next || to === undefined || next.includes(to)) return [];
  return [refused(status, `cannot go from ${from} to ${to}`)];
}

const checkOwn = (type: RecordType, values: Values, moment: Moment): ValidationError[] =>
  (type.check?.(values, moment) ?? []).flatMap(({ field: name, problem }) => {
    const field = type.fields.find((each) => each.name === name);
    return field ? [refused(field, problem)] : [];
  });

/** A caller who does not see the whole account may only create records of their own. */
export function checkOwner(type: RecordType, caller: Caller, values: Values): ValidationError[] {
  const [ownerName] = ownersOf(type);
  const owner = type.fields.find(({ name }) => name === ownerName);
  const isOwn = !owner || seesAccount(caller) || values[owner.name] === caller.personId;
  return isOwn ? [] : [refused(owner, 'must be yourself')];
}

const dayMilliseconds = 86_400_000;

/** Why the step cannot be done now. */
export function checkStep(type: RecordType, step: OwnerStep, values: Values, now: Date): ValidationError[] {
  const { label, within, from, unless = [] } = step;
  const since = within && values[within.field];
  const isLate = since instanceof Date && now.getTime() - since.getTime() > (within?.days ?? 0) * dayMilliseconds;
  const problem = !statusesFor(type, step).includes(textIn(values, 'status') ?? '')
    ? `It is ${from === 'open' ? 'closed already' : 'still open'}`
    : isLate
      ? `It was closed more than ${within?.days} days ago`
      : unless.find((condition) => holds(condition, values[condition.field]))?.problem;
  return problem === undefined ? [] : [{ message: `${label} is not possible: ${problem}`, path: [] }];
}

/** Internal notes are written by those who read them. */
export const maySetInternal = (caller: Caller): boolean => seesAccount(caller);

/** A caller who does not see the whole account may not add internal notes. */
export const checkNote = (caller: Caller, note: GivenNote | undefined): ValidationError[] =>
  note?.internal && !maySetInternal(caller)
    ? [{ message: 'Internal note is not for you to set', path: ['internalNote'] }]
    : [];

/** Whether the caller may set the field of a new record: some only editors may set. */
export function isFilledBy(
  { othersFill, mutations }: RecordType,
  { roles }: Caller,
  { name }: { name: string },
): boolean {
  const isEditor = mutations.update?.some((role) => roles.includes(role)) === true;
  return isEditor || othersFill === undefined || othersFill.includes(name);
}

/** Drops the fields that only editors may set, with an error for each; their values are not validated. */
export function withoutForeign(type: RecordType, caller: Caller, given: Values) {
  const foreign = type.fields.filter((field) => !isFilledBy(type, caller, field));
  if (foreign.length === 0) return { values: given, errors: [] };
  const values = Object.fromEntries(
    Object.entries(given).filter(([member]) => foreign.every(({ name }) => name !== member)),
  );
  const set = foreign.filter(({ name }) => (given[name] ?? null) !== null);
  return { values, errors: set.map((field) => refused(field, 'is not for you to set')) };
}
