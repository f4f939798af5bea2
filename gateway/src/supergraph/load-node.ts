import { GraphQLError } from 'graphql';
import { createEntityBatches } from './entity-batches';
import type { ExecutionContext } from '../execution/execution-context';
import type { ServiceClient } from '../execution/service-client';
import type { NodeOwners } from './node-owners';

/** Enough of a record for its owner to be asked for more. */
export interface NodeReference {
  readonly __typename: string;
  readonly id: string;
}

export type LoadNode = (id: string, context: ExecutionContext) => Promise<NodeReference | null>;

/**
 * Finds out whether the caller may see the record of a global id. Malformed, unknown and foreign ids are `null`; a missing
 * scope and a service out of reach are errors.
 */
export function createNodeLoader(owners: NodeOwners, services: ReadonlyMap<string, ServiceClient>): LoadNode {
  const batches = new Map([...services].map(([name, client]) => [name, createEntityBatches(client)]));
  return async (id, context) => {
    const type = typeIn(id);
    const ask = batches.get(owners.get(type) ?? '');
    if (!ask) return null;
    const reference = { __typename: type, id };
    const { isFound, errors } = await ask(reference, context);
    if (isFound) return reference;
    const error = errors.find(({ extensions }) => extensions?.['code'] !== 'NOT_FOUND');
    if (error) throw new GraphQLError(error.message, { extensions: { code: error.extensions?.['code'] } });
    return null;
  };
}

/** A node id names its type; whether the rest of it is right is for the owner to say. */
function typeIn(id: string): string {
  if (id.length > 512 || !/^[\w-]+$/.test(id)) return '';
  const decoded = Buffer.from(id, 'base64url').toString('utf8');
  return /^[^/]+\/([A-Za-z]+)\/[\w-]+$/.exec(decoded)?.[1] ?? '';
}
