import { requireRecordId } from '../../base/ids/node-id';

interface Addressed {
  readonly params: Readonly<Record<string, unknown>>;
}

/** Parses the record id in the path: a number or a node id of `type`; "Not Found" for anything else. */
export const recordIdIn =
  (nodeIdDomain: string, type: string, parameter = 'id') =>
  ({ params }: Addressed): number =>
    requireRecordId(nodeIdDomain, type, String(params[parameter]));
