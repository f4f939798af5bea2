import { randomBytes } from 'node:crypto';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { changedFields } from '@itsm/shared/declared/changes';
import { changedRecord, newRecord, refuse } from '@itsm/shared/declared/read-input';
import { isDeepStrictEqual } from 'node:util';
import type { AuditLine } from '../webhooks/audit-line';
import type { GeneratedKey } from './key-generator';
import { publishedKeys, signsFrom } from './key-schedule';
import { isShared, policyType } from './policy';
import type { Policy, PolicyInput, PolicySettings } from './policy';

/** A new policy without its keys: a name is made if none was given. */
export function newSettings(given: PolicyInput): PolicySettings {
  const settings = newRecord(policyType, { ...given, name: given.name ?? generatedName() });
  checkRotation(settings);
  return settings;
}

export function newPolicy(
  identity: Pick<Policy, 'id' | 'accountId'>,
  settings: PolicySettings,
  { key }: GeneratedKey,
  now: Date,
): Policy {
  const keys = [{ ...key, createdAt: now, signsFrom: now }];
  return { ...identity, ...settings, keys, createdAt: now, updatedAt: now, version: 1 };
}

/** The name of a policy without one; safe in a URL, since the issuer contains it. */
const generatedName = (): string => `policy-${randomBytes(8).toString('hex')}`;

/** The policy after an administrator's update. */
export function changedPolicy(policy: Policy, changes: PolicyInput, now: Date): Policy {
  const after = { ...policy, ...changedRecord(policyType, policy, changes), updatedAt: now };
  checkRotation(after);
  return { ...after, version: policy.version + 1 };
}

/** Nobody would learn the next shared secret. */
function checkRotation({ jwtAlg, keyRotationDays }: Pick<Policy, 'jwtAlg' | 'keyRotationDays'>): void {
  if (keyRotationDays !== null && isShared(jwtAlg))
    throw refuse(policyType, {
      keyRotationDays: 'cannot be given for a shared secret: nobody would learn the next one',
    });
}

/** The policy with one more key, and without keys whose publication has ended. */
export function rotatedPolicy(policy: Policy, { key }: GeneratedKey, now: Date): Policy {
  const next = { ...key, createdAt: now, signsFrom: signsFrom(policy.keys, now) };
  return {
    ...policy,
    keys: [...publishedKeys(policy.keys, now), next],
    updatedAt: now,
    version: policy.version + 1,
  };
}

/** The policy without keys whose publication has ended. */
export const prunedPolicy = (policy: Policy, now: Date): Policy => ({
  ...policy,
  keys: publishedKeys(policy.keys, now),
  version: policy.version + 1,
});

/** Null when the service itself made the change. */
export type Author = AuditLine['person'];

export const authorOf = ({ personId: id, name }: Pick<Caller, 'personId' | 'name'>): Author => ({ id, name });

const idsOfKeys = (policy: Policy | undefined): readonly string[] | null => policy?.keys.map(({ kid }) => kid) ?? null;

/** The audit line of a change; of keys it shows only the ids. `before` is undefined for a new policy. Undefined when nothing changed. */
export function policyAuditLine(
  before: Policy | undefined,
  after: Policy,
  person: Author,
  now: Date,
): AuditLine | undefined {
  const keys = { field: 'keys', from: idsOfKeys(before), to: idsOfKeys(after) };
  const changes = [
    ...changedFields(policyType, before, after),
    ...(isDeepStrictEqual(keys.from, keys.to) ? [] : [keys]),
  ];
  if (changes.length === 0) return undefined;
  return { id: after.version, createdAt: now, action: before ? 'updated' : 'created', person, changes };
}
