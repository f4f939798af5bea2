import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import type { ImportFailure } from '@itsm/shared/contracts/imports';
import express from 'express';
import type { RequestHandler, Router } from 'express';
import { askForBodyOf } from '../uploads/form-upload';
import { importPath, presentImport } from './import';
import type { Import } from './import';
import { importers } from './imported-types';
import { mostFailuresKept } from './import.repository';
import type { ImportService } from './import.service';

/** `/v1/import`, for callers who may edit records or people. */
export function createImportRouter(imports: ImportService, baseUrl: string): Router {
  const find = (accountId: string, token: string): Promise<Import> => imports.find(accountId, token);
  const sendLog: RequestHandler<{ token: string }> = async (req, res) => {
    const found = await find(callerOf(req).accountId, req.params.token);
    res.attachment(`import-${found.id}-failures.csv`).type('text/csv');
    await pipeline(Readable.from(toCsv(found, imports.failures(found))), res);
  };

  const router = express.Router();
  router
    .route('/')
    .post(allow('import:Create', ...importers), async (req, res) => {
      const queued = await imports.receive(callerOf(req), req, askForBodyOf(req, res));
      res.status(202).location(importPath(queued)).json({ token: queued.id });
    })
    .get(allow('import:Read', ...importers), async (req, res) => {
      checkParameters(parseQueryParameters(req.originalUrl), []);
      const found = await imports.list(callerOf(req).accountId);
      res.json(found.map((one) => presentImport(one, baseUrl)));
    })
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  router
    .route('/:token/cancel')
    .post(allow('import:Create', ...importers), async (req, res) => {
      res.json(presentImport(await imports.cancel(callerOf(req), req.params.token), baseUrl));
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/:token')
    .get(allow('import:Read', ...importers), async (req, res) => {
      res.json(presentImport(await find(callerOf(req).accountId, req.params.token), baseUrl));
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/:token/log')
    .get(allow('import:Read', ...importers), sendLog)
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

async function* toCsv({ results }: Import, failures: AsyncIterable<ImportFailure>): AsyncGenerator<string> {
  yield 'line,column,message\n';
  for await (const { line, column, message } of failures) yield `${line},${quote(column ?? '')},${quote(message)}\n`;
  const left = results.failures - mostFailuresKept;
  if (left > 0) yield `,,${quote(`${left} more failures are not listed`)}\n`;
}

/**
 * Quotes a CSV cell. A text that starts like a formula gets an apostrophe, so that spreadsheets do not run it (CSV
 * injection).
 */
const quote = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
