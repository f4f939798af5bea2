import { Router } from 'express';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { offeredActions } from '@itsm/shared/contracts/scope-choices';
import { describeScopes } from '@itsm/shared/contracts/scope-words';
import type { AdmissionService } from '../callers/admission.service';
import { retryAfter, sendTooManyRequests, setRateHeaders } from '../callers/limit-answers';
import type { CredentialsOf } from '../callers/request-caller';
import type { Graph } from '../supergraph/module';
import type { Compression } from '../transport/compression';
import { deadlineIn } from '../transport/deadline';

export interface ScopesDependencies {
  readonly admission: AdmissionService;
  readonly credentialsOf: CredentialsOf;
  readonly graph: Pick<Graph, 'schemaState' | 'fieldScopes'>;
  readonly compression: Compression;
  readonly documentationUrl: string;
  readonly callMilliseconds: number;
  readonly now: Clock;
}

/** `GET /v1/scopes`: the actions that scopes can name, and the action that each field needs. */
export function createScopesRoutes({ admission, credentialsOf, graph, ...settings }: ScopesDependencies): Router {
  const { compression, documentationUrl, callMilliseconds, now } = settings;
  const router = Router();
  router
    .route('/v1/scopes')
    .get(async (req, res) => {
      const { allowed, requests } = await admission.admit(credentialsOf(req), deadlineIn(callMilliseconds), res);
      setRateHeaders(res, requests);
      if (!allowed) {
        sendTooManyRequests(res, { documentationUrl, retryAfter: retryAfter(requests, now()) });
        return;
      }
      if (!graph.schemaState().isComposed) throw new AppError('service_unavailable', 'Service Unavailable');
      const scopes = graph.fieldScopes();
      // A fixed supergraph does not declare scopes.
      if (!scopes) throw notFound();
      compression.send(req, res.type('json'), [JSON.stringify({ actions, ...scopes })]);
    })
    .all(methodNotAllowed('GET'));
  return router;
}

const actions = offeredActions.map((action) => ({
  action,
  label: describeScopes([{ effect: 'allow', actions: [action] }]).allowed[0],
}));
