import { sourcedFields, sourcedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Addresses } from '../webhooks/addresses';
import { publishedUntil } from './key-schedule';
import { isShared } from './policy';
import type { Policy } from './policy';
import { issuerOf } from './policy.message';

const fields: Resource<Policy, Addresses>['fields'] = {
  id: ({ id }) => id,
  nodeID: ({ id }, { nodeIdOf }) => nodeIdOf('WebhookPolicy', id),
  name: ({ name }) => name,
  jwt_alg: ({ algorithm }) => algorithm,
  jwt_audience: ({ audience }) => audience,
  jwt_claim_expires_in: ({ expiresInMinutes }) => expiresInMinutes,
  key_rotation_days: ({ rotationDays }) => rotationDays,
  issuer: (policy, addresses) => (isShared(policy.algorithm) ? null : issuerOf(policy, addresses)),
  disabled: ({ disabled }) => disabled,
  keys: ({ keys }) =>
    keys.map((key) => {
      const until = publishedUntil(keys, key);
      return {
        kid: key.kid,
        signs_from: presentTime(key.signsFrom),
        published_until: until ? presentTime(until) : null,
      };
    }),
  ...sourcedFields,
};

/** How a policy looks in REST; of its keys only their ids and times. */
export const policyResource: Resource<Policy, Addresses> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', name: 'name', jwt_alg: 'algorithm', created_at: 'createdAt', updated_at: 'updatedAt' },
  filterable: {
    id: { property: 'id', type: 'integer' },
    name: { property: 'name', type: 'string' },
    jwt_alg: { property: 'algorithm', type: 'string' },
    jwt_audience: { property: 'audience', type: 'string' },
    disabled: { property: 'disabled', type: 'boolean' },
    ...sourcedFilters,
  },
};
