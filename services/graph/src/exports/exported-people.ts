import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { personColumns, personEditors } from '@itsm/shared/contracts/directory';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { ListedPerson } from '../directory/directory';
import type { ListedPeopleRepository, Range } from '../directory/listed-people.repository';
import { lineOf } from './csv-line';
import type { Export } from './export';
import { rowsAtOnce } from './exported-type';
import type { ExportedType } from './exported-type';

type Column = keyof typeof personColumns;

/** As the API shows it: what people sign in with is for those who may change them. */
const columnsFor = ({ roles }: Caller): readonly Column[] =>
  (Object.keys(personColumns) as Column[]).filter(
    (name) => name !== 'authenticationID' || personEditors.some((role) => roles.includes(role)),
  );

function cellOf(name: Column, person: ListedPerson): string {
  const value = person[name];
  if (name === 'roles') return (person.roles[person.accountId] ?? []).join('\n');
  return typeof value === 'boolean' || typeof value === 'string' ? String(value) : '';
}

const rangeOf = ({ from, at }: Pick<Export, 'from' | 'at'>): Range | undefined =>
  from ? { from, until: at } : undefined;

/** The people of the account itself, disabled ones too, from the copy that this service has of them. */
export function createExportedPeople(people: ListedPeopleRepository): ExportedType {
  const { plural } = recordKinds.person;
  return {
    name: 'person',
    plural,
    async check(caller) {
      checkAllowed(caller, 'person:Read');
      // What is missing would be empty in the file, and an import would empty it.
      if (!(await people.isComplete(caller.accountId)))
        throw new AppError(
          'conflict',
          'People can be exported when the operator has run the backfill after the upgrade',
        );
    },
    hasChanges: async ({ accountId }, range) => (await people.list(accountId, rangeOf(range), undefined, 1)).length > 0,
    head: (caller) =>
      lineOf(['ID', ...columnsFor(caller).map((name) => personColumns[name]), 'Created at', 'Updated at']),
    async *lines(caller, range, read) {
      const columns = columnsFor(caller);
      const lineFor = (person: ListedPerson): string => {
        const times = [person.createdAt, person.updatedAt].map((time) => presentTime(time) ?? '');
        return lineOf([String(person.id), ...columns.map((name) => cellOf(name, person)), ...times]);
      };
      let after: ListedPerson | undefined;
      for (;;) {
        const found = await read(() => people.list(caller.accountId, rangeOf(range), after, rowsAtOnce));
        if (found.length > 0) yield found.map(lineFor).join('');
        if (found.length < rowsAtOnce) return;
        after = found.at(-1);
      }
    },
  };
}
