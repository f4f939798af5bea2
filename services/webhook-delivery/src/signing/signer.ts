import { createPrivateKey, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import { signingKeyContext } from '@itsm/shared/contracts/webhook-policies';
import type { SigningAlgorithm } from '@itsm/shared/contracts/webhook-policies';
import type { Delivery } from '../deliveries/delivery';
import { signJwt } from './jws';
import type { SealedKey, SigningPolicy, SigningPolicyRepository } from './signing-policy.repository';

interface Dependencies {
  readonly policies: SigningPolicyRepository;
  readonly sealer: Sealer;
  readonly now: Clock;
}

/** The body to post, or why the delivery is held: it is never sent unsigned when a policy applies. */
export type SignedBody =
  { readonly kind: 'ready'; readonly body: string } | { readonly kind: 'held'; readonly because: string };

/** Makes the body of one attempt: `{"jwt": …}` signed with the current key, or the plain body for a webhook without a policy. */
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

  /** Coalesces concurrent reads of the same policy; nothing is cached after the read. */
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

/** The key that signs at `now`; undefined when the policy has none. */
const currentKey = ({ keys }: SigningPolicy, now: Date): SealedKey | undefined =>
  keys.findLast(({ signsFrom }) => new Date(signsFrom) <= now);

/** Opens sealed keys, with an LRU cache of `most` keys: parsing a key takes longer than signing. */
type KeyOpener = (algorithm: SigningAlgorithm, key: SealedKey) => KeyObject;

function createKeyOpener(sealer: Sealer, most = 500): KeyOpener {
  const opened = new Map<string, KeyObject>();
  return (algorithm, { kid, sealed }) => {
    const known = opened.get(sealed);
    const key = known ?? openKey(algorithm, sealer.open(sealed, signingKeyContext(kid)));
    opened.delete(sealed);
    opened.set(sealed, key);
    const [eldest] = opened.keys();
    if (opened.size > most && eldest !== undefined) opened.delete(eldest);
    return key;
  };
}

const openKey = (algorithm: SigningAlgorithm, text: string): KeyObject =>
  algorithm.startsWith('hs') ? createSecretKey(Buffer.from(text)) : createPrivateKey(text);

interface ToBeSigned {
  /** The unsigned body, a JSON text. */
  readonly body: string;
  readonly webhookId: number;
  readonly discovery: boolean;
}

/** The claims of one attempt as a JSON text. `data` is the whole body; each attempt has its own `jti`. */
function claimsOf(policy: SigningPolicy, { body, webhookId, discovery }: ToBeSigned, now: Date): string {
  const { audience, expiresInMinutes, issuers } = policy;
  const iat = epochSeconds(now);
  const claims = {
    jti: randomBytes(32).toString('hex'),
    sub: String(webhookId),
    iss: discovery ? issuers.discovery : issuers.account,
    iat,
    nbf: iat,
    ...(audience !== null && { aud: audience }),
    ...(expiresInMinutes !== null && { exp: iat + expiresInMinutes * 60 }),
  };
  // The body is inserted as JSON text, so that parsing cannot change its numbers.
  return `{"data":${body},${JSON.stringify(claims).slice(1)}`;
}
