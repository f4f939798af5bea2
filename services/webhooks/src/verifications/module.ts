import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import type { Directory } from '../directory/module';
import type { Addresses } from '../webhooks/addresses';
import type { Webhooks } from '../webhooks/module';
import type { VerificationRequester } from '../webhooks/webhook.service';
import { createPageLinks } from './page-link';
import { createPageRouter } from './webhook-page.routes';
import { createResendRouter } from './resend.routes';
import { createVerificationResolvers, verificationTypeDefs } from './verification.resolvers';
import { createVerificationRouter } from './verification.routes';
import { createVerificationService } from './verification.service';

export { createVerificationRequester } from './verification.message';

interface Needs {
  readonly directory: Directory;
  readonly webhooks: Webhooks;
  readonly requestVerification: VerificationRequester;
  readonly addresses: Addresses;
}

export function createVerifications(platform: MessagingPlatform, needs: Needs): Module {
  const { logger, now, nodeIdDomain, sealer } = platform;
  const { directory, webhooks, requestVerification, addresses } = needs;
  const verifications = createVerificationService({ change: webhooks.change, requestVerification, logger, now });
  const links = createPageLinks({ sealer, addresses, now });
  const api = { webhooks: webhooks.service, verifications, links, addresses, nodeIdDomain };
  const pages = createPageRouter({
    webhooks: webhooks.service,
    verifications,
    links,
    mayAdminister: (accountId, personId) => directory.store.mayAdminister(accountId, personId),
    addresses,
    nodeIdDomain,
    now,
  });
  return {
    sdl: verificationTypeDefs,
    resolvers: createVerificationResolvers(api),
    routes: [
      { path: '/v1/webhooks', access: 'caller', router: createResendRouter(api) },
      { path: '/', access: 'public', router: createVerificationRouter({ verifications, addresses, nodeIdDomain }) },
      { path: '/', access: 'public', router: pages },
    ],
  };
}
