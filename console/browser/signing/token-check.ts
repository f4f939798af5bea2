import { formatMoment } from '../design/formats';
/** One check of a receiver; `open` when an earlier failure leaves nothing to check. */
export interface Check {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'open';
  readonly fact: string;
}

export interface Expected {
  /** As in a JWT's header: `ES256`. */
  readonly algorithm: string;
  readonly audience: string | null;
  /** The `iss` claim of webhooks with key discovery; null for a shared secret. */
  readonly policyIssuer: string | null;
  /** The `iss` claim of other webhooks. */
  readonly accountIssuer: string;
  /** The webhooks of the policy, by the number in `sub`. */
  readonly webhooks: readonly { readonly number: string; readonly name: string; readonly hasDiscovery: boolean }[];
  /** Whether these are all webhooks. */
  readonly areAllWebhooks: boolean;
  /** The keys of the JWKS, or why they are missing. */
  readonly keys: readonly JsonWebKey[] | { readonly problem: string };
  /** The shared secret, for `HS256` and its variants. */
  readonly secret: string;
}

export interface Verdict {
  readonly checks: readonly Check[];
  /** The token's claims, verified or not; undefined when it is unreadable. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
}

type Members = Readonly<Record<string, unknown>>;
interface Token {
  readonly header: Members;
  readonly claims: Members;
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

const names = ['Readable', 'Algorithm', 'Key', 'Signature', 'Issuer', 'Audience', 'Time', 'Webhook'] as const;
const tolerance = 60;
const passed = (name: string, fact: string): Check => ({ name, state: 'passed', fact });
const failed = (name: string, fact: string): Check => ({ name, state: 'failed', fact });
const open = (name: string, fact: string): Check => ({ name, state: 'open', fact });

/** Runs the checks of a receiver in order; nothing leaves the browser. `text` is a JWT or the body of a delivery. */
export async function checkToken(text: string, expected: Expected, now: Date): Promise<Verdict> {
  const token = read(text);
  if (typeof token === 'string')
    return {
      checks: [failed('Readable', token), ...names.slice(1).map((name) => open(name, 'Nothing to check.'))],
      claims: undefined,
    };
  const algorithm = checkAlgorithm(token, expected);
  const [key, material] = findKey(token, expected);
  const signature =
    algorithm.state === 'failed' || material === undefined
      ? open('Signature', 'Cannot be verified without the right algorithm and key.')
      : await checkSignature(token, expected.algorithm, material);
  const checks = [
    passed('Readable', 'Three base64url parts, two of them JSON.'),
    algorithm,
    key,
    signature,
    checkIssuer(token, expected),
    checkAudience(token, expected),
    checkTimes(token, now),
    checkWebhook(token, expected),
  ];
  return { checks, claims: token.claims };
}

const decode = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** Parses the token; returns an error message when it is malformed. */
function read(text: string): Token | string {
  const parts = unwrap(text.trim()).split('.');
  const [header = '', claims = '', signature = ''] = parts;
  if (parts.length !== 3) return `A JWT has three parts separated by dots; this has ${parts.length}.`;
  try {
    return {
      header: JSON.parse(new TextDecoder().decode(decode(header))) as Members,
      claims: JSON.parse(new TextDecoder().decode(decode(claims))) as Members,
      signed: new TextEncoder().encode(`${header}.${claims}`),
      signature: decode(signature),
    };
  } catch {
    return 'A part is not base64url or not JSON: it was cut off, or changed in transit.';
  }
}

/** Unwraps the body of a signed delivery, `{"jwt": "…"}`. */
function unwrap(text: string): string {
  try {
    const body = JSON.parse(text) as { readonly jwt?: unknown };
    return typeof body.jwt === 'string' ? body.jwt : text;
  } catch {
    return text;
  }
}

/** A claim or header member as text. */
const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);

function checkAlgorithm({ header }: Token, { algorithm }: Expected): Check {
  if (header['alg'] === algorithm) return passed('Algorithm', `${algorithm}, as the policy says.`);
  return failed('Algorithm', `It is ${shown(header['alg'])}; the policy signs only with ${algorithm}.`);
}

type Material = { readonly jwk: JsonWebKey } | { readonly secret: string };

