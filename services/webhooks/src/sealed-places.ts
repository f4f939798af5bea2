import { signingKeyContext } from '@itsm/shared/contracts/webhook-policies';
import type { KeyRing, SealedPlace } from '@itsm/shared/stores/reseal/reseal';
import { policiesCollection } from './policies/policy.repository';
import type { PolicyDocument } from './policies/policy.repository';
import { createUriVault, textContext, uriContext } from './webhooks/uri-vault';
import type { UriVault } from './webhooks/uri-vault';
import { webhooksCollection } from './webhooks/webhook.repository';
import type { WebhookDocument } from './webhooks/webhook.document';

/** The digest of the address is keyed with the first key, so it is renewed too. A tombstone has no digest. */
const addresses = ({ digest }: Pick<UriVault, 'digest'>): SealedPlace<WebhookDocument> => ({
  collection: webhooksCollection,
  members: ['accountId', 'sealedUri', 'deletedAt'],
  textsIn: ({ _id, accountId, sealedUri, deletedAt }) => [
    {
      path: 'sealedUri',
      sealed: sealedUri,
      context: uriContext(_id),
      ...(!deletedAt && { derived: (uri: string) => ({ uriDigest: digest(accountId, uri) }) }),
    },
  ],
});

const auditLines: SealedPlace<WebhookDocument> = {
  collection: webhooksCollection,
  members: ['audit'],
  textsIn: ({ _id, audit = [] }) =>
    audit.map(({ sealedChanges }, at) => ({
      path: `audit.${at}.sealedChanges`,
      sealed: sealedChanges,
      context: textContext(_id),
    })),
};

/**
 * A policy change writes back the keys it has read. The revision is raised, so that a concurrent change cannot restore
 * keys sealed with the old key.
 */
const policyKeys: SealedPlace<PolicyDocument> = {
  collection: policiesCollection,
  members: ['keys'],
  textsIn: ({ keys }) =>
    keys.map(({ kid, sealed }, at) => ({ path: `keys.${at}.sealed`, sealed, context: signingKeyContext(kid) })),
  revision: 'revision',
};

/** Everything that this service stores sealed. */
export const sealedPlaces = (keys: KeyRing): readonly SealedPlace[] => [
  addresses(createUriVault(keys)),
  auditLines,
  policyKeys,
];
