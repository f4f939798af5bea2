import { Router } from 'express';
import type { Request, Response } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { allow, readsPeople } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { languagesOf } from '@itsm/shared/api/identity/languages';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import type { AuditLine } from '../extensions/audit-line';
import { versionResource, auditLineResource } from './version.resource';
import type { VersionView } from './version.resource';
import { seenBy } from '../extensions/extension.http';
import type { Addressing } from '../extensions/extension.http';
import type { Extension } from '../extensions/extension';
import type { ExtensionService } from '../extensions/extension.service';
import type { VersionService } from './version.service';

interface Dependencies {
  readonly addressing: Addressing;
  readonly extensions: ExtensionService;
  readonly versions: VersionService;
}

/** spec: UI extension versions. Mounted below `/ui_extensions`. */
export function createVersionRoutes({ addressing, extensions, versions }: Dependencies): Router {
  const idOf = recordIdIn(addressing.nodeIdDomain, 'UiExtension');
  const versionIdOf = recordIdIn(addressing.nodeIdDomain, 'UiExtensionVersion', 'versionId');
  const extensionOf = (req: Request): Promise<Extension> => extensions.find(callerOf(req).accountId, idOf(req));
  const sendAuditLines = (req: Request, res: Response, source: CollectionSource<AuditLine>): Promise<void> =>
    sendCollection(req, res, {
      resource: auditLineResource,
      view: { nodeIdDomain: addressing.nodeIdDomain, readsPeople: readsPeople(callerOf(req)) },
      source,
      baseUrl: addressing.baseUrl,
    });
  const router = Router();

  router
    .route('/:id/versions')
    .get(allow('ui-extension:Read'), async (req, res) => {
      const extension = await extensionOf(req);
      const source = versions.listRead(callerOf(req).accountId, extension, seenBy(callerOf(req)));
      const view = viewFor(req, extension);
      await sendCollection(req, res, { resource: versionResource, source, view, baseUrl: addressing.baseUrl });
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/:id/versions/:versionId')
    .get(allow('ui-extension:Read'), async (req, res) => {
      const extension = await extensionOf(req);
      const record = await versions.read(callerOf(req).accountId, extension, versionIdOf(req), seenBy(callerOf(req)));
      res.vary('Accept-Language, X-Service-Language');
      sendRecord(req, res, { resource: versionResource, record, view: viewFor(req, extension) });
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/:id/versions/:versionId/audit')
    .get(allow('ui-extension:Read'), async (req, res) => {
      const { accountId } = callerOf(req);
      const extension = await extensionOf(req);
      const version = await versions.find(accountId, extension, versionIdOf(req), seenBy(callerOf(req)));
      await sendAuditLines(req, res, versions.listAuditLines(accountId, extension, version));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/:id/audit')
    .get(allow('ui-extension:Read'), async (req, res) => {
      const extension = await extensionOf(req);
      await sendAuditLines(req, res, versions.listAuditLines(callerOf(req).accountId, extension));
    })
    .all(methodNotAllowed('GET'));

  return router;
}

function viewFor(req: Request, extension: Extension): VersionView {
  return { extension, languages: languagesOf(req), timeZone: callerOf(req).timeZone };
}
