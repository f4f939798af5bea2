import { pipeline } from 'node:stream/promises';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import type { Route } from '@itsm/shared/running/module';
import express from 'express';
import { askForBodyOf } from '../uploads/form-upload';
import type { AttachmentService, OpenFile } from './attachment.service';
import { presentStorage } from './attachment.resolvers';

/** `/v1/attachments` for callers, and `/attachments` for clients with a signed address. */
export function createAttachmentRoutes(attachments: AttachmentService, baseUrl: string): readonly Route[] {
  const uploads = express.Router();
  uploads
    .route('/')
    .post(allow('note:Create'), async (req, res) => {
      res.json({ key: await attachments.receive(callerOf(req), req, askForBodyOf(req, res)) });
    })
    .all(methodNotAllowed('POST'));
  uploads
    .route('/storage')
    .get(allow('note:Create'), (req, res) => {
      const { provider, uploadUri, sizeLimit, allowedExtensions, providerParameters } = presentStorage(
        attachments,
        callerOf(req),
        baseUrl,
      );
      res.set('Cache-Control', 'no-store').json({
        size_limit: sizeLimit,
        allowed_extensions: allowedExtensions,
        provider,
        upload_uri: uploadUri,
        [provider]: providerParameters,
      });
    })
    .all(methodNotAllowed('GET', 'HEAD'));

  const downloads = express.Router();
  downloads
    .route('/:account/:person/:ticket/:name')
    .get(async (req, res) => {
      const { account, person, ticket, name } = req.params;
      const parameters = parseQueryParameters(req.originalUrl);
      const signature = { expires: parameters.get('expires') ?? '', signature: parameters.get('signature') ?? '' };
      const file = await attachments.openSigned(`attachments/${account}/${person}/${ticket}/${name}`, signature);
      res.attachment(file.name).set(headersOf(file));
      if (req.method === 'HEAD') {
        file.content.destroy();
        res.end();
        return;
      }
      // Who breaks it off is the client, or the storage: either way the answer ends before its announced length.
      await pipeline(file.content, res).catch(() => res.destroy());
    })
    .all(methodNotAllowed('GET', 'HEAD'));

  return [
    { path: '/v1/attachments', access: 'caller', router: uploads },
    { path: '/attachments', access: 'public', router: downloads },
  ];
}

/** A browser saves the file and shows nothing of it; pages of the platform may show it as a picture. */
const headersOf = ({ contentType, size }: OpenFile) => ({
  'Content-Type': contentType,
  'Content-Length': String(size),
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-site',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, max-age=3600',
});
