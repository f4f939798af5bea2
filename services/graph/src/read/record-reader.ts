import { loadConnection } from '@itsm/shared/api/graphql/connections';
import type { Connection, ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import type { ChildDocument, ChildrenRepository, Relation } from '../store/children.repository';
import type { ItsmRecord } from '../record-types/record';
import { checkKeeper, reachOf } from './record-access';
import { byId, createLoader } from './record-loader';
import type { Loader } from './record-loader';
import type { Lookups, OpenLookups } from './record-lookups';
import type { Reach, Selection } from '../store/record-selection';
import { readable, sharedAs } from '../store/record-selection';
import { stateOfView, views } from '../record-types/record-type';
import type { RecordType, View, ViewPart } from '../record-types/record-type';
import type { RecordRepository } from '../store/record.repository';

type TypeName = RecordType['name'];

/**
 * Reads on behalf of one call: only what the caller may see, each record once, and the children of many parents in one
 * query.
 */
export interface RecordReader {
  readonly lookups: Lookups;
  /**
   * The part of the type that the caller may see; with `partners` also records that other accounts share with this one.
   */
  reach(type: RecordType, partners: boolean): Promise<Reach>;
  /** The selection of a view, before filters; a 400 when too many records say what belongs to the caller. */
  view(type: RecordType, view: View): Promise<Selection>;
  /** The ids of the records of a type whose field names the caller; a 400 when they are too many. */
  naming(typeName: TypeName, property: string): Promise<readonly number[]>;
  load(typeName: TypeName, id: number): Promise<ItsmRecord | undefined>;
  children<T extends { readonly id: number }>(
    relation: Relation,
    parentId: number,
    args: ConnectionArgs,
    toChild: (document: ChildDocument) => T,
  ): Promise<Connection<T>>;
}

interface Dependencies {
  readonly repositoryOf: (typeName: TypeName) => RecordRepository;
  readonly childrenOf: ChildrenRepository;
  readonly openLookups: OpenLookups;
}

/** The reader of a call; all resolvers of the call share it. */
export type ReaderOf = (context: Pick<SubgraphContext, 'caller'>) => RecordReader;

/** Of the records by which others belong to a caller's view. */
const mostNamed = 2_000;

function statesOf(caller: Caller, view: View): Pick<Selection, 'states'> {
  const state = stateOfView[view];
  if (state === 'trashed') checkKeeper(caller);
  return state ? { states: [state] } : {};
}

export function createReaders({ repositoryOf, childrenOf, openLookups }: Dependencies): ReaderOf {
  const readers = new WeakMap<object, RecordReader>();

  function open({ caller }: Pick<SubgraphContext, 'caller'>): RecordReader {
    const { accountId, personId } = caller;
    const lookups = openLookups(accountId);
    const loaders = new Map<string, unknown>();
    const loaderFor = <L>(key: unknown, create: () => L): L => {
      const name = JSON.stringify(key);
      const loader = (loaders.get(name) as L | undefined) ?? create();
      loaders.set(name, loader);
      return loader;
    };

    async function reach(type: RecordType, partners: boolean): Promise<Reach> {
      const shares = partners && sharedAs(type).length > 0;
      return reachOf(type, caller, shares ? (await lookups.partners()).map(({ id }) => id) : []);
    }

    /** The records of a type that name the caller, as far as the caller sees them. */
    async function namingCaller(typeName: TypeName, property: string): Promise<readonly number[]> {
      const repository = repositoryOf(typeName);
      const { type } = repository;
      const mine = { reach: await reach(type, false), conditions: [{ property, in: [personId] }] };
      const order = [{ field: 'id', property: 'id', descending: false }];
      const found = await repository.list(accountId, mine, { order, limit: mostNamed + 1 });
      if (found.length > mostNamed)
        throw badRequest(`You have more than ${mostNamed} ${type.plural}; filter by some of them instead`);
      return found.map(({ id }) => id);
    }

    async function conditionOf(part: ViewPart): Promise<Condition> {
      const property = part.field;
      if ('is' in part) return { property, in: part.is };
      if ('isNot' in part) return { property, notIn: part.isNot };
      const { names } = part;
      return { property, in: names === 'caller' ? [personId] : await namingCaller(names.type, names.field) };
    }

    return {
      lookups,
      reach,
      naming: namingCaller,
      view: async (type, view) => ({
        reach: await reach(type, view === 'all'),
        conditions: await Promise.all(views[view].where(type).map(conditionOf)),
        ...statesOf(caller, view),
      }),
      load(typeName, id) {
        const repository = repositoryOf(typeName);
        const loader = loaderFor(['record', typeName], () =>
          createLoader(async (ids: readonly number[]) => {
            const selection = { reach: await reach(repository.type, true), conditions: [], states: readable };
            return byId(await repository.findMany(accountId, ids, selection));
          }),
        );
        return loader.load(id);
      },
      children<T extends { readonly id: number }>(
        relation: Relation,
        parentId: number,
        args: ConnectionArgs,
        toChild: (document: ChildDocument) => T,
      ) {
        const counts = loaderFor(['count', relation], () =>
          createLoader((ids: readonly number[]) => childrenOf.counts(relation, ids)),
        );
        return loadConnection(args, {
          async read(slice) {
            const pages: Loader<number, readonly T[]> = loaderFor(['page', relation, slice], () =>
              createLoader(async (ids: readonly number[]) => {
                const found = await childrenOf.pages(relation, ids, slice);
                return new Map([...found].map(([id, documents]) => [id, documents.map(toChild)]));
              }),
            );
            return (await pages.load(parentId)) ?? [];
          },
          count: async () => (await counts.load(parentId)) ?? 0,
        });
      },
    };
  }

  return (context) => {
    const reader = readers.get(context) ?? open(context);
    readers.set(context, reader);
    return reader;
  };
}
