import { checkAllowed, markAllowed } from '@itsm/shared/api/identity/allow';
import type { Resolver } from '@itsm/shared/api/graphql/resolver';
import { declaredMutations, declaredReads } from '@itsm/shared/declared/declared.resolvers';
import type { Edits } from '@itsm/shared/declared/edits';
import type { ReaderOf } from '../read/record-reader';
import type { Kept, KeptType } from './kept';

interface Dependencies<D extends KeptType> {
  readonly edits: Edits<D, Kept<D>>;
  readonly readerOf: ReaderOf;
  readonly nodeIdDomain: string;
}

/** Root fields and type of what people keep. */
export function createKeptResolvers<D extends KeptType>(type: D, { edits, readerOf, nodeIdDomain }: Dependencies<D>) {
  const { query, object } = declaredReads(type, edits, nodeIdDomain);
  const team: Resolver<Kept<D>> = ({ teamId }, _args, context) => {
    if (teamId === null) return null;
    checkAllowed(context.caller, 'team:Read');
    return readerOf(context).load('team', teamId);
  };
  return {
    Query: query,
    Mutation: declaredMutations(type, edits, nodeIdDomain),
    [type.graphqlName]: {
      ...object,
      team: markAllowed(team, 'team:Read'),
      isOwn: (({ ownerId }, _args, { caller }) => ownerId === caller.personId) satisfies Resolver<Kept<D>>,
    },
  };
}
