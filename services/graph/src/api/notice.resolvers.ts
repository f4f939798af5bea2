import { loadConnection } from '@itsm/shared/api/graphql/connections';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { toConnectionSource } from '@itsm/shared/api/graphql/sorted-connection';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { checkSeesAccount } from '@itsm/shared/api/identity/sees-account';
import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { teamLevels } from '../notices/concerned';
import type { WatchLevel } from '../notices/concerned';
import type { Notices } from '../notices/module';
import type { Notice } from '../notices/notice.repository';
import { createLoader } from '../read/record-loader';
import type { Loader } from '../read/record-loader';
import type { ReaderOf } from '../read/record-reader';
import type { ItsmRecord } from '../record-types/record';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { namedRecord } from './named-record';
import type { NoticeReading, ReadGiven } from './notice-reading';
import { isWatched } from './notice.sdl';
import { personReference } from './record.resolvers';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly notices: Notices;
  readonly reading: NoticeReading;
  readonly readerOf: ReaderOf;
  readonly nodeIdDomain: string;
}

type ListArgs = ConnectionArgs & { readonly filter?: { readonly unread?: boolean | null } | null };
type ReadInput = MutationInput & ReadGiven;
type WatchInput = MutationInput & { readonly id: string; readonly level: WatchLevel };

/** Resolvers of the caller's notices, and of what they watch. */
export function createNoticeResolvers(dependencies: Dependencies): ResolverMap {
  const { types, readerOf, nodeIdDomain, reading } = dependencies;
  const { notices, watches } = dependencies.notices;

  const watching = types.filter(isWatched);
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
        return loadConnection(
          args,
          toConnectionSource(notices.source(caller, unread == null ? {} : { unread }), ['*']),
        );
      }),
    },
    Notice: {
      id: ({ id }: Notice) => toNodeId(nodeIdDomain, 'Notice', id),
      by: (notice: Notice, _args: unknown, context: SubgraphContext) =>
        personReference(readerOf(context), notice, notice.by?.id),
      record: (notice: Notice, _args: unknown, context: SubgraphContext) => reading.recordOf(notice, context),
    },
    Mutation: {
      noticesRead: allowed<MutationArgs<ReadInput>>('notice:Update', (_parent, { input }, context) =>
        toPayload(input, (members) => reading.read(members, context, 'recordId')),
      ),
      watchUpdate: allowed<MutationArgs<WatchInput>>('notice:Update', (_parent, { input }, context) =>
        toPayload(input, async ({ id: nodeId, level }) => {
          const { caller } = context;
          const { type, id } = namedRecord(watching, nodeIdDomain, nodeId);
          checkAllowed(caller, `${modelName(type)}:Read`);
          if (type.takesWork) checkTeamLevel(caller, level);
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

/** Only those who work with the records are notified of what a team gets. */
function checkTeamLevel(caller: Caller, level: WatchLevel): void {
  checkSeesAccount(caller);
  if (!teamLevels.includes(level)) throw validationFailed([['level', `of a team is ${teamLevels.join(' or ')}`]]);
}
