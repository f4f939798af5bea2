import { createPublicKey } from 'node:crypto';
import { declaredResource } from '@itsm/shared/declared/declared.resource';
import type { Derivations } from '@itsm/shared/declared/declared.resource';
import type { Addresses } from '../webhooks/addresses';
import { publishedUntil } from './key-schedule';
import { isShared, policyType } from './policy';
import type { Policy, PolicyKey } from './policy';
import { issuerOf } from './policy.message';

/** What both edges show of a policy beside its own fields; of its keys only ids and times. */
export const policyDerivations: Derivations<typeof policyType, Policy, Addresses> = {
  issuer: (policy, addresses) => (isShared(policy.jwtAlg) ? null : issuerOf(policy, addresses)),
  accountIssuer: ({ accountId }, addresses) => addresses.accountUrl(accountId),
  keys: ({ keys }) =>
    keys.map((key) => ({
      kid: key.kid,
      signsFrom: key.signsFrom,
      publishedUntil: publishedUntil(keys, key),
    })),
};

/** The REST form of a policy. */
export const policyResource = declaredResource(policyType, policyDerivations);

export const pemOf = (key: PolicyKey | undefined): string | null =>
  key?.publicJwk
    ? createPublicKey({ key: key.publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
    : null;
