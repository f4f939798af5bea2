import type { ReactNode } from 'react';
import { holds } from '@itsm/shared/declared/description';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { CopyField } from '../design/code';
import { Facts, Panel } from '../design/panel';
import { isAdministrator, isStaff } from '../api/roles';
import { useAccount } from '../frame/account';
import type { KnownRecord } from './change';
import { fieldsFor, isEditable } from './editing';
import { FieldRow } from './field-row';
import { FieldValue } from './field-value';
import type { Kind } from './kinds';
import { filesOf } from './note-parts';
import { useChange } from './use-record';
import { labelOf, presentValue } from './values';
import type { RestRecord } from './values';

/** Shown beside the heading, in a panel of their own, and beside the texts to which they belong. */
const shownElsewhere = new Set([
  'id',
  'nodeID',
  'account',
  'subject',
  'name',
  'status',
  'disabled',
  'life_cycle_state',
  'custom_fields',
  'attachments',
]);

/** The fields in the order and the words of the type's description; those that one may change have their editor. */
export function Details({
  type,
  known,
  kind,
  number,
  isEdited,
}: {
  /** Undefined for a platform without descriptions: the fields as they are. */
  readonly type: TypeDescription | undefined;
  readonly known: KnownRecord;
  readonly kind: Kind;
  readonly number: string;
  readonly isEdited: boolean;
}): ReactNode {
  const send = useChange({ kind, number });
  const { account, session } = useAccount();
  const { data } = known;
  const isForStaff = isStaff(session);
  // People are named in integrations by those who keep them; specialists look for a person, not for an id.
  const showsId = kind.hasHistory ? isForStaff : isAdministrator(session);
  const fields = type?.fields ?? [];
  const restOf = (name: string): string => fields.find((field) => field.name === name)?.rest ?? name;
  const shown = fieldsFor(session, fields).filter(
    ({ when, writeOnly }) => writeOnly !== true && (!when || holds(when, data[restOf(when.field)])),
  );
  const factsOf = (some: typeof shown) =>
    some.flatMap((field): (readonly [string, ReactNode])[] => {
      if (type && isEdited && isEditable(field))
        return [[field.label, <FieldRow key={field.name} field={field} type={type} known={known} send={send} />]];
      const value = data[field.rest] ?? null;
      const files = filesOf(data, field.rest);
      const isEmpty = value === null || value === '';
      if ((isEmpty && files.length === 0) || shownElsewhere.has(field.rest)) return [];
      return [[field.label, <FieldValue key={field.name} field={field} value={value} files={files} />]];
    });
  const isForPrograms = ({ audience }: (typeof shown)[number]): boolean => audience === 'machine';
  const forPrograms = [
    ...factsOf(shown.filter(isForPrograms)),
    ...(showsId ? ([['GraphQL ID', <CopyField key="id" text={data.nodeID} what="the GraphQL ID" />]] as const) : []),
  ];
  return (
    <Panel title="Details">
      <Facts
        facts={[
          ...factsOf(shown.filter((field) => !isForPrograms(field))),
          ...(isForStaff || !type ? undescribed(data, type, account) : []),
        ]}
      />
      {forPrograms.length > 0 && (
        <details className="disclosure-plain for-programs">
          <summary>For integrations</summary>
          <Facts facts={forPrograms} />
        </details>
      )}
    </Panel>
  );
}

/** What the description does not name. */
function undescribed(
  record: RestRecord,
  type: TypeDescription | undefined,
  account: string,
): readonly (readonly [string, ReactNode])[] {
  const known = new Set(type?.fields.map(({ rest }) => rest));
  return Object.entries(record)
    .filter(([field]) => !known.has(field) && !shownElsewhere.has(field))
    .map(([field, value]) => [labelOf(field), presentValue(field, value, account)] as const);
}
