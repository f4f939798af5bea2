import { validationFailed } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { ifUnchanged } from '@itsm/shared/api/http/if-match';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { checkFields } from '@itsm/shared/api/rest/send';
import type { Declaration, PersonField, RecordField } from '@itsm/shared/declared/language';
import { restName } from '@itsm/shared/declared/names';
import { readBody } from '@itsm/shared/declared/read-input';
import { handlersOf } from '@itsm/shared/declared/write.routes';
import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { kind } from '../record-types/kind';
import type { FlatRecord } from '../record-types/record';
import { modelName } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import { columnName, parseBody } from '../write/record.input';
import type { Input } from '../write/record.input';
import type { RecordView } from './record.resource';
import { ofRecord, writesOf, writingNeeds, writtenBy } from './record-writes';
import type { RouteDependencies } from './record-writes';
import { addViews, findRecord, listOf } from './record.routes';

/**
 * What is below one record: the records that refer to it, `/v1/workflows/:id/tasks`, and the people of a field,
 * `/v1/teams/:id/members`; behind `authenticate`.
 */
export function createPartRoutes(type: RecordType, dependencies: RouteDependencies): Router {
  const router = Router();
  for (const child of dependencies.types)
    for (const field of child.fields)
      if (field.kind === 'record' && field.to.name === type.name && field.inverse !== undefined)
        addChildren(router, type, child, field, dependencies);
  for (const field of type.fields) if (field.kind === 'people') addPeople(router, type, field, dependencies);
  return router;
}

/** Reads and creates the records that refer to one by a field. */
function addChildren(
  router: Router,
  type: RecordType,
  child: RecordType,
  field: RecordField,
  dependencies: RouteDependencies,
): void {
  const { create } = handlersOf(child, creationIn(child, dependencies), {
    ...writingNeeds(child, dependencies),
    async read(req: Request) {
      const { id } = await findRecord(type, dependencies, req);
      const name = columnName(field);
      const body = req.body as Input;
      if (Object.hasOwn(body, name)) throw validationFailed([[name, `${field.label} is that of the address`]]);
      return parseBody(child, dependencies.nodeIdDomain, { ...body, [name]: id });
    },
  });
  const within = async (req: Request) => {
    const { id } = await findRecord(type, dependencies, req);
    return [{ property: field.name, in: [id] }];
  };
  const mayRead = [allow(`${modelName(type)}:Read`), allow(`${modelName(child)}:Read`)];
  const path = `/:id/${restName(field.inverse ?? '')}`;
  const route = router.route(path);
  route.get(...mayRead, listOf(child, dependencies, { within }));
  addViews(router, path, child, (view) => [...mayRead, listOf(child, dependencies, { view, within })]);
  if (create) route.post(...create);
  route.all(methodNotAllowed('GET', 'HEAD', ...(create ? ['POST'] : [])));
}

function creationIn(child: RecordType, dependencies: RouteDependencies) {
  const { create } = writesOf(child, dependencies);
  return { ...(create && { create }) };
}

/** The body that names a person. */
const personGiven = {
  ...kind('person'),
  label: 'Person',
  description: 'A person to add.',
  writes: {},
  nullIs: 'refused',
  fields: [{ name: 'person', label: 'Person', kind: 'person', required: true, mustBeGiven: true }],
} as const satisfies Declaration;

/** Adds a person to a field, and removes one: changes of the record, as its update is. */
function addPeople(router: Router, type: RecordType, field: PersonField, dependencies: RouteDependencies): void {
  const { serviceOf, nodeIdDomain } = dependencies;
  const editors = type.mutations.update;
  if (!editors) return;
  const service = serviceOf(type.name);
  const needs = writingNeeds(type, dependencies);
  const { update: add = [] } = handlersOf<number | undefined, FlatRecord, RecordView>(
    type,
    {
      update: async (caller, id, person, check) =>
        writtenBy(await service.addPerson(caller.accountId, caller, id, { field, person }, check && ofRecord(check))),
    },
    { ...needs, read: ({ body }) => readBody(personGiven, nodeIdDomain, 'create', body as object).personId },
  );
  const path = `/:id/${restName(field.name)}`;
  router
    .route(path)
    .post(...add)
    .all(methodNotAllowed('POST'));
  const idOf = recordIdIn(nodeIdDomain, type.graphqlName);
  const personOf = recordIdIn(nodeIdDomain, 'Person', 'person');
  const remove: RequestHandler = async (req, res) => {
    const caller = callerOf(req);
    const removed = { field, person: personOf(req) };
    writtenBy(await service.removePerson(caller.accountId, caller, idOf(req), removed, ifUnchanged(req)));
    res.status(204).end();
  };
  router
    .route(`${path}/:person`)
    .delete(allow(`${modelName(type)}:Update`, ...editors), checkFields(needs.resource), remove)
    .all(methodNotAllowed('DELETE'));
}
