import { loadConnection } from '@itsm/shared/api/graphql/connections';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed, isPermitted } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { textIn } from '@itsm/shared/declared/values';
import type { WatchLevel } from '../notices/concerned';
import type { Notices } from '../notices/module';
import type { Notice } from '../notices/notice.repository';
import { createLoader } from '../read/record-loader';
import type { Loader } from '../read/record-loader';
import type { ReaderOf } from '../read/record-reader';
import { titleField } from '../record-types/record';
import type { ItsmRecord } from '../record-types/record';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { namedRecord } from './named-record';
import { mostRead } from './notice.sdl';
import { personReference } from './record.resolvers';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly notices: Notices;
  readonly readerOf: ReaderOf;
  readonly nodeIdDomain: string;
}

type ListArgs = ConnectionArgs & { readonly filter?: { readonly unread?: boolean | null } | null };
type ReadInput = MutationInput & {
  readonly ids?: readonly string[] | null;
  readonly recordId?: string | null;
  readonly until?: string | null;
};
type WatchInput = MutationInput & { readonly id: string; readonly level: WatchLevel };

/** Resolvers of the caller's notices, and of what they watch. */
export function createNoticeResolvers(dependencies: Dependencies): ResolverMap {
  const { types, readerOf, nodeIdDomain } = dependencies;
  const { notices, watches } = dependencies.notices;

  const numberIn = (nodeId: string): number => {
    const id = parseRecordId(nodeIdDomain, 'Notice', nodeId);
    if (id === undefined) throw notFound();
    return id;
  };

  async function readOf({ ids, recordId, until }: ReadInput, context: SubgraphContext) {
    if ([ids, recordId, until].filter((given) => given != null).length !== 1)
      throw validationFailed([['', 'Give exactly one of ids, recordId and until']]);
    if (ids && ids.length > mostRead) throw validationFailed([['ids', `has more than ${mostRead} items`]]);
    if (ids) return { ids: ids.map(numberIn) };
    if (until != null) return { until: numberIn(until) };
    const { type, id } = namedRecord(types, nodeIdDomain, recordId ?? '');
    if (!(await readerOf(context).load(type.name, id))) throw notFound();
    return { recordType: type.name, recordId: id };
  }

  const unreadOf = (caller: Caller): Promise<number> => notices.source(caller, { unread: true }).count();

  const watching = types.filter(({ hasNotes }) => hasNotes);
  const loaders = new WeakMap<object, Map<string, Loader<number, WatchLevel>>>();
  function loaderOf(context: SubgraphContext, recordType: string): Loader<number, WatchLevel> {
    const { accountId, personId } = context.caller;
    const ofCall = loaders.get(context) ?? new Map<string, Loader<number, WatchLevel>>();
    loaders.set(context, ofCall);
    const loader =
      ofCall.get(recordType) ??
      createLoader((ids: readonly number[]) => watches.find({ accountId, recordType, personId }, ids));
    ofCall.set(recordType, loader);
    return loader;
  }

  return {
    Query: {
      notices: allowed<ListArgs>('notice:Read', (_parent, { filter, ...args }, { caller }) => {
        const { unread } = filter ?? {};
        return loadConnection(args, notices.source(caller, unread == null ? {} : { unread }));
      }),
    },
    Notice: {
      id: ({ id }: Notice) => toNodeId(nodeIdDomain, 'Notice', id),
      by: (notice: Notice, _args: unknown, context: SubgraphContext) =>
        personReference(readerOf(context), notice, notice.by?.id),
      record: async ({ recordType, recordId }: Notice, _args: unknown, context: SubgraphContext) => {
        const type = types.find(({ name }) => name === recordType);
        if (!type || !isPermitted(context.caller, `${modelName(type)}:Read`)) return null;
        const record = await readerOf(context).load(type.name, recordId);
        return record ? present(type, record, nodeIdDomain) : null;
      },
    },
    Mutation: {
      noticesRead: allowed<MutationArgs<ReadInput>>('notice:Update', (_parent, { input }, context) =>
        toPayload(input, async (members) => {
          const { caller } = context;
          await notices.read(caller, await readOf(members, context));
          return { unread: await unreadOf(caller) };
        }),
      ),
      watchUpdate: allowed<MutationArgs<WatchInput>>('notice:Update', (_parent, { input }, context) =>
        toPayload(input, async ({ id: nodeId, level }) => {
          const { caller } = context;
          const { type, id } = namedRecord(watching, nodeIdDomain, nodeId);
          checkAllowed(caller, `${modelName(type)}:Read`);
          if (!(await readerOf(context).load(type.name, id))) throw notFound();
          await watches.choose(
            { accountId: caller.accountId, recordType: type.name, recordId: id },
            caller.personId,
            level,
          );
          return { level };
        }),
      ),
    },
    ...Object.fromEntries(
      watching.map(({ graphqlName, name }) => [
        graphqlName,
        {
          watching: async ({ id }: ItsmRecord, _args: unknown, context: SubgraphContext) =>
            (await loaderOf(context, name).load(id)) ?? 'own',
        },
      ]),
    ),
  };
}

const present = (type: RecordType, { id, values }: ItsmRecord, nodeIdDomain: string) => ({
  id: toNodeId(nodeIdDomain, type.graphqlName, id),
  number: id,
  type: type.graphqlName,
  title: textIn(values, titleField(type)) ?? '',
  status: textIn(values, 'status'),
});
