import { notFound } from '@itsm/shared/base/errors/app-error';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import { sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { handlersOf, routesOf } from '@itsm/shared/declared/write.routes';
import type { Request, RequestHandler, Router } from 'express';
import { flat } from '../record-types/record';
import type { FlatRecord, ItsmRecord } from '../record-types/record';
import { reversed } from '../store/record-page';
import { toRecordOrder } from '../read/record-query';
import type { RecordReader } from '../read/record-reader';
import type { Selection } from '../store/record-selection';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { createRecordView } from './record-view';
import { createRecordResource } from './record.resource';
import type { RecordRepository } from '../store/record.repository';
import { writesOf, writingNeeds } from './record-writes';
import type { RouteDependencies } from './record-writes';

/**
 * `/v1/<plural>` and `/v1/<plural>/:id`: reads the records that the caller may see, including those that other accounts
 * share, and writes as the mutations do; mount it behind `authenticate`.
 */
export function createRecordRoutes(type: RecordType, dependencies: RouteDependencies): Router {
  const { types, nodeIdDomain } = dependencies;
  const resource = createRecordResource(type);
  const one: RequestHandler = async (req, res) => {
    checkParameters(parseQueryParameters(req.originalUrl), ['fields']);
    const { caller, reader } = await openRead(type, dependencies, req);
    const record = flat(await findRecord(type, dependencies, req));
    const { view, remember } = createRecordView({ types, caller, lookups: reader.lookups, nodeIdDomain });
    await remember(type, [record]);
    sendRecord(req, res, { resource, view, record });
  };
  const mayRead = allow(`${modelName(type)}:Read`);
  return routesOf(
    { list: [mayRead, listOf(type, dependencies)], one: [mayRead, one] },
    handlersOf(type, writesOf(type, dependencies), writingNeeds(type, dependencies)),
  );
}

/** Answers a page of the records that the caller may see; `within` gives conditions that all of them meet. */
export function listOf(
  type: RecordType,
  dependencies: RouteDependencies,
  within: (req: Request) => Promise<readonly Condition[]> = () => Promise.resolve([]),
): RequestHandler {
  const { types, repositoryOf, nodeIdDomain, baseUrl } = dependencies;
  const repository = repositoryOf(type.name);
  const resource = createRecordResource(type);
  return async (req, res) => {
    const { caller, reader, selection } = await openRead(type, dependencies, req);
    const conditions = [...selection.conditions, ...(await within(req))];
    const { view, remember } = createRecordView({ types, caller, lookups: reader.lookups, nodeIdDomain });
    const sort = parseQueryParameters(req.originalUrl).get('sort') ?? '';
    const toOrder = (order: readonly OrderStep[]) => toRecordOrder(order, /(^|,)-?id(,|$)/.test(sort));
    const source = createSource(repository, caller.accountId, { ...selection, conditions }, toOrder, (records) =>
      remember(type, records),
    );
    await sendCollection(req, res, { resource, view, source, baseUrl });
  };
}

interface Read {
  readonly caller: Caller;
  readonly reader: RecordReader;
  readonly selection: Selection;
}

async function openRead(type: RecordType, { readerOf }: RouteDependencies, req: Request): Promise<Read> {
  const caller = callerOf(req);
  const reader = readerOf({ caller });
  return { caller, reader, selection: await reader.view(type, 'all') };
}

/**
 * The record of `:id`; "Not Found" for ids that are malformed, unknown, of another account, or not visible to the
 * caller.
 */
export async function findRecord(type: RecordType, dependencies: RouteDependencies, req: Request): Promise<ItsmRecord> {
  const id = parseRecordId(dependencies.nodeIdDomain, type.graphqlName, String(req.params['id']));
  const { reader } = await openRead(type, dependencies, req);
  const record = id === undefined ? undefined : await reader.load(type.name, id);
  if (!record) throw notFound();
  return record;
}

function createSource(
  repository: RecordRepository,
  accountId: string,
  selection: Selection,
  toOrder: (order: readonly OrderStep[]) => OrderStep[],
  remember: (records: readonly FlatRecord[]) => Promise<void>,
): CollectionSource<FlatRecord> {
  return {
    async read({ order, limit, skip, after, before, filter = [] }) {
      const indexed = toOrder(order);
      const start = (before ?? after)?.slice(0, indexed.length);
      const records = await repository.list(
        accountId,
        { ...selection, conditions: [...selection.conditions, ...filter] },
        { order: before ? reversed(indexed) : indexed, start, skip, limit },
      );
      const shown = (before ? [...records].reverse() : records).map(flat);
      await remember(shown);
      return shown;
    },
    count: (filter = []) =>
      repository.count(accountId, { ...selection, conditions: [...selection.conditions, ...filter] }),
  };
}
