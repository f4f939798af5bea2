import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import { filterTypes } from '@itsm/shared/declared/declared.resource';
import type { FlatRecord } from '../record-types/record';
import type { Value } from '@itsm/shared/declared/values';
import { orderNames } from '../read/record-query';
import { restName } from '@itsm/shared/declared/names';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';
import { textsOf } from '../record-types/texts';

/** A reference to a person, record or account, as far as the caller may see it. */
export interface Named {
  readonly id: number | string;
  readonly name: string;
  readonly sourceID?: string;
  readonly disabled?: true;
}

/** The member with the files of all texts of a record. */
export const filesMember = 'attachments';

/** The names behind the ids of the shown records, and their files. */
export interface RecordView {
  readonly nodeIdDomain: string;
  readonly nameOf: (field: Field, id: number | string) => Named | null;
  readonly accountOf: (accountId: string) => Named;
  readonly filesOf: (id: number) => readonly object[];
}

/** The REST resource of a type; references are `{id, name}`. */
export function createRecordResource(type: RecordType): Resource<FlatRecord, RecordView> {
  const declared = type.fields.map((field) => [restName(field.name), presentField(field)] as const);
  const sortable = orderNames(type).map((name) => [restName(name), name] as const);
  const filterable = type.fields
    .filter((field) => field.filterable)
    .map((field) => [restName(field.name), { property: field.name, type: filterTypes[field.kind] }] as const);
  const lists = type.fields
    .filter(({ kind }) => kind === 'people' || kind === 'custom')
    .map(({ name }) => restName(name));
  const fields = {
    id: ({ id }: FlatRecord) => id,
    nodeID: ({ id }: FlatRecord, { nodeIdDomain }: RecordView) => toNodeId(nodeIdDomain, type.graphqlName, id),
    account: ({ accountId }: FlatRecord, { accountOf }: RecordView) => accountOf(accountId),
    ...Object.fromEntries(declared),
    ...(textsOf(type).length > 0 && { [filesMember]: ({ id }: FlatRecord, { filesOf }: RecordView) => filesOf(id) }),
    life_cycle_state: ({ lifeCycleState }: FlatRecord) => lifeCycleState,
    created_at: ({ createdAt }: FlatRecord) => presentTime(createdAt),
    updated_at: ({ updatedAt }: FlatRecord) => presentTime(updatedAt),
  };
  return {
    fields,
    collectionFields: Object.keys(fields).filter(
      (name) => !['account', 'life_cycle_state', filesMember, ...lists].includes(name),
    ),
    sortable: Object.fromEntries(sortable),
    filterable: {
      id: { property: 'id', type: 'identifier' },
      ...Object.fromEntries(filterable),
      created_at: { property: 'createdAt', type: 'time' },
      updated_at: { property: 'updatedAt', type: 'time' },
    },
  };
}

const dateIn = (value: Value | undefined): Date | null => (value instanceof Date ? value : null);

function presentField(field: Field) {
  return (record: FlatRecord, view: RecordView): unknown => {
    const value = record[field.name] ?? null;
    if (value === null) return null;
    if (field.kind === 'people') return (value as readonly number[]).flatMap((id) => view.nameOf(field, id) ?? []);
    if (field.kind === 'custom') return value;
    if (field.kind === 'person' || field.kind === 'record' || field.kind === 'reference' || field.kind === 'account') {
      return view.nameOf(field, value as number | string);
    }
    const time = presentTime(dateIn(value));
    return field.kind === 'date' ? (time?.slice(0, 10) ?? null) : (time ?? value);
  };
}
