import { Router } from 'express';
import type { Request, Response } from 'express';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { preconditionOf, tagOfRecord } from '@itsm/shared/api/http/if-match';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { presentAll } from '@itsm/shared/api/rest/resource';
import { sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import { authorOf, seenBy } from './extension.http';
import type { Addressing } from './extension.http';
import { extensionUpdate, newExtension } from './extension.input';
import { extensionResource } from './extension.resource';
import type { ExtensionView } from './extension.resource';
import type { Extension } from './extension';
import type { ExtensionService } from './extension.service';

interface Dependencies {
  readonly addressing: Addressing;
  readonly extensions: ExtensionService;
}

// Four texts of 64 KB, of which JSON may escape every byte into six characters.
const bodyLimit = '2mb';

/** Mounted at `/ui_extensions`. */
export function createExtensionRoutes({ addressing, extensions }: Dependencies): Router {
  const idOf = recordIdIn(addressing.nodeIdDomain, 'UiExtension');
  const viewFor = (req: Request): ExtensionView => ({ ...addressing, ...seenBy(callerOf(req)) });
  const shapeFor = (req: Request) => ({ resource: extensionResource, view: viewFor(req) });
  const sendWhole = (req: Request, res: Response, record: Extension): void => {
    const body = presentAll(extensionResource, record, viewFor(req));
    res.set('ETag', tagOfRecord(req, record, body)).json(body);
  };
  const router = Router();

  router
    .route('/')
    .get(allow('ui-extension:Read'), async (req, res) => {
      const source = extensions.list(callerOf(req).accountId);
      await sendCollection(req, res, { ...shapeFor(req), source, baseUrl: addressing.baseUrl });
    })
    .post(allow('ui-extension:Create', 'account_administrator'), ...jsonBody(bodyLimit), async (req, res) => {
      const { accountId, ...author } = authorOf(req);
      const record = await extensions.create(accountId, parseBody(newExtension, req.body), author);
      res.status(201).location(`${addressing.baseUrl}/v1/ui_extensions/${record.id}`);
      sendWhole(req, res, record);
    })
    .all(methodNotAllowed('GET', 'POST'));

  router
    .route('/:id')
    .get(allow('ui-extension:Read'), async (req, res) => {
      const record = await extensions.find(callerOf(req).accountId, idOf(req));
      sendRecord(req, res, { ...shapeFor(req), record });
    })
    .patch(allow('ui-extension:Update', 'account_administrator'), ...jsonBody(bodyLimit), async (req, res) => {
      const id = idOf(req);
      const { accountId, ...author } = authorOf(req);
      const check = preconditionOf(req, (current: Extension) =>
        tagOfRecord(req, current, presentAll(extensionResource, current, viewFor(req))),
      );
      const record = await extensions.update(accountId, id, parseBody(extensionUpdate, req.body), { author, check });
      sendWhole(req, res, record);
    })
    .all(methodNotAllowed('GET', 'PATCH'));

  return router;
}
