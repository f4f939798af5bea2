import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { loadConnection } from '@itsm/shared/api/graphql/connections';
import type { Connection, ConnectionArgs, Slice } from '@itsm/shared/api/graphql/connections';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import type { Resolver } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed, markAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { modelOf } from '@itsm/shared/contracts/record-kinds';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { idIn, idsIn, textIn } from '@itsm/shared/declared/values';
import { keepers, lifeCycleField, moveNames, moves, stateOf } from '../record-types/life-cycle';
import type { Move } from '../record-types/life-cycle';
import type { ItsmRecord } from '../record-types/record';
import { loadRecords } from '../read/record-connection';
import { moveMutation } from './record.sdl';
import { parseStep, toInputErrors } from '../write/record.input';
import type { Input, ValidationError } from '../write/record.input';
import { parseFilter, parseOrder } from '../read/record-query';
import type { FilterArgument, OrderArgument } from '../read/record-query';
import type { ReaderOf, RecordReader } from '../read/record-reader';
import { seenFiles } from '../read/seen-files';
import { memberName, rootField } from '@itsm/shared/declared/names';
import { modelName, numberName } from '../record-types/record-type';
import type { Field } from '@itsm/shared/declared/language';
import type { OwnerStep, RecordType, View } from '../record-types/record-type';
import { filesName, textsOf } from '../record-types/texts';
import type { RecordRepository } from '../store/record.repository';
import { changedBy, createMutations } from '../write/mutations';
import type { Verb } from '../write/mutations';
import type { Outcome } from '../write/outcome';
import type { RecordService } from '../write/record.service';

interface Dependencies {
  readonly service: RecordService;
  readonly repository: RecordRepository;
  readonly readerOf: ReaderOf;
  readonly nodeIdDomain: string;
}

type ListArgs = ConnectionArgs & {
  readonly view?: View | null;
  readonly filter?: FilterArgument | null;
  readonly order?: OrderArgument | null;
};
type RecordArgs = MutationArgs<Input & MutationInput>;

/** The root fields and the fields of the type. */
export function createRecordResolvers(dependencies: Dependencies): ResolverMap {
  const { type } = dependencies.service;
  return {
    Query: { [rootField(type)]: listResolver(dependencies), [memberName(type)]: singleResolver(dependencies) },
    Mutation: mutationResolvers(dependencies),
    [type.graphqlName]: typeResolvers(dependencies),
  };
}

function listResolver({ service: { type }, repository, readerOf, nodeIdDomain }: Dependencies) {
  return allowed<ListArgs>(`${modelName(type)}:Read`, async (_parent, args, context) => {
    const viewed = await readerOf(context).view(type, args.view ?? 'current_account');
    const { conditions, words } = parseFilter(type, nodeIdDomain, args.filter);
    const selection = { ...viewed, conditions: [...viewed.conditions, ...conditions], ...(words && { words }) };
    return loadRecords(repository, context.caller.accountId, selection, parseOrder(args.order), args);
  });
}

function singleResolver({ service: { type }, readerOf, nodeIdDomain }: Dependencies) {
  return allowed<{ readonly id: string }>(`${modelName(type)}:Read`, (_parent, { id }, context) => {
    const number = parseRecordId(nodeIdDomain, type.graphqlName, id);
    return number === undefined ? null : readerOf(context).load(type.name, number);
  });
}

function mutationResolvers({ service, nodeIdDomain }: Dependencies): Record<string, Resolver<unknown, RecordArgs>> {
  const { type } = service;
  const resolverOf =
    (run: (caller: Caller, input: Input) => Promise<Outcome>): Resolver<unknown, RecordArgs> =>
    async (_parent, { input }, { caller }) => {
      const payload = await toPayload(input, async (members) => {
        const outcome = await run(caller, members);
        if ('record' in outcome) return { [memberName(type)]: outcome.record };
        throw validationFailed(toInputErrors(outcome.errors));
      });
      return { ...payload, errors: payload.errors.map(withWholeId) };
    };
  const mutations = createMutations(service, nodeIdDomain);
  const moveResolver = (move: Move) => {
    const resolve = resolverOf((caller, input) => {
      const { id, check } = changedBy(type, nodeIdDomain, input);
      return service.move(caller.accountId, caller, id, moves[move], check);
    });
    return allowed<RecordArgs>(`${modelName(type)}:Update`, resolve, ...keepers);
  };
  const stepResolver = (step: OwnerStep) =>
    allowed<RecordArgs>(
      `${modelName(type)}:Update`,
      resolverOf((caller, input) => {
        const { id, check } = changedBy(type, nodeIdDomain, input);
        return service.take(caller.accountId, caller, id, step, parseStep(step, input), check);
      }),
    );
  const mutation = (verb: Verb) => {
    const roles = type.mutations[verb === 'Create' ? 'create' : 'update'];
    if (!roles) return {};
    const action = `${modelName(type)}:${verb}` as const;
    return { [`${memberName(type)}${verb}`]: allowed<RecordArgs>(action, resolverOf(mutations[verb]), ...roles) };
  };
  const editing = type.mutations.update ? moveNames : [];
  return {
    ...Object.fromEntries(editing.map((move) => [moveMutation(type, move), moveResolver(move)])),
    ...Object.fromEntries((type.steps ?? []).map((step) => [moveMutation(type, step.name), stepResolver(step)])),
    ...mutation('Create'),
    ...mutation('Update'),
  };
}

