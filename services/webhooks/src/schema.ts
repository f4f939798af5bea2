import { parse } from 'graphql';
import { mutationTypeDefs } from '@itsm/shared/graphql/mutation-payload';
import { sharedResolvers, sharedTypeDefs } from '@itsm/shared/graphql/schema';
import { createPolicyResolvers } from './policies/policy.resolvers';
import type { PolicyService } from './policies/policy.service';
import { policyTypeDefs } from './policies/type-defs';
import { webhookTypeDefs } from './webhooks/type-defs';
import { createWebhookResolvers } from './webhooks/webhook.resolvers';
import type { WebhookResolverDependencies } from './webhooks/webhook.resolvers';

interface Dependencies extends WebhookResolverDependencies {
  readonly policies: PolicyService;
}

type ResolverMap = Readonly<Record<string, object>>;

/** What this service adds to the GraphQL API; each noun has its part. */
export const typeDefs = parse([sharedTypeDefs, mutationTypeDefs, webhookTypeDefs, policyTypeDefs].join('\n'));

export const createResolvers = (dependencies: Dependencies): ResolverMap =>
  merge([sharedResolvers, createWebhookResolvers(dependencies), createPolicyResolvers(dependencies)]);

/** Types that occur in several maps, such as Query, have the fields of all. */
function merge(maps: readonly ResolverMap[]): ResolverMap {
  const merged: Record<string, object> = {};
  for (const [type, fields] of maps.flatMap((map) => Object.entries(map))) {
    merged[type] = type in merged ? { ...merged[type], ...fields } : fields;
  }
  return merged;
}
