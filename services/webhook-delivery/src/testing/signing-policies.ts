import { createSecretKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { DeliveryRequested } from '@itsm/shared/contracts/deliveries';
import { policySaved, signingKeyContext } from '@itsm/shared/contracts/webhook-policies';
import type { PolicySaved, SigningAlgorithm } from '@itsm/shared/contracts/webhook-policies';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { body, deliveryKey, link } from './platform';
import type { Service } from './platform';

const sealer = createSealer([deliveryKey]);
const curves: Readonly<Record<string, string>> = { es256: 'P-256', es384: 'P-384', es512: 'P-521' };

export interface TestKey {
  readonly kid: string;
  readonly sealed: string;
  /** The plain text of the sealed key. */
  readonly text: string;
  /** The receiver's verification key. */
  readonly verifier: KeyObject;
}

/** Makes a key as the webhooks service does. */
export function newKey(algorithm: SigningAlgorithm): TestKey {
  const kid = randomUUID();
  const [text, verifier] = algorithm.startsWith('hs') ? newSecret() : newPair(curves[algorithm]);
  return { kid, text, verifier, sealed: sealer.seal(text, signingKeyContext(kid)) };
}

function newSecret(): [string, KeyObject] {
  const text = randomBytes(64).toString('base64url');
  return [text, createSecretKey(Buffer.from(text))];
}

function newPair(namedCurve: string | undefined): [string, KeyObject] {
  const { privateKey, publicKey } =
    namedCurve === undefined
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve });
  return [privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicKey];
}

export const issuers = { account: 'https://wdc.example', discovery: 'https://wdc.example/webhook_policies/p' };

/** Publishes a policy to the service; `signsFrom` of its keys is relative to now. */
export async function savePolicy(
  service: Service,
  keys: readonly (readonly [key: TestKey, signsFrom: number])[],
  more: Partial<PolicySaved> = {},
): Promise<PolicySaved> {
  const policy: PolicySaved = {
    id: 3,
    accountId: 'wdc',
    state: 'enabled',
    algorithm: 'es256',
    audience: null,
    expiresInMinutes: null,
    issuers,
    keys: keys.map(([{ kid, sealed }, from]) => {
      return { kid, sealed, signsFrom: new Date(service.now().getTime() + from).toISOString() };
    }),
    version: 1,
    ...more,
  };
  await service.broker.publish(policySaved, policy, `${policy.id}.${policy.version}`);
  return policy;
}

/** Requests a delivery signed by policy 3. */
export function requestSigned(
  service: Service,
  uri: string,
  discovery = false,
  text = body,
): Promise<DeliveryRequested> {
  const deliveryId = randomUUID();
  const signing = { policyId: 3, discovery };
  return service.request(uri, {
    deliveryId,
    sealed: sealer.seal(JSON.stringify({ uri, body: text, link, signing }), deliveryId),
  });
}