/** The id of a custom field may have dots in it. */
const withWholeId = ({ message, path: [member, ...rest] }: ValidationError): ValidationError => ({
  message,
  path: member === undefined ? [] : [member, ...(rest.length > 0 ? [rest.join('.')] : [])],
});

function typeResolvers({ service: { type }, readerOf, nodeIdDomain }: Dependencies): Record<string, unknown> {
  return {
    ...numberedIds(nodeIdDomain, type.graphqlName),
    [numberName(type)]: ({ id }: ItsmRecord) => String(id),
    account: ({ accountId }: ItsmRecord) => accountReference(nodeIdDomain, accountId),
    [lifeCycleField]: stateOf,
    __resolveReference: allowedReference(`${modelName(type)}:Read`, async ({ id }, context) => {
      const number = parseRecordId(nodeIdDomain, type.graphqlName, id);
      return number === undefined ? undefined : readerOf(context).load(type.name, number);
    }),
    ...Object.fromEntries(type.fields.map((field) => [field.name, fieldResolver(field, readerOf, nodeIdDomain)])),
    ...Object.fromEntries(textsOf(type).map((field) => [filesName(field), filesResolver(type, field, readerOf)])),
  };
}

const filesResolver =
  (type: RecordType, { name }: Field, readerOf: ReaderOf): Resolver<ItsmRecord> =>
  async (record, _args, context) => {
    const files = await seenFiles(type, context.caller, readerOf(context).lookups, record);
    return files.filter(({ field }) => field === name);
  };

function fieldResolver(field: Field, readerOf: ReaderOf, nodeIdDomain: string): Resolver<ItsmRecord, ConnectionArgs> {
  switch (field.kind) {
    case 'person':
      return (record, _args, context) => personReference(readerOf(context), record, idIn(record.values, field.name));
    case 'people':
      return allowed<ConnectionArgs, ItsmRecord>('person:Read', async (record, args, context) => {
        const reader = readerOf(context);
        const seen = idsIn(record.values, field.name).map((id) => personReference(reader, record, id));
        return loadPeople(
          args,
          (await Promise.all(seen)).flatMap((person) => person?.id ?? []),
        );
      });
    case 'account':
      return async ({ values }, _args, context) => {
        const id = textIn(values, field.name);
        if (id === undefined) return null;
        const isSeen =
          id === context.caller.accountId || (await readerOf(context).lookups.seenAccount(id)) !== undefined;
        return isSeen ? accountReference(nodeIdDomain, id) : null;
      };
    case 'record': {
      const action = `${modelName(field.to)}:Read` as const;
      const resolve: Resolver<ItsmRecord, ConnectionArgs> = ({ values }, _args, context) => {
        const id = idIn(values, field.name);
        // An empty reference needs no scope.
        if (id === undefined) return null;
        checkAllowed(context.caller, action);
        return readerOf(context).load(field.to.name, id);
      };
      return markAllowed(resolve, action);
    }
    case 'reference': {
      const action = `${modelOf(field.to.name)}:Read` as const;
      const resolve: Resolver<ItsmRecord, ConnectionArgs> = ({ values }, _args, context) => {
        const id = idIn(values, field.name);
        if (id === undefined) return null;
        checkAllowed(context.caller, action);
        return { id: toNodeId(nodeIdDomain, field.to.graphqlName, id) };
      };
      return markAllowed(resolve, action);
    }
    default:
      return ({ values }) => values[field.name];
  }
}

/**
 * A reference that auth resolves. Null for a person whom the caller's account does not see, since auth would resolve it
 * to an error.
 */
export async function personReference(
  { lookups }: RecordReader,
  { accountId }: Pick<ItsmRecord, 'accountId'>,
  id: number | undefined,
) {
  if (id === undefined) return null;
  const known = await lookups.people.load(id);
  // A person whom auth has not published yet can only belong to the record's own account.
  const isSeen = known ? (await lookups.seenPerson(id)) !== undefined : accountId === lookups.accountId;
  return isSeen ? { id } : null;
}

const accountReference = (nodeIdDomain: string, accountId: string) => ({
  id: toNodeId(nodeIdDomain, 'Account', accountId),
});

/** The people of one field as a connection of references, which auth resolves. */
function loadPeople(args: ConnectionArgs, stored: readonly number[]): Promise<Connection<{ readonly id: number }>> {
  const ids = [...new Set(stored)].sort((a, b) => a - b);
  return loadConnection(args, {
    read: (slice) => Promise.resolve(pick(ids, slice).map((id) => ({ id }))),
    count: () => Promise.resolve(ids.length),
  });
}

function pick(ids: readonly number[], { after = -Infinity, before = Infinity, limit, from }: Slice): readonly number[] {
  const between = ids.filter((id) => id > after && id < before);
  return from === 'start' ? between.slice(0, limit) : between.slice(-limit);
}
