import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';
import type { AuditLine } from '../store/trail';

type StoredChange = AuditLine['changes'][number];

/** Formats a change as texts; people, records and accounts are shown by their node ids. */
export function presentChange(
  type: RecordType | undefined,
  nodeIdDomain: string,
  { field: name, from, to }: StoredChange,
) {
  const field = type?.fields.find((each) => each.name === name);
  const text = (value: StoredChange['from']) => presentValue(field, nodeIdDomain, value);
  return { field: name, from: text(from), to: text(to) };
}

function presentValue(field: Field | undefined, nodeIdDomain: string, value: StoredChange['from']): string | null {
  if (value === null) return null;
  const ids = Array.isArray(value) ? value : [value];
  switch (field?.kind) {
    case 'person':
    case 'people':
      return ids.map((id) => toNodeId(nodeIdDomain, 'Person', String(id))).join(', ');
    case 'record':
      return toNodeId(nodeIdDomain, field.to.graphqlName, String(value));
    case 'reference':
      return toNodeId(nodeIdDomain, field.to.graphqlName, String(value));
    case 'account':
      return toNodeId(nodeIdDomain, 'Account', String(value));
    case 'date':
      return String(value).slice(0, 10);
    default:
      return String(value);
  }
}
