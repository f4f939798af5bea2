import type { Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import type { Addresses } from '../webhooks/addresses';
import { accountOf, administrators, callingPerson, createPrivateRouter } from '../webhooks/webhook.http';
import type { EventDescriber } from './event-description';

interface Dependencies {
  readonly describe: EventDescriber;
  readonly addresses: Addresses;
}

/** `/v1/webhook_events`: all events that webhooks can be registered for. */
export function createEventRouter({ describe, addresses }: Dependencies): Router {
  const router = createPrivateRouter();
  router
    .route('/')
    .get(administrators('webhook:Read'), async (req, res) => {
      checkParameters(parseQueryParameters(req.originalUrl), []);
      const events = await describe(accountOf(req), callingPerson(callerOf(req), addresses));
      res.json(
        events.map(({ name, recordType, description, extraMembers, sampleBody }) => ({
          name,
          record_type: recordType,
          description,
          extra_members: extraMembers,
          sample_body: JSON.parse(sampleBody) as unknown,
        })),
      );
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}
