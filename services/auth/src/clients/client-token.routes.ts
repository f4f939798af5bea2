import { notFound } from '@itsm/shared/base/errors/app-error';
import { parseNodeId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { recordIdIn } from '@itsm/shared/api/http/record-id';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { parseOrder } from '@itsm/shared/api/rest/order';
import { checkFields, sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import { declaredResource } from '@itsm/shared/declared/declared.resource';
import { actionOf } from '@itsm/shared/declared/edits';
import type { Writes } from '@itsm/shared/declared/edits';
import { readBody } from '@itsm/shared/declared/read-input';
import type { GivenOf } from '@itsm/shared/declared/record-of';
import { handlersOf } from '@itsm/shared/declared/write.routes';
import { Router } from 'express';
import type { Request } from 'express';
import type { ApplicationService } from './application.service';
import { applicationKind, clientTokenType } from './client-token';
import type { ClientToken } from './client-token';
import type { ClientTokenPlace } from './client-token.service';

/** A token as edges present it; after its creation with the secret. */
export type ShownClientToken = ClientToken & { readonly id: string; readonly clientSecret?: string };

export type ClientTokenEdits = Writes<GivenOf<typeof clientTokenType>, ShownClientToken, ClientTokenPlace>;

interface Dependencies {
  readonly applications: Pick<ApplicationService, 'find'>;
  readonly edits: ClientTokenEdits;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

interface ClientTokenView {
  readonly nodeIdOf: (graphqlName: string, id: string) => string;
}

const resource = declaredResource<typeof clientTokenType, ShownClientToken, ClientTokenView>(clientTokenType, {});

const usualOrder = parseOrder(resource, 'created_at');

/** A token with the id that it has at both edges. */
export const toShown = (token: ClientToken): ShownClientToken => ({ ...token, id: token.clientId });

/** `/v1/oauth_applications/:id/tokens` and `…/tokens/:client_id`: what GraphQL's mutations do, and each token by itself. */
export function createClientTokenRoutes({ applications, edits, nodeIdDomain, baseUrl }: Dependencies): Router {
  const view = { nodeIdOf: (graphqlName: string, id: string) => toNodeId(nodeIdDomain, graphqlName, id) };
  const applicationIdOf = recordIdIn(nodeIdDomain, applicationKind.graphqlName);

  /** The number of the application, and the client id or the node id of the token. */
  function placeOf(req: Request) {
    const given = String(req.params['client_id']);
    const ref = parseNodeId(nodeIdDomain, given);
    const clientId = ref?.type === clientTokenType.graphqlName ? ref.id : given;
    return { applicationId: applicationIdOf(req), clientId };
  }

  async function tokensOf(req: Request): Promise<readonly ShownClientToken[]> {
    const application = await applications.find(callerOf(req).accountId, applicationIdOf(req));
    if (!application) throw notFound();
    return application.tokens.map(toShown);
  }

  const reads = allow(actionOf(clientTokenType, 'Read'), 'account_administrator');
  const writes = handlersOf(clientTokenType, edits, {
    resource,
    viewOf: () => Promise.resolve(view),
    baseUrl,
    nodeIdDomain,
    body: jsonBody(),
    read: (req, write) => {
      const application = write === 'create' && { application_id: String(applicationIdOf(req)) };
      return readBody(clientTokenType, nodeIdDomain, write, { ...(req.body as object), ...application });
    },
    editors: undefined,
    idOf: placeOf,
  });
  const router = Router();
  router
    .route('/:id/tokens')
    .get(reads, async (req, res) => {
      // An application has at most ten.
      const source = createArraySource(await tokensOf(req));
      await sendCollection(req, res, { resource, view, source, usualOrder, baseUrl });
    })
    .post(...(writes.create ?? []))
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  router
    .route('/:id/tokens/:client_id')
    .get(reads, checkFields(resource), async (req, res) => {
      const { clientId } = placeOf(req);
      const record = (await tokensOf(req)).find(({ id }) => id === clientId);
      if (!record) throw notFound();
      sendRecord(req, res, { resource, record, view });
    })
    .patch(...(writes.update ?? []))
    .put(...(writes.update ?? []))
    .delete(...(writes.remove ?? []))
    .all(methodNotAllowed('GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'));
  return router;
}