function findKey({ header }: Token, { algorithm, keys, secret }: Expected): [Check, Material | undefined] {
  const kid = header['kid'];
  if (algorithm.startsWith('HS')) {
    if (secret === '') return [open('Key', 'Enter the shared secret to verify the signature.'), undefined];
    return [passed('Key', 'The shared secret that you entered.'), { secret }];
  }
  if ('problem' in keys) return [failed('Key', keys.problem), undefined];
  const jwk = keys.find((each) => (each as { readonly kid?: unknown }).kid === kid);
  if (jwk) return [passed('Key', `${shown(kid)} is published.`), { jwk }];
  return [
    failed(
      'Key',
      `${shown(kid)} is not among the ${keys.length} published keys: it belongs to another policy, or has expired.`,
    ),
    undefined,
  ];
}

async function checkSignature({ signed, signature }: Token, algorithm: string, material: Material): Promise<Check> {
  const hash = `SHA-${algorithm.slice(2)}`;
  const kind = algorithm.slice(0, 2);
  const curve = { '256': 'P-256', '384': 'P-384', '512': 'P-521' }[algorithm.slice(2)] ?? '';
  const parameters = {
    ES: { name: 'ECDSA', namedCurve: curve, hash },
    RS: { name: 'RSASSA-PKCS1-v1_5', hash },
    HS: { name: 'HMAC', hash },
  }[kind];
  if (!parameters) return failed('Signature', `This browser cannot verify ${algorithm}.`);
  try {
    const key =
      'jwk' in material
        ? await crypto.subtle.importKey('jwk', material.jwk, parameters, false, ['verify'])
        : await crypto.subtle.importKey('raw', new TextEncoder().encode(material.secret), parameters, false, [
            'verify',
          ]);
    if (await crypto.subtle.verify(parameters, key, signature, signed))
      return passed('Signature', 'Made with this key, and the text is unchanged.');
    return failed(
      'Signature',
      'secret' in material
        ? 'Made with another secret, or the text was changed in transit.'
        : 'Made with another key, or the text was changed in transit.',
    );
  } catch {
    return failed('Signature', 'The key does not match the algorithm.');
  }
}

function checkIssuer({ claims: { iss, sub } }: Token, { policyIssuer, accountIssuer, webhooks }: Expected): Check {
  const webhook = webhooks.find(({ number }) => number === sub);
  const good = [
    ...(policyIssuer !== null && webhook?.hasDiscovery !== false ? [policyIssuer] : []),
    ...(policyIssuer === null || webhook?.hasDiscovery !== true ? [accountIssuer] : []),
  ];
  if (good.some((each) => each === iss)) return passed('Issuer', `${shown(iss)}.`);
  return failed('Issuer', `It is ${shown(iss)}; a receiver expects ${good.join(' or ')}.`);
}

function checkAudience({ claims: { aud } }: Token, { audience }: Expected): Check {
  if (audience === null)
    return aud === undefined
      ? passed('Audience', 'None, as the policy says.')
      : failed('Audience', `It is for ${shown(aud)}; the policy sets none.`);
  if (aud === audience || (Array.isArray(aud) && aud.includes(audience))) return passed('Audience', `${audience}.`);
  return failed('Audience', `It is for ${shown(aud)}; the policy sets ${audience}.`);
}

const moment = (seconds: number): string => formatMoment(seconds * 1_000, 'moment');

function checkTimes({ claims: { nbf, exp, iat } }: Token, now: Date): Check {
  const seconds = now.getTime() / 1_000;
  if (typeof nbf === 'number' && nbf > seconds + tolerance)
    return failed('Time', `Not valid before ${moment(nbf)}, which is in the future: one of the clocks is wrong.`);
  if (typeof exp === 'number' && exp < seconds - tolerance)
    return failed(
      'Time',
      `It expired ${moment(exp)}. That is normal for an older delivery: each attempt is signed separately.`,
    );
  const signedAt = typeof iat === 'number' ? `Signed ${moment(iat)}` : 'It does not say when it was signed';
  return passed('Time', `${signedAt}, ${typeof exp === 'number' ? `valid until ${moment(exp)}` : 'without expiry'}.`);
}

function checkWebhook({ claims: { sub } }: Token, { webhooks, areAllWebhooks }: Expected): Check {
  const webhook = webhooks.find(({ number }) => number === sub);
  if (webhook) return passed('Webhook', `${webhook.name}, number ${webhook.number}.`);
  if (!areAllWebhooks)
    return open('Webhook', `It is for webhook ${shown(sub)}; not all webhooks of the policy are loaded.`);
  return failed('Webhook', `It is for webhook ${shown(sub)}, which does not use this policy.`);
}
