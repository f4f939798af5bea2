import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow, readsPeople } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { checkFields, sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Declaration } from '@itsm/shared/declared/language';
import { readBody } from '@itsm/shared/declared/read-input';
import { Router } from 'express';
import type { Request } from 'express';
import { checkSeesAccount } from '@itsm/shared/api/identity/sees-account';
import type { AddressOf } from '../attachments/attachment.resolvers';
import { presentFile } from './file.resource';
import { findRecord } from './record.routes';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { trailReachOf } from '../read/trail-access';
import { presentChange } from './present-change';
import type { AuditLine, Note } from '../store/trail';
import type { TrailRepository } from '../store/trail.repository';
import type { NoteService } from '../write/note.service';
import { noteMaxLength, toFieldErrors } from '../write/record.input';
import { bodyOfWrites } from './record-writes';
import type { RouteDependencies } from './record-writes';

interface View {
  readonly type: RecordType;
  readonly nodeIdDomain: string;
  /** Whether the token has the scope to read names of people. */
  readonly readsPeople: boolean;
  readonly addressOf: AddressOf;
}

export const noteResource: Resource<Note, View> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'Note', id),
    text: ({ text }) => text,
    internal: ({ internal }) => internal,
    attachments: ({ attachments }, { addressOf }) =>
      attachments.map((attachment) => presentFile(attachment, addressOf)),
    mentions: ({ mentions }, { readsPeople }) => (readsPeople ? mentions : []),
    person: ({ person }, { readsPeople }) => (readsPeople ? person : null),
    created_at: ({ at }) => presentTime(at),
  },
  collectionFields: ['id', 'nodeID', 'text', 'internal', 'attachments', 'mentions', 'person', 'created_at'],
  sortable: {},
};

export const auditLineResource: Resource<AuditLine, View> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'AuditLine', id),
    action: ({ action }) => action,
    person: ({ person }, { readsPeople }) => (readsPeople ? person : null),
    changes: ({ changes }, { type, nodeIdDomain }) =>
      changes.map((change) => presentChange(type, nodeIdDomain, change)),
    created_at: ({ at }) => presentTime(at),
  },
  collectionFields: ['id', 'nodeID', 'action', 'person', 'changes', 'created_at'],
  sortable: {},
};

/** The body of a new note. */
const noteType = {
  name: 'note',
  graphqlName: 'Note',
  plural: 'notes',
  label: 'Note',
  labelPlural: 'Notes',
  description: 'A text to add to a record.',
  writes: {},
  nullIs: 'refused',
  fields: [
    { name: 'text', label: 'Text', kind: 'text', maxLength: noteMaxLength, required: true, mustBeGiven: true },
    { name: 'internal', label: 'Internal', kind: 'flag' },
  ],
} as const satisfies Declaration;

/** `/v1/<plural>/:id/notes`, `/notes/:note` and `/audit`; behind `authenticate`. */
export function createTrailRoutes(
  type: RecordType,
  dependencies: RouteDependencies & {
    readonly trails: TrailRepository;
    readonly notes: NoteService;
  },
): Router {
  const { trails, notes, addressOf, nodeIdDomain, baseUrl } = dependencies;
  const idOf = recordIdIn(nodeIdDomain, type.graphqlName);
  const viewFor = (req: Request): View => {
    return { type, nodeIdDomain, readsPeople: readsPeople(callerOf(req)), addressOf };
  };
  const router = Router();
  router
    .route('/:id/audit')
    .get(allow('audit-line:Read'), async (req, res) => {
      const caller = callerOf(req);
      checkSeesAccount(caller);
      const record = await findRecord(type, dependencies, req);
      const source = trails.source('auditLine', trailReachOf(caller), { recordType: type.name, recordId: record.id });
      await sendCollection(req, res, { resource: auditLineResource, view: viewFor(req), source, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  if (!type.hasNotes) return router;
  router
    .route('/:id/notes')
    .get(allow('note:Read'), async (req, res) => {
      const record = await findRecord(type, dependencies, req);
      const of = { recordType: type.name, recordId: record.id };
      const source = trails.source('note', trailReachOf(callerOf(req)), of);
      await sendCollection(req, res, { resource: noteResource, view: viewFor(req), source, baseUrl });
    })
    .post(
      allow('note:Create'),
      allow(`${modelName(type)}:Read`),
      checkFields(noteResource),
      ...bodyOfWrites,
      async (req, res) => {
        const caller = callerOf(req);
        const { attachments, ...body } = req.body as Readonly<Record<string, unknown>>;
        const { text, internal } = readBody(noteType, nodeIdDomain, 'create', body);
        const given = { text: text ?? '', internal: internal ?? false, attachments };
        const outcome = await notes.add(caller, type.name, idOf(req), given);
        if ('errors' in outcome) throw validationFailed(toFieldErrors(outcome.errors));
        const { note } = outcome;
        res.status(201).location(`${baseUrl}/v1/${type.plural}/${note.recordId}/notes/${note.id}`);
        sendRecord(req, res, { resource: noteResource, view: viewFor(req), record: note });
      },
    )
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  router
    .route('/:id/notes/:note')
    .get(allow('note:Read'), async (req, res) => {
      checkParameters(parseQueryParameters(req.originalUrl), ['fields']);
      const record = await findRecord(type, dependencies, req);
      const id = parseRecordId(nodeIdDomain, 'Note', String(req.params.note));
      const [note] = id === undefined ? [] : await trails.find('note', trailReachOf(callerOf(req)), [id]);
      if (note?.recordType !== type.name || note.recordId !== record.id) throw notFound();
      sendRecord(req, res, { resource: noteResource, view: viewFor(req), record: note });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}
