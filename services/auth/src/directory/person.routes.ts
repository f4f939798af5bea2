import { notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import { sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import { Router } from 'express';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
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

  /** A view that learns the accounts of the people that are read through `remember`. */
  function createView(caller: Caller) {
    const known = new Map<string, Account>();
    const remember = async (found: readonly Person[]): Promise<readonly Person[]> => {
      const wanted = [...new Set(found.map((person) => person.accountId))];
      for (const account of await accounts.findMany(wanted)) known.set(account.id, account);
      return found;
    };
    return { view: { nodeIdDomain, caller, accounts: known }, remember };
  }

  const router = Router();
  router
    .route('/')
    .get(allow('person:Read'), async (req, res) => {
      const { accountId } = callerOf(req);
      const { view, remember } = createView(callerOf(req));
      const stored = people.source(await visibilityIn(accountId));
      const source: CollectionSource<Person> = {
        read: async (query) => remember(await stored.read(query)),
        count: (filter) => stored.count(filter),
      };
      await sendCollection(req, res, { resource: personResource, view, source, baseUrl });
    })
    .all(methodNotAllowed('GET'));
  router
    .route('/:id')
    .get(allow('person:Read'), async (req, res) => {
      const { accountId } = callerOf(req);
      checkParameters(parseQueryParameters(req.originalUrl), ['fields']);
      const id = parseRecordId(nodeIdDomain, 'Person', String(req.params.id));
      const found = id === undefined ? [] : await people.findVisible(await visibilityIn(accountId), [id]);
      const { view, remember } = createView(callerOf(req));
      const [record] = await remember(found);
      if (!record) throw notFound();
      sendRecord(req, res, { resource: personResource, view, record });
    })
    .all(methodNotAllowed('GET'));
  return router;
}
