import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { AuditLine } from '../webhooks/audit-line';
import type { GeneratedKey } from './key-generator';
import { publishedKeys, signsFrom } from './key-schedule';
import { isShared } from './policy';
import type { Policy } from './policy';
import type { NewPolicy, PolicyChanges } from './policy.resource';

export function newPolicy(
  { id, accountId }: Pick<Policy, 'id' | 'accountId'>,
  input: NewPolicy,
  { key }: GeneratedKey,
  now: Date,
): Policy {
  return {
    id,
    accountId,
    name: input.name ?? generatedName(),
    algorithm: input.jwt_alg,
    audience: input.jwt_audience ?? null,
    expiresInMinutes: input.jwt_claim_expires_in ?? null,
    rotationDays: input.key_rotation_days ?? null,
    disabled: input.disabled ?? false,
    keys: [{ ...key, createdAt: now, signsFrom: now }],
    source: input.source ?? null,
    sourceID: input.sourceID ?? null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
}

/** The name of a policy without one; safe in a URL, since the issuer contains it. */
const generatedName = (): string => `policy-${randomBytes(8).toString('hex')}`;

const given = <T>(value: T | undefined, otherwise: T): T => (value === undefined ? otherwise : value);

/** The policy after an administrator's update. */
export function changedPolicy(policy: Policy, changes: PolicyChanges, now: Date): Policy {
  checkChanges(policy, changes);
  return {
    ...policy,
    name: given(changes.name, policy.name),
    audience: given(changes.jwt_audience, policy.audience),
    expiresInMinutes: given(changes.jwt_claim_expires_in, policy.expiresInMinutes),
    rotationDays: given(changes.key_rotation_days, policy.rotationDays),
    disabled: given(changes.disabled, policy.disabled),
    source: given(changes.source, policy.source),
    sourceID: given(changes.sourceID, policy.sourceID),
    updatedAt: now,
    revision: policy.revision + 1,
  };
}

function checkChanges({ algorithm }: Policy, { jwt_alg, key_rotation_days }: PolicyChanges): void {
  if (jwt_alg !== undefined && jwt_alg !== algorithm)
    throw validationFailed([
      ['jwt_alg', 'Jwt alg cannot be changed: receivers would be confused; make another policy'],
    ]);
  if (key_rotation_days != null && isShared(algorithm))
    throw validationFailed([['key_rotation_days', 'Key rotation days cannot be given for a shared secret']]);
}

/** The policy with one more key, and without keys whose publication has ended. */
export function rotatedPolicy(policy: Policy, { key }: GeneratedKey, now: Date): Policy {
  const next = { ...key, createdAt: now, signsFrom: signsFrom(policy.keys, now) };
  return {
    ...policy,
    keys: [...publishedKeys(policy.keys, now), next],
    updatedAt: now,
    revision: policy.revision + 1,
  };
}

/** The policy without keys whose publication has ended. */
export const prunedPolicy = (policy: Policy, now: Date): Policy => ({
  ...policy,
  keys: publishedKeys(policy.keys, now),
  revision: policy.revision + 1,
});

/** Null when the service itself made the change. */
export type Author = AuditLine['person'];

const audited: Readonly<Record<string, (policy: Policy) => unknown>> = {
  name: ({ name }) => name,
  jwt_alg: ({ algorithm }) => algorithm,
  jwt_audience: ({ audience }) => audience,
  jwt_claim_expires_in: ({ expiresInMinutes }) => expiresInMinutes,
  key_rotation_days: ({ rotationDays }) => rotationDays,
  disabled: ({ disabled }) => disabled,
  keys: ({ keys }) => keys.map(({ kid }) => kid),
  source: ({ source }) => source,
  sourceID: ({ sourceID }) => sourceID,
};

/** The audit line of a change; of keys it shows only the ids. `before` is undefined for a new policy. Undefined when nothing changed. */
export function policyAuditLine(
  before: Policy | undefined,
  after: Policy,
  person: Author,
  now: Date,
): AuditLine | undefined {
  const changes = Object.entries(audited).flatMap(([field, read]) => {
    const [from, to] = [before ? read(before) : null, read(after)];
    return isDeepStrictEqual(from, to) ? [] : [{ field, from, to }];
  });
  if (changes.length === 0) return undefined;
  return { id: after.revision, createdAt: now, action: before ? 'updated' : 'created', person, changes };
}
