import { isDeepStrictEqual } from 'node:util';
import type { AuditLine } from '../webhooks/audit-line';
import type { Policy } from './policy';

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

/** The line for a change, with the ids of keys; `before` undefined for a new policy. Undefined when nothing was changed. */
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
