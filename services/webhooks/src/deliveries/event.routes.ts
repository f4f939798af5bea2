import type { Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import { presentAll } from '@itsm/shared/api/rest/resource';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { sendCollection } from '@itsm/shared/api/rest/send';
import type { Addresses } from '../webhooks/addresses';
import { accountOf, administrators, callingPerson, createPrivateRouter } from '../webhooks/webhook.http';
import type { EventDescriber, EventDescription } from './event-description';

interface Dependencies {
  readonly describe: EventDescriber;
  readonly addresses: Addresses;
  readonly baseUrl: string;
}

type Event = EventDescription & { readonly id: string };

const fields: Resource<Event>['fields'] = {
  name: ({ name }) => name,
  record_type: ({ recordType }) => recordType,
  description: ({ description }) => description,
  extra_members: ({ extraMembers }) => extraMembers,
  sample_body: ({ sampleBody }) => JSON.parse(sampleBody) as unknown,
};

/** The name identifies an event, so there is no `id`. */
const resource: Resource<Event> = { fields, collectionFields: Object.keys(fields), sortable: { name: 'id' } };

/** `/v1/webhook_events`: all events that webhooks can be registered for. */
export function createEventRouter({ describe, addresses, baseUrl }: Dependencies): Router {
  const router = createPrivateRouter();
  router
    .route('/')
    .get(administrators('webhook:Read'), async (req, res) => {
      const events = await describe(accountOf(req), callingPerson(callerOf(req), addresses));
      const records = events.map((event) => ({ ...event, id: event.name }));
      // The whole list is a page of its own for clients that ask for no other.
      if (parseQueryParameters(req.originalUrl).size === 0)
        res.json(records.map((record) => presentAll(resource, record, undefined)));
      else await sendCollection(req, res, { resource, source: createArraySource(records), view: undefined, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}
