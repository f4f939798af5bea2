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

/** The key that signs at this moment; undefined when the policy has none left. */
const currentKey = ({ keys }: SigningPolicy, now: Date): SealedKey | undefined =>
  keys.findLast(({ signsFrom }) => new Date(signsFrom) <= now);

/** Opens sealed keys; the opened ones are kept, the most recently used `most` of them, because reading a key takes longer than signing. */
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

/** The claims of one attempt as a JSON text: `data` is the whole body, every attempt has a `jti` of its own. */
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
  // The body is JSON already: it goes in as it is, digit by digit.
  return `{"data":${body},${JSON.stringify(claims).slice(1)}`;
}
