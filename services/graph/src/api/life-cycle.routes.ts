import { insufficientScope, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Action } from '@itsm/shared/contracts/scopes';
import { isAllowed } from '@itsm/shared/contracts/scopes';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { readsPeople } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { sendCollection } from '@itsm/shared/api/rest/send';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { textIn } from '@itsm/shared/declared/values';
import { handlersOf } from '@itsm/shared/declared/write.routes';
import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { roles } from '@itsm/shared/contracts/directory';
import { parseStepBody } from '../write/record.input';
import type { Input, ParsedStep } from '../write/record.input';
import { keepers, moveNames, moves } from '../record-types/life-cycle';
import type { FlatRecord } from '../record-types/record';
import { titleField } from '../record-types/record';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import type { AsideEntry, SetAsideRepository } from '../store/set-aside.repository';
import type { RecordView } from './record.resource';
import { checkKeeper } from '../read/record-access';
import { bodyOfWrites, ofRecord, writingNeeds, writtenBy } from './record-writes';
import type { RouteDependencies } from './record-writes';

/** `POST /v1/<plural>/:id/archive`, `/trash` and `/restore`; behind `authenticate`. */
export function createMoveRoutes(type: RecordType, dependencies: RouteDependencies): Router {
  const router = Router();
  if (!type.mutations.update) return router;
  const service = dependencies.serviceOf(type.name);
  for (const move of moveNames) {
    const { update: handlers = [] } = handlersOf<undefined, FlatRecord, RecordView>(
      type,
      {
        update: async (caller, id, _given, check) =>
          writtenBy(await service.move(caller.accountId, caller, id, moves[move], check && ofRecord(check))),
      },
      { ...writingNeeds(type, dependencies), body: bodyIfAny, editors: { update: keepers }, read: readNothing },
    );
    router
      .route(`/:id/${move}`)
      .post(...handlers)
      .all(methodNotAllowed('POST'));
  }
  return router;
}

/** `POST /v1/requests/:id/withdraw` and the like, for those to whom a record belongs; behind `authenticate`. */
export function createStepRoutes(type: RecordType, dependencies: RouteDependencies): Router {
  const router = Router();
  const service = dependencies.serviceOf(type.name);
  for (const step of type.steps ?? []) {
    const { update: handlers = [] } = handlersOf<ParsedStep, FlatRecord, RecordView>(
      type,
      {
        update: async (caller, id, given, check) =>
          writtenBy(await service.take(caller.accountId, caller, id, step, given, check && ofRecord(check))),
      },
      {
        ...writingNeeds(type, dependencies),
        body: bodyIfAny,
        editors: { update: roles },
        read: ({ body }) => parseStepBody(step, dependencies.nodeIdDomain, (body as Input | undefined) ?? {}),
      },
    );
    router
      .route(`/:id/${step.name}`)
      .post(...handlers)
      .all(methodNotAllowed('POST'));
  }
  return router;
}

const hasBody = ({ headers }: Request): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

const bodyIfAny = bodyOfWrites.map(
  (handler): RequestHandler =>
    (req, res, next) =>
      hasBody(req) ? handler(req, res, next) : next(),
);

/** The body has no members, and may be absent. */
function readNothing({ body }: Request): undefined {
  const names = Object.keys((body as object | undefined) ?? {});
  if (names.length > 0) throw validationFailed(names.map((name) => [name, 'Unknown member'] as const));
}

const actionOf = (type: RecordType): Action => `${modelName(type)}:Read`;

const lists = { archive: 'archived', trash: 'trashed' } as const;

/** `GET /v1/archive` and `/v1/trash`: what is there of the types that the token may read, the newest first. */
export const createAsideRoutes = (
  types: readonly RecordType[],
  aside: SetAsideRepository,
  { nodeIdDomain, baseUrl }: Pick<RouteDependencies, 'nodeIdDomain' | 'baseUrl'>,
) =>
  Object.entries(lists).map(([path, state]) => {
    const resource = entryResource(types, state, nodeIdDomain);
    const router = Router();
    router
      .route('/')
      .get(async (req, res) => {
        const caller = callerOf(req);
        const { accountId } = caller;
        const read = types.filter((type) => isAllowed(caller.scopes, actionOf(type), accountId));
        if (read.length === 0) throw insufficientScope(types.map(actionOf));
        checkKeeper(caller);
        const source = aside.source(accountId, state, read);
        const usualOrder = [{ field: 'id', property: 'id', descending: true }];
        await sendCollection(req, res, { resource, view: caller, source, usualOrder, baseUrl });
      })
      .all(methodNotAllowed('GET', 'HEAD'));
    return { path: `/v1/${path}`, access: 'caller' as const, router };
  });

function entryResource(
  types: readonly RecordType[],
  state: 'archived' | 'trashed',
  nodeIdDomain: string,
): Resource<AsideEntry, Caller> {
  const fields = {
    id: ({ id }: AsideEntry) => id,
    created_at: ({ aside: { at } }: AsideEntry) => presentTime(at),
    [`${state}_by`]: ({ aside: { by } }: AsideEntry, caller: Caller) => (readsPeople(caller) ? by : null),
    [state]: ({ type }: AsideEntry) => type.name,
    ...Object.fromEntries(types.map(({ name }) => [name, presentRecord(name, nodeIdDomain)])),
  };
  return { fields, collectionFields: Object.keys(fields), sortable: { id: 'id' } };
}

const presentRecord =
  (name: string, nodeIdDomain: string) =>
  ({ type, record: { id, values } }: AsideEntry) =>
    type.name === name
      ? {
          id,
          nodeID: toNodeId(nodeIdDomain, type.graphqlName, id),
          href: `/${type.plural}/${id}`,
          display_name: `${id} ${textIn(values, titleField(type)) ?? ''}`,
        }
      : undefined;
