import { notFound } from '@itsm/shared/base/errors/app-error';
import { parseNodeId, parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { RecordType } from '../record-types/record-type';

/** The type and the number in the node id of a record; throws "Not Found" for one of no type among these. */
export function namedRecord(types: readonly RecordType[], nodeIdDomain: string, nodeId: string) {
  const ref = parseNodeId(nodeIdDomain, nodeId);
  const type = types.find(({ graphqlName }) => graphqlName === ref?.type);
  const id = type && parseRecordId(nodeIdDomain, type.graphqlName, nodeId);
  if (!type || id === undefined) throw notFound();
  return { type, id };
}
