import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Router } from 'express';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import { createListingRoutes } from './listing.routes';
import type { Person } from './person';
import type { PersonRepository, Visibility } from './person.repository';
import { personResource } from './person.resource';

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

/** `GET /v1/people` and `/v1/people/:id`: the people that GraphQL's `people` shows. */
export function createPersonRoutes({ people, accounts, nodeIdDomain, baseUrl }: Dependencies): Router {
  async function visibilityIn(accountId: string): Promise<Visibility> {
    const account = await accounts.find(accountId);
    return { accountId, directoryAccountId: account?.directoryAccountId ?? null };
  }

  function createView(caller: Caller) {
    const known = new Map<string, Account>();
    async function remember(found: readonly Person[]): Promise<void> {
      const wanted = [...new Set(found.map((person) => person.accountId))];
      for (const account of await accounts.findMany(wanted)) known.set(account.id, account);
    }
    return { view: { nodeIdDomain, caller, accounts: known }, remember };
  }

  return createListingRoutes({
    action: 'person:Read',
    resource: personResource,
    baseUrl,
    source: async ({ accountId }) => people.source(await visibilityIn(accountId)),
    async find({ accountId }, text) {
      const id = parseRecordId(nodeIdDomain, 'Person', text);
      if (id === undefined) return undefined;
      const [found] = await people.findVisible(await visibilityIn(accountId), [id]);
      return found;
    },
    createView,
  });
}
