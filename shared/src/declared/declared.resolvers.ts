import type { ConnectionArgs } from '../api/graphql/connections';
import type { SubgraphContext } from '../api/graphql/context';
import { toConditions, toOrder } from '../api/graphql/list-arguments';
import type { ListArguments } from '../api/graphql/list-arguments';
import { nodeResolvers, numberedIds } from '../api/graphql/node-resolvers';
import type { IdInput } from '../api/graphql/node-resolvers';
import { allowed, allowedReference } from '../api/graphql/resolver';
import { loadSortedConnection } from '../api/graphql/sorted-connection';
import type { Precondition } from '../api/http/if-match';
import { validationFailed } from '../base/errors/app-error';
import type { Condition } from '../api/rest/filter';
import type { SortValue } from '../api/rest/resource';
import { parseRecordId, toNodeId } from '../base/ids/node-id';
import { actionOf, conditionsOfView, repeatable } from './edits';
import type { Edits, Identified, Writes } from './edits';
import { isConveyed, isStored } from './language';
import type { Declaration } from './language';
import { memberName, propertyOf, restName, rootField } from './names';
import { readInput, restNamesOf } from './read-input';
import type { GivenOf } from './record-of';
import { shownOf } from './setting-kinds';

/** The conditions of a GraphQL filter, with numbers for global ids; an id of nothing becomes 0, which no record has. */
const conditionsOf =
  (type: Declaration, nodeIdDomain: string) =>
  (args: ListArguments): readonly Condition[] =>
    toConditions(args).map((condition): Condition => {
      const field = type.fields.filter(isStored).find(({ name }) => name === condition.property);
      if (field?.kind !== 'reference') return condition;
      const idOf = (text: SortValue) =>
        text === null ? null : (parseRecordId(nodeIdDomain, field.to.graphqlName, String(text)) ?? 0);
      const { property } = condition;
      if ('in' in condition) return { property, in: condition.in.map(idOf) };
      return 'notIn' in condition ? { property, notIn: condition.notIn.map(idOf) } : condition;
    });

export interface Reference {
  readonly id: string;
}

/** The root fields of a type, and what its object needs beside the fields that are as they are stored. */
export function declaredReads<D extends Declaration, T extends { readonly id: number }>(
  type: D,
  { list, find, viewed }: Pick<Edits<D, T>, 'list' | 'find' | 'viewed'>,
  nodeIdDomain: string,
) {
  const action = actionOf(type, 'Read');
  const { readers = [] } = type;
  const conditions = conditionsOf(type, nodeIdDomain);
  const node = nodeResolvers({ type: type.graphqlName, nodeIdDomain, restNames: {} });
  const load = ({ id }: Reference, { caller }: SubgraphContext) => node.load(id, (number) => find(caller, number));
  // What else is shown is read by the resolvers of the fields that are asked for.
  const fields = type.fields.filter(isStored).map(({ name }) => restName(name));
  const query = {
    [rootField(type)]: allowed<ConnectionArgs & ListArguments>(
      action,
      async (_parent, args, { caller }) =>
        loadSortedConnection(args, {
          source: await list(caller, []),
          order: toOrder(args),
          filter: [...(await conditionsOfView(type, { viewed }, caller, args.view ?? '')), ...conditions(args)],
          fields,
        }),
      ...readers,
    ),
    [memberName(type)]: allowed<Reference>(
      action,
      (_parent, reference, context) => load(reference, context),
      ...readers,
    ),
  };
  const object = {
    __resolveReference: allowedReference(action, load, ...readers),
    ...numberedIds(nodeIdDomain, type.graphqlName),
    ...fieldResolvers(type),
  };
  return { query, object };
}

type UpdateInput = IdInput & { readonly ifVersion?: number | null };

interface Versioned extends Identified {
  readonly version?: number;
}

/** The mutations of a type. */
export const declaredMutations = <D extends Declaration, T extends Versioned>(
  type: D,
  edits: Edits<D, T>,
  nodeIdDomain: string,
) => mutationsOf(type, repeatable(edits), nodeIdDomain);

/** The mutations of a type, as far as it has them. */
export function mutationsOf<D extends Declaration, T extends Versioned, Id = T['id']>(
  type: D,
  { create, once, update, remove, checkCaller, idOf: readId }: Writes<GivenOf<D>, T, Id>,
  nodeIdDomain: string,
) {
  const { graphqlName } = type;
  const member = memberName(type);
  const { idOf: numberOf, mutation } = nodeResolvers({ type: graphqlName, nodeIdDomain, restNames: restNamesOf(type) });
  const idOf = readId ?? ((_caller, text) => numberOf(String(text)) as Id);
  return {
    ...(create && {
      [`${member}Create`]: mutation(
        actionOf(type, 'Create'),
        async (input, caller) => {
          checkCaller?.(caller, 'create');
          const created = await create(caller, readInput(type, nodeIdDomain, 'create', input));
          return { [member]: created, ...once?.(created) };
        },
        type.editors?.create,
      ),
    }),
    ...(update && {
      [`${member}Update`]: mutation<UpdateInput>(
        actionOf(type, 'Update'),
        async ({ id, ifVersion, ...input }, caller) => {
          checkCaller?.(caller, 'update');
          const given = readInput(type, nodeIdDomain, 'update', input);
          return { [member]: await update(caller, idOf(caller, id), given, versionCheck(ifVersion)) };
        },
        type.editors?.update,
      ),
    }),
    ...(remove && {
      [`${member}Delete`]: mutation<IdInput>(
        actionOf(type, 'Delete'),
        async ({ id }, caller) => {
          const removed = await remove(caller, idOf(caller, id));
          return type.deleted === 'id'
            ? { deletedId: toNodeId(nodeIdDomain, graphqlName, numberOf(id)) }
            : { [memberName(type.within ?? type)]: removed };
        },
        type.editors?.delete,
      ),
    }),
  };
}

/** The precondition of an `ifVersion`; a refusal names the version that the record has. */
export const versionCheck = (
  expected: number | null | undefined,
): Precondition<{ readonly version?: number }> | undefined =>
  expected === undefined || expected === null
    ? undefined
    : ({ version }) =>
        version === expected ? Promise.resolve() : Promise.reject(validationFailed([['ifVersion', outdated(version)]]));

const outdated = (version: number | undefined): string => `The record has changed: its version is ${version}`;

/** Resolvers of fields that are kept otherwise than they are shown: secrets, standings and masked texts. */
export const fieldResolvers = (type: Declaration): Readonly<Record<string, (record: object) => unknown>> =>
  Object.fromEntries(
    type.fields
      .filter(isStored)
      .filter((field) => isConveyed(field) || (field.kind === 'text' && field.mask))
      .map((field) => [
        field.kind === 'secret' ? field.has : field.name,
        (record: object) => shownOf(field, (record as Readonly<Record<string, unknown>>)[propertyOf(field)] ?? null),
      ]),
  );
