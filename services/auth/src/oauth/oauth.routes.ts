import { AppError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { offeredActions } from '@itsm/shared/contracts/scope-choices';
import { dpopAlgorithms, dpopRefused } from '@itsm/shared/api/identity/dpop-proof';
import express from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Router } from 'express';
import { assertionAlgorithms } from '../clients/client-keys';
import type { ClientRequest } from './client-authentication';
import { addressOf, answerClientErrors, clientBody, clientRequestOf, noStore, sendJson } from './client-endpoint';
import { OAuthError } from './oauth-error';
import type { ProveKey } from './prove-key';
import type { RevocationService } from './revocation.service';
import type { TokenIntrospectionService } from './token-introspection.service';
import type { TokenService } from './token.service';

interface Dependencies {
  /** The public origin. */
  readonly issuer: string;
  readonly tokens: TokenService;
  readonly revocations: RevocationService;
  readonly introspection: TokenIntrospectionService;
  readonly proveKey: ProveKey;
  readonly logger: Logger;
}

type Answering = Pick<Dependencies, 'issuer' | 'logger'>;

/** The endpoints for clients, by path. */
export function createOAuthRoutes(dependencies: Dependencies): Readonly<Record<string, Router>> {
  const { issuer, tokens, revocations, introspection } = dependencies;
  const answering = { issuer, logger: dependencies.logger };
  return {
    '/.well-known/oauth-authorization-server': metadataRoutes(issuer, tokens.grantTypes),
    '/oauth/token': tokenRoutes(tokens, answering),
    '/oauth/revoke': revocationRoutes(revocations, answering),
    '/oauth/introspect': introspectionRoutes(introspection, dependencies),
  };
}

/** `GET /.well-known/oauth-authorization-server` (RFC 8414 §2). */
function metadataRoutes(issuer: string, grantTypes: readonly string[]): Router {
  const authenticationMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    jwks_uri: `${issuer}/oauth/jwks`,
    scopes_supported: offeredActions,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: authenticationMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: authenticationMethods,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: authenticationMethods,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: dpopAlgorithms,
    authorization_response_iss_parameter_supported: true,
  };
  const router = express.Router();
  router
    .route('/')
    .get((_req, res) => {
      res.set('Cache-Control', 'public, max-age=3600').json(metadata);
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

/** `POST /oauth/token`, form or JSON. */
function tokenRoutes(tokens: TokenService, answering: Answering): Router {
  const router = express.Router();
  const answer = answerClient(answering, (request) => tokens.answer(request));
  router.route('/').post(answer).all(methodNotAllowed('POST'));
  return router;
}

/** `POST /oauth/revoke` (RFC 7009): 200 and `{}` once the token is revoked. */
function revocationRoutes(revocations: RevocationService, answering: Answering): Router {
  const router = express.Router();
  const answer = answerClient(answering, async (request) => {
    await revocations.revoke(request);
    return {};
  });
  router.route('/').post(answer).all(methodNotAllowed('POST'));
  return router;
}

/** `POST /oauth/introspect` for clients (RFC 7662), `GET` for the holder of the token. */
function introspectionRoutes(
  introspection: TokenIntrospectionService,
  answering: Answering & Pick<Dependencies, 'proveKey'>,
): Router {
  const { issuer, proveKey } = answering;
  const router = express.Router();
  router
    .route('/')
    .get(noStore, async (req, res) => {
      const { token, proof } = credentialsOf(req);
      const address = addressOf(req, issuer);
      const key =
        proof === undefined ? undefined : await proveKey({ ...proof, address, accessToken: token }).catch(refuseProof);
      const found = await introspection.forHolder(token, key?.jkt);
      if (found.active) await key?.useUp().catch(refuseProof);
      sendJson(res, found);
    })
    .post(answerClient(answering, (request) => introspection.forClient(request)))
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  return router;
}

/** Handler of a client's request: parses the body, and sends the answer or an OAuth error. */
function answerClient(
  { issuer, logger }: Answering,
  answer: (request: ClientRequest) => Promise<object>,
): (RequestHandler | ErrorRequestHandler)[] {
  const send: RequestHandler = async (req, res) => {
    sendJson(res, await answer(clientRequestOf(req, issuer)));
  };
  return [...clientBody, send, answerClientErrors(logger)];
}

/** RFC 6750 §2.1 and §3, RFC 9449 §7.1: the token must be in the header; without one the 401 names no error. */
function credentialsOf(req: Request): { readonly token: string; readonly proof?: { proof: string; method: string } } {
  const [, scheme, token] = /^(Bearer|DPoP) +([A-Za-z0-9\-._~+/]+=*)$/i.exec(req.get('authorization') ?? '') ?? [];
  if (token === undefined)
    throw new AppError('unauthorized', 'Unauthorized', { headers: { 'WWW-Authenticate': 'Bearer realm="oauth"' } });
  if (scheme?.toLowerCase() === 'bearer') return { token };
  return { token, proof: { proof: req.get('dpop') ?? '', method: req.method } };
}

/** An invalid DPoP proof is a 401 for a resource request, and a 400 at the token endpoint (RFC 9449 §5, §7.1). */
function refuseProof(error: unknown): never {
  throw error instanceof OAuthError ? dpopRefused('invalid_dpop_proof', error.message) : error;
}
