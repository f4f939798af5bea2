import { notFound } from '@itsm/shared/base/errors/app-error';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import { parseFields } from '@itsm/shared/api/rest/resource';
import { fieldsOf, sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { handlersOf, routesOf } from '@itsm/shared/declared/write.routes';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { noSuchView } from '@itsm/shared/declared/views';
import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { flat } from '../record-types/record';
import type { FlatRecord, ItsmRecord } from '../record-types/record';
import { reversed } from '../store/record-page';
import { customParameters, parseCustomParameters, toRecordOrder } from '../read/record-query';
import type { RecordReader } from '../read/record-reader';
import type { Selection } from '../store/record-selection';
import { modelName, viewsOf } from '../record-types/record-type';
import type { RecordType, View } from '../record-types/record-type';
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
  const { types, addressOf, nodeIdDomain } = dependencies;
  const resource = createRecordResource(type);
  const one: RequestHandler = async (req, res) => {
    checkParameters(parseQueryParameters(req.originalUrl), ['fields']);
    const { caller, reader } = openRead(dependencies, req);
    if (idIn(type, dependencies, req) === undefined)
      throw noSuchView(type.plural, String(req.params['id']), viewsOf(type));
    const record = flat(await findRecord(type, dependencies, req));
    const { view, remember } = createRecordView({ types, caller, lookups: reader.lookups, addressOf, nodeIdDomain });
    await remember(type, [record], fieldsOf(req, resource));
    sendRecord(req, res, { resource, view, record });
  };
  const mayRead = allow(`${modelName(type)}:Read`);
  const router = Router();
  addViews(router, '', type, (view) => [mayRead, listOf(type, dependencies, { view })]);
  return router.use(
    routesOf(
      { list: [mayRead, listOf(type, dependencies)], one: [mayRead, one] },
      handlersOf(type, writesOf(type, dependencies), writingNeeds(type, dependencies)),
    ),
  );
}

/** The views of a list at paths below its own, `/open`. */
export function addViews(
  router: Router,
  path: string,
  type: RecordType,
  handlersOfView: (view: View) => readonly RequestHandler[],
): void {
  for (const view of viewsOf(type))
    router
      .route(`${path}/${view}`)
      .get(...handlersOfView(view))
      .all(methodNotAllowed('GET', 'HEAD'));
}

interface Part {
  readonly view?: View;
  /** Conditions that all records of the list meet. */
  readonly within?: (req: Request) => Promise<readonly Condition[]>;
}

/** Answers a page of the records that the caller may see. */
export function listOf(
  type: RecordType,
  dependencies: RouteDependencies,
  { view: viewed = 'all', within = () => Promise.resolve([]) }: Part = {},
): RequestHandler {
  const { types, repositoryOf, addressOf, nodeIdDomain, baseUrl } = dependencies;
  const repository = repositoryOf(type.name);
  const resource = createRecordResource(type);
  return async (req, res) => {
    const { caller, reader } = openRead(dependencies, req);
    const selection = await reader.view(type, viewed);
    const parameters = parseQueryParameters(req.originalUrl);
    const filters = parseCustomParameters(type, parameters);
    const conditions = [...selection.conditions, ...(await within(req)), ...filters];
    const { view, remember } = createRecordView({ types, caller, lookups: reader.lookups, addressOf, nodeIdDomain });
    const fields = parseFields(resource, parameters.get('fields'), 'collection');
    const sort = parameters.get('sort') ?? '';
    const toOrder = (order: readonly OrderStep[]) => toRecordOrder(order, /(^|,)-?id(,|$)/.test(sort));
    const source = createSource(repository, caller.accountId, { ...selection, conditions }, toOrder, (records) =>
      remember(type, records, fields),
    );
    await sendCollection(req, res, { resource, view, source, baseUrl, further: customParameters(type, parameters) });
  };
}

const idIn = (type: RecordType, { nodeIdDomain }: RouteDependencies, req: Request): number | undefined =>
  parseRecordId(nodeIdDomain, type.graphqlName, String(req.params['id']));

interface Read {
  readonly caller: Caller;
  readonly reader: RecordReader;
}

function openRead({ readerOf }: RouteDependencies, req: Request): Read {
  const caller = callerOf(req);
  return { caller, reader: readerOf({ caller }) };
}

/**
 * The record of `:id`; "Not Found" for ids that are malformed, unknown, of another account, or not visible to the
 * caller.
 */
export async function findRecord(type: RecordType, dependencies: RouteDependencies, req: Request): Promise<ItsmRecord> {
  const id = idIn(type, dependencies, req);
  const record = id === undefined ? undefined : await openRead(dependencies, req).reader.load(type.name, id);
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
