import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { sharedDepartureOf } from '@itsm/shared/api/http/departure';
import { idempotencyKeyIn, keyHeader, replayedHeader } from '@itsm/shared/api/http/idempotency-key';
import { logRefusal } from '@itsm/shared/api/http/error-handler';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { selectAccount } from '@itsm/shared/api/identity/caller';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Admission, AdmissionService } from '../callers/admission.service';
import { accountHeaderOf, languagesOf } from '../callers/request-caller';
import type { CredentialsOf } from '../callers/request-caller';
import type { Repetition } from '../execution/executor';
import type { Supergraph } from '../supergraph/supergraph';
import type { Bodies } from '../transport/bodies';
import { recordOf } from '../transport/call-record';
import type { Compression } from '../transport/compression';
import { deadlineIn } from '../transport/deadline';
import type { Deadline } from '../transport/deadline';
import { checkSecure, headerOf } from '../transport/peers';
import type { Peers } from '../transport/peers';
import { readJson } from '../transport/read-json';
import {
  retryAfter,
  setRateHeaders,
  setCostHeaders,
  toCostState,
  sendGraphqlTooManyRequests,
} from '../callers/limit-answers';
import type { CallService } from './call.service';
import { isPersistedQuery, parseGraphqlRequest } from './graphql-request';
import {
  checkAcceptable,
  refusalsOf,
  sendError,
  sendOutcome,
  sendPersistedQueryNotSupported,
} from './graphql-responses';

export interface GraphqlDependencies {
  readonly admission: AdmissionService;
  readonly credentialsOf: CredentialsOf;
  readonly calls: CallService;
  /** The composed graph; undefined until every service has reported its part. */
  readonly supergraph: () => Supergraph | undefined;
  readonly peers: Peers;
  readonly bodies: Bodies;
  readonly compression: Compression;
  readonly accountHeaders: readonly string[];
  readonly documentationUrl: string;
  readonly callMilliseconds: number;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Answers a `POST` (spec: GraphQL). It works without Express, as calls are the hot path of the gateway. */
export type CallHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

const bodyLimit = 256 * 1024;

export function createCallHandler(dependencies: GraphqlDependencies): CallHandler {
  const { admission: callers, peers, bodies, calls, accountHeaders, callMilliseconds, logger } = dependencies;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    await refusePlainHttp(dependencies, req, res);
    const deadline = deadlineIn(callMilliseconds);
    const admission = await admitCall(dependencies, req, res, deadline);
    if (!admission) return;
    checkAcceptable(req);
    const { accountId } = selectAccount(admission.claims, accountHeaderOf(req, accountHeaders));
    callers.begin(admission, { accountId }, res);
    const body = await readJson(req, { limit: bodyLimit, owner: accountId, bodies });
    if (isPersistedQuery(body)) return sendPersistedQueryNotSupported(req, res);
    const request = parseGraphqlRequest(body);
    const repetition = repetitionOf(req);
    const outcome = await calls.run(supergraphOf(dependencies), {
      request,
      admission,
      accountId,
      requestId: requestIdOf(req),
      record: recordOf(req),
      clientAddress: peers.clientAddress(req),
      languages: languagesOf(req),
      repetition,
      deadline,
      departure: sharedDepartureOf(res),
    });
    const refusals = refusalsOf(outcome);
    if (refusals.length > 0) logRefusal(logger, req, refusals);
    if (repetition?.isReplayed) res.setHeader(replayedHeader, 'true');
    sendOutcome(req, res, outcome, dependencies);
  }

  return (req, res) =>
    answer(req, res).catch((error: unknown) => {
      if (res.headersSent) res.destroy();
      else sendError(req, res, error, logger);
    });
}

function repetitionOf(req: IncomingMessage): Repetition | undefined {
  const header = headerOf(req, keyHeader);
  return header === undefined ? undefined : { key: idempotencyKeyIn(header), isReplayed: false };
}

/** Refuses plain http. A known caller also gets the limit headers, as on every answer. */
export async function refusePlainHttp(
  {
    peers,
    admission,
    credentialsOf,
    callMilliseconds,
  }: Pick<GraphqlDependencies, 'peers' | 'admission' | 'credentialsOf' | 'callMilliseconds'>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (peers.isSecure(req)) return;
  try {
    setLimitHeaders(res, await admission.admit(credentialsOf(req), deadlineIn(callMilliseconds), res));
  } catch {
    // The caller is unknown, so there are no limits to report.
  }
  checkSecure(peers, req);
}

function setLimitHeaders(res: ServerResponse, { requests, cost }: Admission): void {
  setRateHeaders(res, requests);
  setCostHeaders(res, toCostState(cost, 0));
}

/**
 * Counts the call and sets the limit headers; undefined when a window refused it, in which case the answer has been
 * sent.
 */
export async function admitCall(
  { admission, credentialsOf, documentationUrl, callMilliseconds, logger, now }: GraphqlDependencies,
  req: IncomingMessage,
  res: ServerResponse,
  deadline: Deadline = deadlineIn(callMilliseconds),
): Promise<Admission | undefined> {
  const admitted = await admission.admit(credentialsOf(req), deadline, res);
  setLimitHeaders(res, admitted);
  if (admitted.allowed) return admitted;
  logRefusal(logger, req, ['too_many_requests']);
  sendGraphqlTooManyRequests(req, res, { documentationUrl, retryAfter: retryAfter(admitted.requests, now()) });
  return undefined;
}

export function supergraphOf({ supergraph }: GraphqlDependencies): Supergraph {
  const composed = supergraph();
  if (composed) return composed;
  throw new AppError('service_unavailable', 'The schema is being put together; try again in a moment', {
    headers: { 'Retry-After': '2' },
  });
}
