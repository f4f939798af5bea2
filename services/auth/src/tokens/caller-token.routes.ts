import { timingSafeEqual } from 'node:crypto';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { RequestHandler, Router } from 'express';
import { badRequest, unauthorized } from '@itsm/shared/base/errors/app-error';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { IntrospectionService } from './caller-introspection.service';
import type { SigningKeys } from './signing-keys';

/** `GET /oauth/jwks`: the keys that verify caller JWTs. */
export function createSigningKeyRoutes(keys: SigningKeys): Router {
  const router = express.Router();
  router
    .route('/')
    .get(async (_req, res) => {
      res.set('Cache-Control', 'public, max-age=300').json(await keys.jwks());
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

/**
 * `POST /internal/introspect`, only for the gateway: it authenticates with one of `secrets` (comma-separated), and
 * forwards no client request to this path.
 */
export function createIntrospectionRoutes(introspection: IntrospectionService, secrets: string): Router {
  const router = express.Router();
  router
    .route('/')
    .post(checkSecret(secrets.split(',')), ...jsonBody('16kb'), async (req, res) => {
      res.set('Cache-Control', 'no-store').json(await introspection.introspect(tokenOf(req.body)));
    })
    .all(methodNotAllowed('POST'));
  return router;
}

/** Compares digests in constant time, so that timing reveals neither content nor length. */
function checkSecret(secrets: readonly string[]): RequestHandler {
  const expected = secrets.map((secret) => Buffer.from(digestOf(secret)));
  return (req, _res, next) => {
    const [, secret = ''] = /^Bearer (.+)$/.exec(req.get('authorization') ?? '') ?? [];
    const given = Buffer.from(digestOf(secret));
    if (!expected.some((digest) => timingSafeEqual(given, digest))) throw unauthorized();
    next();
  };
}

function tokenOf(body: unknown): string {
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined;
  if (typeof token !== 'string') throw badRequest('token must be given once, as a string');
  return token;
}
