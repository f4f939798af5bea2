import type { Caller } from '@itsm/shared/api/identity/caller';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { allow, readsPeople } from '@itsm/shared/api/identity/allow';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { parseBody } from '@itsm/shared/api/rest/parse-body';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { sendCollection } from '@itsm/shared/api/rest/send';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { Router } from 'express';
import type { Request } from 'express';
import { z } from 'zod';
import type { Notices } from '../notices/module';
import type { Notice } from '../notices/notice.repository';
import type { NoticeReading, NoticeRecord } from './notice-reading';
import { bodyOfWrites } from './record-writes';

interface Dependencies {
  readonly notices: Notices;
  readonly reading: NoticeReading;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

interface View {
  readonly nodeIdDomain: string;
  /** Whether the token has the scope to read names of people. */
  readonly readsPeople: boolean;
}

type Shown = Notice & { readonly record: NoticeRecord | null };

const noticeResource: Resource<Shown, View> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'Notice', id),
    kind: ({ kind }) => kind,
    count: ({ count }) => count,
    at: ({ at }) => presentTime(at),
    by: ({ by }, { readsPeople }) => (readsPeople ? by : null),
    unread: ({ unread }) => unread,
    record: ({ record }) =>
      record && {
        id: record.number,
        nodeID: record.id,
        type: record.type,
        title: record.title,
        status: record.status ?? null,
      },
  },
  collectionFields: ['id', 'nodeID', 'kind', 'count', 'at', 'by', 'unread', 'record'],
  sortable: {},
  filterable: { unread: { property: 'unread', type: 'boolean' } },
};

const newestFirst = [{ field: 'id', property: 'id', descending: true }];

const given = z.strictObject({
  ids: z.array(z.string()).nullish(),
  record_id: z.string().nullish(),
  until: z.string().nullish(),
});

/** `GET /v1/notices` and `POST /v1/notices/read`; behind `authenticate`. */
export function createNoticeRoutes({ notices: { notices }, reading, nodeIdDomain, baseUrl }: Dependencies): Router {
  const contextOf = (req: Request): { readonly caller: Caller } => ({ caller: callerOf(req) });
  const withRecords = (
    source: CollectionSource<Notice>,
    context: { readonly caller: Caller },
  ): CollectionSource<Shown> => ({
    read: async (query) => {
      const found = await source.read(query);
      if (!query.fields.includes('record')) return found.map((notice) => ({ ...notice, record: null }));
      return Promise.all(found.map(async (notice) => ({ ...notice, record: await reading.recordOf(notice, context) })));
    },
    count: (filter) => source.count(filter),
  });
  const router = Router();
  router
    .route('/')
    .get(allow('notice:Read'), async (req, res) => {
      const context = contextOf(req);
      const view = { nodeIdDomain, readsPeople: readsPeople(context.caller) };
      const source = withRecords(notices.source(context.caller, {}), context);
      await sendCollection(req, res, { resource: noticeResource, view, source, usualOrder: newestFirst, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/read')
    .post(allow('notice:Update'), ...bodyOfWrites, async (req, res) => {
      checkParameters(parseQueryParameters(req.originalUrl), []);
      const { ids, record_id: recordId, until } = parseBody(given, req.body);
      res.json(await reading.read({ ids, recordId, until }, contextOf(req), 'record_id'));
    })
    .all(methodNotAllowed('POST'));
  return router;
}
