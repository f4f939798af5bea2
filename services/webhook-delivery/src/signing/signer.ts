import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Delivery } from '../deliveries/delivery';
import { claimsOf } from './claims';
import { signJwt } from './jws';
import { createKeyOpener } from './signing-keys';
import { currentKey } from './signing-policy';
import type { SigningPolicy } from './signing-policy';
import type { SigningPolicyRepository } from './signing-policy.repository';

interface Dependencies {
  readonly policies: SigningPolicyRepository;
  readonly sealer: Sealer;
  readonly now: Clock;
}

/** The body to post, or why there is none: what is to be signed is never sent unsigned. */
export type SignedBody =
  { readonly kind: 'ready'; readonly body: string } | { readonly kind: 'held'; readonly because: string };

/** Makes the body of one attempt: `{"jwt": …}` under the key that is current now, or the plain body of a webhook without a policy. */
export type Signer = (
  delivery: Pick<Delivery, 'accountId' | 'webhookId'>,
  request: SealedRequest,
) => Promise<SignedBody>;

const reasons = {
  unknown: 'The webhook policy is not known',
  disabled: 'The webhook policy is disabled',
  deleted: 'The webhook policy was deleted',
  keyless: 'The webhook policy has no key',
} as const;

export function createSigner({ policies, sealer, now }: Dependencies): Signer {
  const open = createKeyOpener(sealer);
  const asked = new Map<string, Promise<SigningPolicy | undefined>>();

  /** Attempts that come while the store is asked for the same policy share its answer; it is never kept longer. */
  function policyOf(accountId: string, id: number): Promise<SigningPolicy | undefined> {
    const key = `${id} ${accountId}`;
    const known = asked.get(key);
    if (known) return known;
    const asking = policies.find(accountId, id).finally(() => asked.delete(key));
    asked.set(key, asking);
    return asking;
  }

  const held = (reason: keyof typeof reasons): SignedBody => ({ kind: 'held', because: reasons[reason] });

  return async ({ accountId, webhookId }, { body, signing }) => {
    if (!signing) return { kind: 'ready', body };
    const policy = await policyOf(accountId, signing.policyId);
    if (!policy) return held('unknown');
    if (policy.state !== 'enabled') return held(policy.state);
    const at = now();
    const sealed = currentKey(policy, at);
    if (!sealed) return held('keyless');
    const { algorithm } = policy;
    const claims = claimsOf(policy, { body, webhookId, discovery: signing.discovery }, at);
    const jwt = await signJwt({ algorithm, kid: sealed.kid, key: open(algorithm, sealed) }, claims);
    return { kind: 'ready', body: JSON.stringify({ jwt }) };
  };
}
