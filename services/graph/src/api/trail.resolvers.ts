import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import { numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import type { Resolver } from '@itsm/shared/api/graphql/resolver';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import { checkSeesAccount } from '@itsm/shared/api/identity/sees-account';
import type { ItsmRecord } from '../record-types/record';
import { byId, createLoader } from '../read/record-loader';
import type { Loader } from '../read/record-loader';
import type { ReaderOf } from '../read/record-reader';
import { trailReachOf } from '../read/trail-access';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { namedRecord } from './named-record';
import { presentChange } from './present-change';
import { personReference } from './record.resolvers';
import type { AuditLine, Note } from '../store/trail';
import type { NoteService } from '../write/note.service';
import { toInputErrors } from '../write/record.input';
import { toEntry, trailRelation } from '../store/trail.repository';
import type { TrailKind, TrailRepository } from '../store/trail.repository';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly trails: TrailRepository;
  readonly notes: NoteService;
  readonly readerOf: ReaderOf;
  readonly nodeIdDomain: string;
}

type NoteArgs = {
  readonly input: {
    readonly recordId: string;
    readonly text: string;
    readonly internal?: boolean | null;
    readonly attachments?: unknown;
    readonly clientMutationId?: string;
  };
};

/** Resolvers of notes and audit lines: of a record, by their own ids, and the mutation that adds a note. */
export function createTrailResolvers(dependencies: Dependencies): ResolverMap {
  const { types, notes, readerOf, nodeIdDomain } = dependencies;
  const noted = types.filter(({ hasNotes }) => hasNotes);
  return {
    ...Object.fromEntries(types.map((type) => [type.graphqlName, recordFields(type, dependencies)])),
    Note: {
      ...entryFields('note', 'Note', dependencies),
      mentions: allowed<unknown, Note>('person:Read', async ({ accountId, mentions }, _args, context) => {
        const reader = readerOf(context);
        const seen = await Promise.all(mentions.map(({ id }) => personReference(reader, { accountId }, id)));
        return seen.filter((person) => person !== null);
      }),
    },
    AuditLine: {
      ...entryFields('auditLine', 'AuditLine', dependencies),
      changes: ({ recordType, changes }: AuditLine) => {
        const type = types.find(({ name }) => name === recordType);
        return changes.map((change) => presentChange(type, nodeIdDomain, change));
      },
    },
    Mutation: {
      noteCreate: allowed<NoteArgs>('note:Create', (_parent, { input }, { caller }) =>
        toPayload(input, async ({ recordId, text, internal, attachments }) => {
          const { type, id } = namedRecord(noted, nodeIdDomain, recordId);
          checkAllowed(caller, `${modelName(type)}:Read`);
          const outcome = await notes.add(caller, type.name, id, { text, internal: internal ?? false, attachments });
          if ('errors' in outcome) throw validationFailed(toInputErrors(outcome.errors));
          return { note: outcome.note };
        }),
      ),
    },
  };
}

function recordFields(
  type: RecordType,
  { readerOf }: Dependencies,
): Record<string, Resolver<ItsmRecord, ConnectionArgs>> {
  const load = (kind: TrailKind, record: ItsmRecord, args: ConnectionArgs, context: SubgraphContext) => {
    // A partner that sees the record does not see its notes and audit lines.
    const relation = trailRelation(kind, trailReachOf(context.caller), type);
    return readerOf(context).children(relation, record.id, args, (document) => toEntry(document as never));
  };
  return {
    ...(type.hasNotes && {
      notes: allowed<ConnectionArgs, ItsmRecord>('note:Read', (record, args, context) =>
        load('note', record, args, context),
      ),
    }),
    auditLines: allowed<ConnectionArgs, ItsmRecord>('audit-line:Read', (record, args, context) => {
      checkSeesAccount(context.caller);
      return load('auditLine', record, args, context);
    }),
  };
}

function entryFields(kind: TrailKind, graphqlName: string, { types, trails, readerOf, nodeIdDomain }: Dependencies) {
  const loaders = new WeakMap<object, Loader<number, Note | AuditLine>>();
  const loaderOf = (context: SubgraphContext) => {
    const loader =
      loaders.get(context) ??
      createLoader(async (ids: readonly number[]) =>
        byId<Note | AuditLine>(await trails.find(kind, trailReachOf(context.caller), ids)),
      );
    loaders.set(context, loader);
    return loader;
  };
  const recordOf = async (entry: Note | AuditLine, context: SubgraphContext) => {
    const type = types.find(({ name }) => name === entry.recordType);
    const record = type && (await readerOf(context).load(type.name, entry.recordId));
    return record && { ...record, __typename: type.graphqlName };
  };
  return {
    ...numberedIds(nodeIdDomain, graphqlName),
    record: async (entry: Note, _args: unknown, context: SubgraphContext) => {
      const type = types.find(({ name }) => name === entry.recordType);
      if (type) checkAllowed(context.caller, `${modelName(type)}:Read`);
      return recordOf(entry, context);
    },
    person: (entry: Note, _args: unknown, context: SubgraphContext) =>
      personReference(readerOf(context), entry, entry.person?.id),
    createdAt: ({ at }: Note) => at,
    __resolveReference: allowedReference(kind === 'note' ? 'note:Read' : 'audit-line:Read', async ({ id }, context) => {
      if (kind === 'auditLine') checkSeesAccount(context.caller);
      const number = parseRecordId(nodeIdDomain, graphqlName, id);
      const entry = number === undefined ? undefined : await loaderOf(context).load(number);
      // Visible only with a record that the caller sees.
      return entry && (await recordOf(entry, context)) ? entry : undefined;
    }),
  };
}
