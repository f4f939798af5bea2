import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { dpopAlgorithms } from '@itsm/shared/api/identity/dpop-proof';
import { offeredActions } from '@itsm/shared/contracts/scope-choices';

const wellKnown = '/.well-known/oauth-protected-resource';

/** The address of the metadata of the resource at `address` (RFC 9728 §3.1). */
export function metadataAddressOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}`;
}

/** `GET /.well-known/oauth-protected-resource`, alone for the whole API, or followed by the path of a part of it (RFC 9728 §3). */
export function createResourceMetadataRoutes(
  addressOf: (req: IncomingMessage) => string,
  { issuer, documentation }: { readonly issuer: string; readonly documentation: string },
): Router {
  const router = Router();
  router
    .route([wellKnown, ...['graphql', 'v1', 'ui_extensions'].map((part) => `${wellKnown}/${part}{/*below}`)])
    .get((req, res) => {
      res.set('Cache-Control', 'public, max-age=3600').json({
        resource: addressOf(req).replace(wellKnown, ''),
        authorization_servers: [issuer],
        scopes_supported: offeredActions,
        bearer_methods_supported: ['header'],
        dpop_signing_alg_values_supported: dpopAlgorithms,
        dpop_bound_access_tokens_required: false,
        resource_name: 'ITSM service platform',
        resource_documentation: documentation,
      });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}
