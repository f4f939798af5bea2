import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Addresses } from './addresses';
import { restNames } from './webhook.resource';
import { callingPerson } from './webhook.http';

export const administrator = 'account_administrator';

interface Dependencies {
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

/** What the resolvers of everything about a webhook have in common. */
export function webhookTools({ addresses, nodeIdDomain }: Dependencies) {
  /** A mutation answers with the webhook; what happened to it is for those who may read. */
  const mayRead = (caller: Caller): string => {
    checkAllowed(caller, 'webhook:Read', [administrator]);
    return caller.accountId;
  };
  const personOf = (caller: Caller) => callingPerson(caller, addresses);

  return { ...nodeResolvers({ type: 'Webhook', nodeIdDomain, restNames }), mayRead, personOf };
}
