import express from 'express';
import type { RequestHandler, Router } from 'express';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Addresses } from '../webhooks/addresses';
import { publishedKeys } from './key-schedule';
import { isShared } from './policy';
import type { Policy } from './policy';
import { issuerOf } from './policy.message';
import type { PolicyRepository } from './policy.repository';

interface Dependencies {
  readonly policies: Pick<PolicyRepository, 'findByName'>;
  readonly addresses: Addresses;
  readonly now: Clock;
}

type Parameters = { account: string; name: string };

/**
 * Public discovery document and JWKS of a policy (spec: Automatic key discovery). Policies with a shared secret and
 * disabled policies publish nothing.
 */
export function createDiscoveryRouter({ policies, addresses, now }: Dependencies): Router {
  const answer =
    (document: (policy: Policy) => object): RequestHandler<Parameters> =>
    async ({ params: { account, name } }, res) => {
      const policy = await policies.findByName(account, name);
      if (!policy || policy.disabled || isShared(policy.jwtAlg)) throw notFound();
      // Any origin may read it: nothing here is secret, and people debug receivers in a browser.
      res.set({ 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' }).json(document(policy));
    };

  const root = '/accounts/:account/webhook_policies/:name';
  const router = express.Router({ caseSensitive: true });
  router
    .route(`${root}/.well-known/openid-configuration`)
    .get(
      answer((policy) => {
        const issuer = issuerOf(policy, addresses);
        return {
          issuer,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['id_token'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: [policy.jwtAlg.toUpperCase()],
        };
      }),
    )
    .all(methodNotAllowed('GET', 'HEAD'));
  router
    .route(`${root}/jwks`)
    .get(answer(({ keys }) => ({ keys: publishedKeys(keys, now()).map(({ publicJwk }) => publicJwk) })))
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}
