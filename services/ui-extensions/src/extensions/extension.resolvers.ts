import { AppError } from '@itsm/shared/base/errors/app-error';
import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { toConditions, toOrder } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import type { Author } from './audit-line';
import type { Addressing } from './addressing';
import type { Extension } from './extension';
import { namingFields, toExtensionUpdate, toNewExtension } from './extension-graphql-input';
import type { ExtensionService } from './extension.service';

interface Dependencies {
  readonly addressing: Addressing;
  readonly extensions: ExtensionService;
}

type Input = MutationInput & Readonly<Record<string, unknown>>;

/** The root fields and the type `UiExtension`, without its versions. */
export function createExtensionResolvers({ addressing: { nodeIdDomain }, extensions }: Dependencies) {
  const load = async (id: string, { accountId }: Caller): Promise<Extension | null> => {
    const number = parseRecordId(nodeIdDomain, 'UiExtension', id);
    return number === undefined ? null : orNull(extensions.find(accountId, number));
  };
  return {
    Query: {
      uiExtensions: allowed<ConnectionArgs & ListArguments>('ui-extension:Read', (_parent, args, { caller }) =>
        loadSortedConnection(args, {
          source: extensions.list(caller.accountId),
          order: toOrder(args),
          filter: toConditions(args),
          // What extensions say about themselves: their texts stand in the versions.
          fields: [],
        }),
      ),
      uiExtension: allowed<{ readonly id: string }>('ui-extension:Read', (_parent, { id }, { caller }) =>
        load(id, caller),
      ),
    },
    Mutation: {
      uiExtensionCreate: allowed<MutationArgs<Input>>(
        'ui-extension:Create',
        (_parent, { input }, { caller }) =>
          toPayload(input, (fields) =>
            namingFields(async () => ({
              uiExtension: await extensions.create(caller.accountId, toNewExtension(fields), authorOf(caller)),
            })),
          ),
        'account_administrator',
      ),
      uiExtensionUpdate: allowed<MutationArgs<Input>>(
        'ui-extension:Update',
        (_parent, { input }, { caller }) =>
          toPayload(input, (fields) =>
            namingFields(async () => {
              const { id, update } = toExtensionUpdate(nodeIdDomain, fields);
              return { uiExtension: await extensions.update(caller.accountId, id, update, authorOf(caller)) };
            }),
          ),
        'account_administrator',
      ),
    },
    UiExtension: {
      id: ({ id }: Extension) => toNodeId(nodeIdDomain, 'UiExtension', id),
      // Async: a throw here would void the answers for all the other references of the call.
      async __resolveReference({ id }: { id: string }, { caller }: SubgraphContext): Promise<Extension | null> {
        checkAllowed(caller, 'ui-extension:Read');
        return load(id, caller);
      },
    },
  };
}

const authorOf = ({ personId: id, name }: Caller): Author => ({ id, name });

/** An entity that is not there is `null`; the gateway asks for whatever a client names. */
async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
