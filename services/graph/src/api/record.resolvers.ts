import type { ResolverMap } from '@itsm/shared/api/graphql/merge-resolvers';
import { loadConnection } from '@itsm/shared/api/graphql/connections';
import type { Connection, ConnectionArgs, Slice } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import type { Resolver } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { GraphQLScalarType } from 'graphql';
import { idIn, idsIn, textIn } from '../record-types/values';
import type { ItsmRecord } from '../record-types/record';
import { loadRecords } from '../read/record-connection';
import { parseGlobalId } from '../record-types/field-values';
import type { Input } from '../write/record.input';
import { parseFilter, parseOrder } from '../read/record-query';
import type { FilterArgument, OrderArgument } from '../read/record-query';
import type { ReaderOf } from '../read/record-reader';
import { memberName, modelName, rootField } from '../record-types/record-type';
import type { Field, View } from '../record-types/record-type';
import type { RecordRepository } from '../store/record.repository';
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
type MutationArgs = { readonly input: Input };
/** Root fields, the type itself and its scalars. */
export function createRecordResolvers(dependencies: Dependencies): ResolverMap {
  const { type } = dependencies.service;
  const choices = type.fields.flatMap((field) => (field.kind === 'choice' ? [field.scalar] : []));
  return {
    Query: { [rootField(type)]: listResolver(dependencies), [memberName(type)]: singleResolver(dependencies) },
    Mutation: mutationResolvers(dependencies),
    [type.graphqlName]: typeResolvers(dependencies),
    ...Object.fromEntries(choices.map((scalar) => [scalar, word(scalar)])),
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
    const number = parseGlobalId(nodeIdDomain, type.graphqlName, id);
    return number === undefined ? null : readerOf(context).load(type.name, number);
  });
}

function mutationResolvers({ service }: Dependencies): Record<string, Resolver<unknown, MutationArgs>> {
  const { type } = service;
  const mutation = (verb: 'Create' | 'Update', run: RecordService['create']) => {
    const roles = type.mutations[verb === 'Create' ? 'create' : 'update'];
    if (!roles) return {};
    const resolve: Resolver<unknown, MutationArgs> = async (_parent, { input }, { caller }) => {
      const outcome = await run(caller.accountId, caller, input);
      const { record = null, errors = [] } = { record: undefined, errors: undefined, ...outcome };
      return { [memberName(type)]: record, errors, clientMutationId: input['clientMutationId'] };
    };
    const action = `${modelName(type)}:${verb}` as const;
    return { [`${memberName(type)}${verb}`]: allowed<MutationArgs>(action, resolve, ...roles) };
  };
  return {
    ...mutation('Create', (...call) => service.create(...call)),
    ...mutation('Update', (...call) => service.update(...call)),
  };
}

function typeResolvers({ service: { type }, readerOf, nodeIdDomain }: Dependencies): Record<string, unknown> {
  return {
    id: (record: ItsmRecord) => toNodeId(nodeIdDomain, type.graphqlName, record.id),
    account: ({ accountId }: ItsmRecord) => accountReference(nodeIdDomain, accountId),
    // Async: a throw here would void the answers for all the other references of the call.
    async __resolveReference({ id }: { readonly id: string }, context: SubgraphContext) {
      checkAllowed(context.caller, `${modelName(type)}:Read`);
      const number = parseGlobalId(nodeIdDomain, type.graphqlName, id);
      return number === undefined ? undefined : readerOf(context).load(type.name, number);
    },
    ...Object.fromEntries(type.fields.map((field) => [field.name, fieldResolver(field, readerOf, nodeIdDomain)])),
  };
}

function fieldResolver(field: Field, readerOf: ReaderOf, nodeIdDomain: string): Resolver<ItsmRecord, ConnectionArgs> {
  switch (field.kind) {
    case 'person':
      return ({ values }) => reference(idIn(values, field.name));
    case 'people':
      return ({ values }, args, { caller }) => {
        checkAllowed(caller, 'person:Read');
        return loadPeople(args, idsIn(values, field.name));
      };
    case 'account':
      return ({ values }) => accountReference(nodeIdDomain, textIn(values, field.name));
    case 'record':
      return ({ values }, _args, context) => {
        const id = idIn(values, field.name);
        if (id === undefined) return null;
        checkAllowed(context.caller, `${modelName({ name: field.to })}:Read`);
        return readerOf(context).load(field.to, id);
      };
    default:
      return ({ values }) => values[field.name];
  }
}

const reference = (id: number | undefined) => (id === undefined ? null : { id });

const accountReference = (nodeIdDomain: string, accountId: string | undefined) =>
  accountId === undefined ? null : { id: toNodeId(nodeIdDomain, 'Account', accountId) };

/** The people of one field as a connection; auth resolves the rest of each. */
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

/** A choice travels as a string; which words are allowed is checked with the rest of the input, so that it is refused like the rest. */
const word = (name: string): GraphQLScalarType => new GraphQLScalarType({ name, parseValue: checkWord });

function checkWord(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('This value is written as a string');
  return value;
}
