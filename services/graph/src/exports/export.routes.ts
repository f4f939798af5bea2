import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { departureOf } from '@itsm/shared/api/http/departure';
import { jsonOrFormBody } from '@itsm/shared/api/http/form-body';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { presentCall } from '@itsm/shared/base/concurrency/present-call';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { StartTimer } from '@itsm/shared/base/time/clock';
import { parseTime } from '@itsm/shared/base/time/time-text';
import express from 'express';
import type { RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { askForBodyOf, receiveForm } from '../uploads/form-upload';
import { exportPath, presentExport, toToken } from './export';
import type { ExportService } from './export.service';

const asked = z.strictObject({
  type: z.string("Type can't be blank"),
  from: z.string('From is not a text').nullish(),
  export_format: z.literal('csv', 'Export format must be csv').nullish(),
});

/** A form with parts, as clients of comparable services send it; other bodies are parsed as those of all writes. */
const readParts: RequestHandler = async (req, res, next) => {
  const store = async (file: Readable): Promise<void> => {
    for await (const piece of file) void piece;
  };
  const { fields } = await receiveForm(req, { most: 0, askForBody: askForBodyOf(req, res), store });
  req.body = Object.fromEntries(fields);
  next();
};

const readOthers = express.Router().use(...jsonOrFormBody('64kb'));

const readBody: RequestHandler = (req, res, next) =>
  (req.is('multipart/form-data') ? readParts : readOthers)(req, res, next);

/** A day counts from its beginning; without an offset it is a time of the caller's zone. */
function parseFrom(text: string | null | undefined, timeZone: string): Date | null {
  const given = text?.trim() ?? '';
  if (given === '') return null;
  const day = given.replace(/^(\d{4})(\d\d)(\d\d)(?!\d)/, '$1-$2-$3');
  const parsed = parseTime(/^.{10}$/.test(day) ? `${day}T00:00` : day.replace(/^(\S{10}) (?=\d)/, '$1T'), timeZone);
  if ('problem' in parsed) throw validationFailed([['from', `From ${parsed.problem}`]]);
  return parsed.time;
}

/** How long a client may leave a piece of the archive untaken. */
const idleMilliseconds = 30_000;

/** Waits until the client has taken what was written. One that does not loses its connection, which aborts `signal`. */
async function taken(res: Response, signal: AbortSignal, startTimer: StartTimer): Promise<void> {
  const stopTimer = startTimer(() => res.destroy(), idleMilliseconds);
  try {
    await once(res, 'drain', { signal });
  } finally {
    stopTimer();
  }
}

/** At the pace of the client. If the archive breaks off, so does the answer. */
async function writeAll(
  archive: AsyncIterable<Buffer>,
  res: Response,
  signal: AbortSignal,
  startTimer: StartTimer,
): Promise<void> {
  try {
    for await (const piece of archive) if (!res.write(piece)) await taken(res, signal, startTimer);
    res.end();
  } catch (error) {
    res.destroy();
    throw error;
  }
}

/** `/v1/export`, for callers who see all records of the account. */
export function createExportRouter(exports: ExportService, baseUrl: string, startTimer: StartTimer): Router {
  const mayRead = allow('export:Read');

  const ask: RequestHandler = async (req, res) => {
    const caller = callerOf(req);
    const { type, from } = parseBody(asked, req.body);
    const names = type.split(',').map((name) => name.trim());
    const wanted = await exports.ask(
      caller,
      names.filter((name) => name !== ''),
      parseFrom(from, caller.timeZone),
    );
    if (!wanted) {
      res.status(204).end();
      return;
    }
    const token = toToken(wanted);
    res.location(exportPath(token)).json({ token });
  };

  const download: RequestHandler<{ token: string }> = async (req, res) => {
    const caller = callerOf(req);
    const found = exports.find(caller, req.params.token);
    const describe = () =>
      res
        .attachment(`export-${found.types.join('-')}.zip`)
        .type('application/zip')
        .set('Cache-Control', 'no-store');
    if (req.method === 'HEAD') {
      describe().end();
      return;
    }
    const signal = presentCall()?.signal ?? departureOf(res);
    await exports.send(caller, found, signal, (archive) => writeAll(archive, describe(), signal, startTimer));
  };

  const router = express.Router();
  router.route('/').post(mayRead, readBody, ask).all(methodNotAllowed('POST'));
  router
    .route('/:token')
    .get(mayRead, (req, res) => {
      const { token } = req.params;
      res.json(presentExport(exports.find(callerOf(req), token), token, baseUrl));
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  router.route('/:token/file').get(mayRead, download).all(methodNotAllowed('GET', 'HEAD'));
  return router;
}
