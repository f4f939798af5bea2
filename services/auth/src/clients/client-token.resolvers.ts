import { notFound } from '@itsm/shared/base/errors/app-error';
import { parseNodeId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { fieldResolvers, mutationsOf } from '@itsm/shared/declared/declared.resolvers';
import { clientTokenType } from './client-token';
import type { ClientToken } from './client-token';
import type { ClientTokenEdits } from './client-token.routes';
import type { ClientTokenPlace } from './client-token.service';

interface Dependencies {
  readonly edits: ClientTokenEdits;
  readonly nodeIdDomain: string;
}

const type = clientTokenType.graphqlName;

/** Mutations and the type of client tokens. All of them need the permission to update the application. */
export function createClientTokenResolvers({ edits, nodeIdDomain }: Dependencies) {
  /** The id of a token is its client id. */
  function placeOf(id: string): ClientTokenPlace {
    const ref = parseNodeId(nodeIdDomain, id);
    if (ref?.type !== type) throw notFound();
    return { clientId: ref.id };
  }

  return {
    Mutation: mutationsOf(clientTokenType, { ...edits, idOf: (_caller, id) => placeOf(String(id)) }, nodeIdDomain),
    [type]: {
      id: ({ clientId }: ClientToken) => toNodeId(nodeIdDomain, type, clientId),
      ...fieldResolvers(clientTokenType),
    },
  };
}
