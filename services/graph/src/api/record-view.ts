import type { Caller } from '@itsm/shared/api/identity/caller';
import { readsPeople } from '@itsm/shared/api/identity/allow';
import { modelOf } from '@itsm/shared/contracts/record-kinds';
import { isAllowed } from '@itsm/shared/contracts/scopes';
import { titleField } from '../record-types/record';
import { idsIn, textIn } from '@itsm/shared/declared/values';
import type { Values } from '@itsm/shared/declared/values';
import type { FlatRecord, ItsmRecord } from '../record-types/record';
import { reachOf } from '../read/record-access';
import type { Lookups } from '../read/record-lookups';
import { seenFiles } from '../read/seen-files';
import type { AddressOf } from '../attachments/attachment.resolvers';
import { presentFile } from './file.resource';
import { filesMember } from './record.resource';
import type { Named, RecordView } from './record.resource';
import { modelName } from '../record-types/record-type';
import type { Field, Kind } from '@itsm/shared/declared/language';
import { restName } from '@itsm/shared/declared/names';
import type { RecordType } from '../record-types/record-type';

type Names = Map<string, Named>;

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly caller: Caller;
  readonly lookups: Lookups;
  readonly addressOf: AddressOf;
  readonly nodeIdDomain: string;
}

interface KnowingView {
  readonly view: RecordView;
  readonly remember: (type: RecordType, records: readonly FlatRecord[], shown?: readonly string[]) => Promise<void>;
}

/**
 * A view that knows the names of what records passed to `remember` refer to, and their files: in the fields that are shown, by their REST
 * names, or in all of them.
 */
export function createRecordView({ types, caller, lookups, addressOf, nodeIdDomain }: Dependencies): KnowingView {
  const names: Names = new Map();
  const filesById = new Map<number, readonly object[]>();
  const namesPeople = readsPeople(caller);
  const keyOf = (field: Pick<Field, 'kind'> & { to?: Kind }, id: number | string): string =>
    `${field.to?.name ?? field.kind} ${id}`;

  async function nameBehind(field: Field, id: number | string): Promise<Named | undefined> {
    if (field.kind === 'account') return nameAccount(lookups, String(id));
    if (field.kind === 'reference') {
      if (!isAllowed(caller.scopes, `${modelOf(field.to.name)}:Read`, caller.accountId)) return undefined;
      const form = await lookups.forms.load(Number(id));
      return form && { id: form.id, name: form.name, ...(form.disabled && { disabled: true }) };
    }
    if (field.kind !== 'record') return namesPeople ? namePerson(lookups, Number(id)) : undefined;
    const target = types.find(({ name }) => name === field.to.name);
    // A record that the caller cannot list must not reveal its name here either.
    if (!target || reachOf(target, caller).who !== 'everybody') return undefined;
    if (!isAllowed(caller.scopes, `${modelName(target)}:Read`, caller.accountId)) return undefined;
    const record = await lookups.records(field.to.name).load(Number(id));
    return record && nameRecord(target, record);
  }

  async function rememberField(field: Field, id: number | string): Promise<void> {
    const name = await nameBehind(field, id);
    if (name) names.set(keyOf(field, id), name);
  }

  async function rememberAccount(id: string): Promise<void> {
    names.set(keyOf({ kind: 'account' }, id), await nameAccount(lookups, id));
  }

  async function rememberFiles(type: RecordType, record: FlatRecord): Promise<void> {
    const files = await seenFiles(type, caller, lookups, record);
    filesById.set(
      record.id,
      files.map((file) => ({ ...presentFile(file, addressOf), field: restName(file.field) })),
    );
  }

  const view: RecordView = {
    nodeIdDomain,
    filesOf: (id) => filesById.get(id) ?? [],
    nameOf: (field, id) => names.get(keyOf(field, id)) ?? null,
    accountOf: (id) => names.get(keyOf({ kind: 'account' }, id)) ?? { id, name: id },
  };
  return {
    view,
    async remember(type, records, shown) {
      const isShown = (name: string): boolean => shown?.includes(name) ?? true;
      const fields = type.fields.filter(({ name }) => isShown(restName(name)));
      await Promise.all(
        records.flatMap((record) => [
          ...(isShown(filesMember) ? [rememberFiles(type, record)] : []),
          ...(isShown('account') ? [rememberAccount(record.accountId)] : []),
          ...fields.flatMap((field) => idsOf(field, record).map((id) => rememberField(field, id))),
        ]),
      );
    },
  };
}

const referring: readonly Field['kind'][] = ['person', 'people', 'record', 'reference'];

function idsOf(field: Field, values: Values): readonly (number | string)[] {
  if (field.kind === 'account') return [textIn(values, field.name) ?? []].flat();
  return referring.includes(field.kind) ? idsIn(values, field.name) : [];
}

const nameAccount = async (lookups: Lookups, id: string): Promise<Named> => ({
  id,
  name: (await lookups.seenAccount(id))?.name ?? id,
});

async function namePerson(lookups: Lookups, id: number): Promise<Named | undefined> {
  const person = await lookups.seenPerson(id);
  if (!person) return undefined;
  const { name, sourceID, disabled } = person;
  return { id, name, ...(sourceID !== null && { sourceID }), ...(disabled && { disabled }) };
}

function nameRecord(type: RecordType, { id, values }: ItsmRecord): Named {
  const sourceID = textIn(values, 'sourceID');
  return {
    id,
    name: textIn(values, titleField(type)) ?? '',
    ...(sourceID !== undefined && { sourceID }),
    ...(values['disabled'] === true && { disabled: true }),
  };
}
