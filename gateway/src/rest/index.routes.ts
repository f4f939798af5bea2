import { Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { routeTable } from './route-table';

const ownCollections = ['enums', 'rate_limit', 'scopes', 'types'];

/** `GET /v1`: the addresses of all collections, of GraphQL, and of what describes them. Public, as it tells no data. */
export function createIndexRoutes(baseUrl: string): Router {
  const router = Router();
  const body = {
    resources: Object.fromEntries(collectionNames().map((name) => [name, `${baseUrl}/v1/${name}`])),
    graphql_url: `${baseUrl}/graphql`,
    authorization_server: `${baseUrl}/.well-known/oauth-authorization-server`,
    documentation_url: `${baseUrl}/docs/v1`,
  };
  router
    .route('/v1')
    .get((_req, res) => void res.json(body))
    .all(methodNotAllowed('GET'));
  return router;
}

/** `requests` of the route `/v1/requests`; routes below a collection are none of their own. */
const collectionNames = (): string[] =>
  [...routeTable.flatMap(({ path, access }) => (access === 'caller' ? named(path) : [])), ...ownCollections].sort();

const named = (path: string): string[] => /^\/v1\/([a-z_]+)$/.exec(path)?.slice(1) ?? [];
