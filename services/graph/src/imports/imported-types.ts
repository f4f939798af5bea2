import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { personEditors } from '@itsm/shared/contracts/directory';
import type { Role } from '@itsm/shared/contracts/directory';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKindName } from '@itsm/shared/contracts/record-kinds';
import { editors } from '../record-types/fields';
import type { RecordType } from '../record-types/record-type';
import type { RecordImporter } from '../write/record-import';

/** A type whose files can be imported. */
export interface ImportedType {
  readonly name: RecordKindName;
  readonly plural: string;
  /** Roles that may import it. */
  readonly editors: readonly Role[];
  /** Throws a 403 for a caller who may not create and update records of the type. */
  check(caller: Caller): void;
}

/** Everybody who may import something. */
export const importers: readonly Role[] = [...new Set([...editors, ...personEditors])];

/** People are written by the service that has them. */
const people: ImportedType = {
  name: 'person',
  plural: recordKinds.person.plural,
  editors: personEditors,
  check(caller) {
    checkAllowed(caller, 'person:Create', personEditors);
    checkAllowed(caller, 'person:Update', personEditors);
  },
};

export const importedTypes = (types: readonly RecordType[], importer: RecordImporter): readonly ImportedType[] => [
  ...types.map(({ name, plural }): ImportedType => ({
    name,
    plural,
    editors,
    check(caller) {
      checkAllowed(caller, 'import:Create', editors);
      importer.check(name, caller);
    },
  })),
  people,
];
