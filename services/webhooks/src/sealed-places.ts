import { signingKeyContext } from '@itsm/shared/contracts/webhook-policies';
import type { KeyRing, SealedPlace } from '@itsm/shared/stores/reseal/reseal';
import { policiesCollection } from './policies/policy.repository';
import type { PolicyDocument } from './policies/policy.repository';
import { createUriVault, textContext, uriContext } from './webhooks/uri-vault';
import type { UriVault } from './webhooks/uri-vault';
import { webhooksCollection } from './webhooks/webhook.repository';
import { noAddress } from './webhooks/webhook.document';
import type { WebhookDocument } from './webhooks/webhook.document';

/** The digest of the address depends on the first key too, so it is renewed as well; a tombstone has none. */
const addresses = ({ digest }: Pick<UriVault, 'digest'>): SealedPlace<WebhookDocument> => ({
  collection: webhooksCollection,
  members: ['accountId', 'sealedUri', 'deletedAt'],
  textsIn: ({ _id, accountId, sealedUri, deletedAt }) =>
    sealedUri === noAddress
      ? []
      : [
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

/** A change of a policy writes the keys that it has read: it must not bring back what was sealed before. */
const policyKeys: SealedPlace<PolicyDocument> = {
  collection: policiesCollection,
  members: ['keys'],
  textsIn: ({ keys }) =>
    keys.map(({ kid, sealed }, at) => ({ path: `keys.${at}.sealed`, sealed, context: signingKeyContext(kid) })),
  revision: 'revision',
};

/** Everything that rests sealed in this service's store. */
export const sealedPlaces = (keys: KeyRing): readonly SealedPlace[] => [
  addresses(createUriVault(keys)),
  auditLines,
  policyKeys,
];
