import { orNull } from '../api/graphql/node-resolvers';
import type { Precondition } from '../api/http/if-match';
import type { Caller } from '../api/identity/caller';
import type { CollectionSource } from '../api/rest/collection-source';
import type { Condition } from '../api/rest/filter';
import { madeBefore } from '../base/concurrency/present-call';
import { modelOf } from '../contracts/record-kinds';
import type { Action } from '../contracts/scopes';
import type { Declaration, Kind } from './language';
import type { GivenOf } from './record-of';
import { viewsOf } from './views';

/** Accounts are identified by names. */
export interface Identified {
  readonly id: number | string;
}

/** The writes of one type, which exist if its declaration has them; `G` is what was read from a caller's input. */
export interface Writes<G, T extends Identified, Id = T['id']> {
  /** Refuses a caller who may not create or change records at this moment; asked before the input is read. */
  readonly checkCaller?: (caller: Caller, write: 'create' | 'update') => void;
  /** What an id in an address or input stands for, where it is no number; throws "Not Found" for a wrong one. */
  readonly idOf?: (caller: Caller, text: string | null | undefined) => Id;
  readonly create?: (caller: Caller, given: G) => Promise<T>;
  /** What only the answer to the creation shows, by the names of GraphQL. */
  readonly once?: (created: T) => object;
  readonly update?: (caller: Caller, id: Id, given: G, check?: Precondition<T>) => Promise<T>;
  readonly remove?: (caller: Caller, id: Id, check?: Precondition<T>) => Promise<unknown>;
}

/** The use cases of a type that administrators edit, which both edges call. */
export interface Edits<D extends Declaration, T extends Identified> extends Writes<GivenOf<D>, T> {
  /** The records of the account that have all the words, where the type is searched. */
  readonly list: (caller: Caller, words: readonly string[]) => Promise<CollectionSource<T>> | CollectionSource<T>;
  /** What the records of a view have in common where that depends on the caller. */
  readonly viewed?: ((caller: Caller, view: string) => Promise<readonly Condition[]>) | undefined;
  /** Undefined, or "Not Found", for one that the caller does not see. */
  readonly find: (caller: Caller, id: T['id']) => Promise<T | undefined>;
}

/** The conditions of a view; none for the whole list, and for a name that the type does not have. */
export const conditionsOfView = async <D extends Declaration, T extends Identified>(
  type: D,
  { viewed }: Pick<Edits<D, T>, 'viewed'>,
  caller: Caller,
  view: string,
): Promise<readonly Condition[]> => [
  ...(viewsOf(type).find(({ name }) => name === view)?.where ?? []),
  ...((await viewed?.(caller, view)) ?? []),
];

/** The writes, of which a creation makes nothing when an earlier attempt of the call has: its record is then found. */
export const repeatable = <D extends Declaration, T extends Identified>({
  find,
  create,
  ...others
}: Edits<D, T>): Writes<GivenOf<D>, T> => ({
  ...others,
  ...(create && {
    create: async (caller, given) =>
      (await madeBefore((id) => orNull(() => find(caller, id as T['id'])))) ?? create(caller, given),
  }),
});

/** The action of the type that a caller's scopes must allow; every write of a part is an update of the whole. */
export const actionOf = (
  { name, within }: Pick<Kind, 'name'> & Pick<Partial<Declaration>, 'within'>,
  verb: 'Create' | 'Read' | 'Update' | 'Delete',
): Action => (within ? `${modelOf(within.name)}:${verb === 'Read' ? verb : 'Update'}` : `${modelOf(name)}:${verb}`);
