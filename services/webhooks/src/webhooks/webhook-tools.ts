import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { Action } from '@itsm/shared/contracts/scopes';
import type { Addresses } from './addresses';
import { withGraphqlNames } from './webhook-graphql-input';
import { callingPerson } from './webhook.http';

export type IdInput = MutationInput & { readonly id: string };

export const administrator = 'account_administrator';

interface Dependencies {
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

/** What the resolvers of everything about a webhook have in common. */
export function webhookTools({ addresses, nodeIdDomain }: Dependencies) {
  const idOf = (text: string): number => {
    const id = parseRecordId(nodeIdDomain, 'Webhook', text);
    if (id === undefined) throw notFound();
    return id;
  };
  /** A mutation answers with the webhook; what happened to it is for those who may read. */
  const mayRead = (caller: Caller): string => {
    checkAllowed(caller, 'webhook:Read', [administrator]);
    return caller.accountId;
  };
  const personOf = (caller: Caller) => callingPerson(caller, addresses);
  const mutation = <Input extends MutationInput>(
    action: Action,
    change: (input: Omit<Input, 'clientMutationId'>, caller: Caller) => Promise<object>,
  ) =>
    allowed<MutationArgs<Input>>(
      action,
      (_parent, { input }, { caller }) =>
        toPayload(input, (members) => withGraphqlNames(() => change(members, caller))),
      administrator,
    );

  return { idOf, mayRead, mutation, personOf };
}

export async function orNull<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
