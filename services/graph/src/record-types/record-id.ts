import { parseNodeId } from '@itsm/shared/base/ids/node-id';

/** The number in a node id of `graphqlName`; anything else, a bare number too, is undefined. */
export function parseGlobalId(nodeIdDomain: string, graphqlName: string, text: unknown): number | undefined {
  const ref = typeof text === 'string' ? parseNodeId(nodeIdDomain, text) : undefined;
  if (ref?.type !== graphqlName || !/^\d+$/.test(ref.id)) return undefined;
  const id = Number(ref.id);
  return Number.isSafeInteger(id) ? id : undefined;
}
