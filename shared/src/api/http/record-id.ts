import { requireRecordId } from '../../base/ids/node-id';

interface Addressed {
  readonly params: Readonly<Record<string, unknown>>;
}

/** The number of the record of `type` that the path names, by its number or node id; Not Found when it can name none. */
export const recordIdIn =
  (nodeIdDomain: string, type: string, parameter = 'id') =>
  ({ params }: Addressed): number =>
    requireRecordId(nodeIdDomain, type, String(params[parameter]));
