import type { Router } from 'express';
import { deadlineIn } from '../transport/deadline';
import type { GatewayPlatform, Transport } from '../transport/module';
import { createAdmission } from './admission.service';
import type { AdmissionService } from './admission.service';
import { createIntrospection } from './introspection';
import { createRateLimitRoutes } from './rate-limit.routes';
import { createCredentialsOf } from './request-caller';
import type { CredentialsOf } from './request-caller';
import { createResourceMetadataRoutes } from './resource-metadata.routes';

interface Needs {
  readonly transport: Transport;
  /** Whether auth bumps its revisions in the same coordination store; if not, every call is introspected. */
  readonly sharedRevisions: boolean;
  readonly introspectionSecret: string;
}

export interface Callers {
  readonly admission: AdmissionService;
  readonly credentialsOf: CredentialsOf;
  /** The documentation URL in a refusal by a window. */
  readonly documentationUrl: string;
  readonly router: Router;
}

export function createCallers(platform: GatewayPlatform, needs: Needs): Callers {
  const { coordination, logger, now, baseUrl, callMilliseconds } = platform;
  const { transport, sharedRevisions, introspectionSecret } = needs;
  const introspect = createIntrospection(transport.upstreams.introspections, introspectionSecret, logger, baseUrl);
  const admission = createAdmission({ introspect, coordination, sharedRevisions, now });
  const credentialsOf = createCredentialsOf(transport.addressOf, transport.peers);
  const metadata = createResourceMetadataRoutes(transport.addressOf, {
    issuer: baseUrl,
    documentation: `${baseUrl}/docs/v1`,
  });
  return {
    admission,
    credentialsOf,
    documentationUrl: `${baseUrl}/docs/limits`,
    router: metadata.use(
      createRateLimitRoutes(coordination, (req, res) =>
        admission.identify(credentialsOf(req), deadlineIn(callMilliseconds), res),
      ),
    ),
  };
}
