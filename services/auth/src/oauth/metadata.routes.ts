import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';

const authenticationMethods = ['client_secret_basic', 'client_secret_post'];

/** `GET /.well-known/oauth-authorization-server` (RFC 8414 §2); the issuer is the public origin. */
export function createMetadataRoutes(baseUrl: string, grantTypes: readonly string[]): Router {
  const metadata = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    jwks_uri: `${baseUrl}/oauth/jwks`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: authenticationMethods,
    revocation_endpoint_auth_methods_supported: authenticationMethods,
    introspection_endpoint_auth_methods_supported: authenticationMethods,
    code_challenge_methods_supported: ['S256'],
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
