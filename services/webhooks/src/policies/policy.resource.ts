import { z } from 'zod';
import { namedFilters, sourcedFields, sourcedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import { signingAlgorithms } from '@itsm/shared/contracts/webhook-policies';
import type { Addresses } from '../webhooks/addresses';
import { text } from '../webhooks/webhook.input';
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
  account_issuer: ({ accountId }, addresses) => addresses.accountUrl(accountId),
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

/** The REST form of a policy; of its keys only ids and times. */
export const policyResource: Resource<Policy, Addresses> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', name: 'name', jwt_alg: 'algorithm', created_at: 'createdAt', updated_at: 'updatedAt' },
  filterable: {
    ...namedFilters,
    jwt_alg: { property: 'algorithm', type: 'string' },
    jwt_audience: { property: 'audience', type: 'string' },
    disabled: { property: 'disabled', type: 'boolean' },
    ...sourcedFilters,
  },
};

const number = (label: string, most: number) => {
  const message = `${label} must be a whole number from 1 to ${most}`;
  return z.int(message).min(1, message).max(most, message);
};

const minutesPerDay = 1_440;

/** The name is part of a URL, so characters that need escaping are refused. */
const name = z
  .string('Name must be text')
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'Name must be 1 to 128 letters, digits, dots, dashes and underscores');

const changeable = {
  jwt_audience: text('Jwt audience', 255)
    .refine((value) => value.trim() !== '', "Jwt audience can't be blank")
    .nullable()
    .optional(),
  jwt_claim_expires_in: number('Jwt claim expires in', minutesPerDay).nullable().optional(),
  key_rotation_days: number('Key rotation days', 365).nullable().optional(),
  disabled: z.boolean('Disabled must be true or false').optional(),
  source: text('Source', 128).nullable().optional(),
  sourceID: text('Source ID', 128).nullable().optional(),
};

const algorithm = z.enum(signingAlgorithms, `Jwt alg must be one of ${signingAlgorithms.join(', ')}`);

/** Input for a new policy; without a name one is generated. */
export const newPolicyInput = z
  .strictObject({ ...changeable, name: name.nullable().optional(), jwt_alg: algorithm.default('es256') })
  .refine(({ jwt_alg, key_rotation_days }) => key_rotation_days == null || !isShared(jwt_alg), {
    path: ['key_rotation_days'],
    message: 'Key rotation days cannot be given for a shared secret: nobody would learn the next one',
  });
export type NewPolicy = z.output<typeof newPolicyInput>;

/** Input for a change. The algorithm is accepted only if it is the present one. */
export const policyChangesInput = z.strictObject({ ...changeable, name, jwt_alg: algorithm }).partial();
export type PolicyChanges = z.output<typeof policyChangesInput>;
