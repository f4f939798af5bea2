import { parse } from 'graphql';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import { sharedResolvers, sharedTypeDefs } from '@itsm/shared/api/graphql/schema';
import { createPolicyResolvers } from './policies/policy.resolvers';
import { policyTypeDefs } from './policies/policy.sdl';
import { createDeliveryResolvers } from './deliveries/delivery.resolvers';
import { deliveryTypeDefs } from './deliveries/delivery.sdl';
import { createExplanationResolvers } from './health/explanation.resolvers';
import { explanationTypeDefs } from './health/explanation.sdl';
import { createVerificationResolvers } from './verifications/verification.resolvers';
import { verificationTypeDefs } from './verifications/verification.sdl';
import { webhookTypeDefs } from './webhooks/webhook.sdl';
import { createWebhookResolvers } from './webhooks/webhook.resolvers';

type Dependencies = Parameters<typeof createWebhookResolvers>[0] &
  Parameters<typeof createPolicyResolvers>[0] &
  Parameters<typeof createDeliveryResolvers>[0] &
  Parameters<typeof createVerificationResolvers>[0] &
  Parameters<typeof createExplanationResolvers>[0];

type ResolverMap = Readonly<Record<string, object>>;

/** What this service adds to the GraphQL API; each noun has its part. */
export const typeDefs = parse(
  [
    sharedTypeDefs,
    mutationTypeDefs,
    webhookTypeDefs,
    policyTypeDefs,
    deliveryTypeDefs,
    verificationTypeDefs,
    explanationTypeDefs,
  ].join('\n'),
);

export const createResolvers = (dependencies: Dependencies): ResolverMap =>
  merge([
    sharedResolvers,
    createWebhookResolvers(dependencies),
    createPolicyResolvers(dependencies),
    createDeliveryResolvers(dependencies),
    createVerificationResolvers(dependencies),
    createExplanationResolvers(dependencies),
  ]);

/** Types that occur in several maps, such as Query, have the fields of all. */
function merge(maps: readonly ResolverMap[]): ResolverMap {
  const merged: Record<string, object> = {};
  for (const [type, fields] of maps.flatMap((map) => Object.entries(map))) {
    merged[type] = type in merged ? { ...merged[type], ...fields } : fields;
  }
  return merged;
}
