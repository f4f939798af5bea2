import { randomBytes } from 'node:crypto';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createHttpClient } from '../oauth/testing/http-client';
import type { HttpClient } from '../oauth/testing/http-client';
import { secretsIn } from '../oauth/testing/leaks';
import type { Operator } from '../oauth/testing/operator';
import { headersOf, postGraphql } from './calls';
import type { Credentials } from './calls';
import type { EngineClocks } from './engine-clocks';
import { startPlatform } from './platform';
import type { Platform } from './platform';
import { startReceiver } from './receiver';
import type { Receiver } from './receiver';

export const account = 'wdc';

/** A running platform: people with tokens, and a receiver of every created request. */
export interface Scene {
  readonly platform: Platform;
  readonly http: HttpClient;
  readonly clients: readonly [Credentials, ...Credentials[]];
  readonly receiver: Receiver;
  /** All secrets that were seen or created so far. */
  readonly secrets: Set<string>;
  stop(): Promise<readonly (number | null)[]>;
}

/**
 * Creates a person in an account, which is created if needed; a separate account can be disabled without affecting
 * others.
 */
export async function join(operator: Operator, to = account): Promise<Credentials> {
  await operator.ensureAccount(to);
  const { token } = await operator.createPersonalToken(await operator.createPerson(to));
  return { token, account: to };
}

const canary = (): string => randomBytes(16).toString('hex');

export async function setScene(replicas: number, clocks?: EngineClocks): Promise<Scene> {
  const platform = await startPlatform(replicas, clocks);
  const secrets = new Set(platform.secrets);
  const http = createHttpClient(8, (answer) => secretsIn(answer).forEach((secret) => secrets.add(secret)));
  const { operator, baseUrl } = platform;
  const first = await join(operator);
  const clients: [Credentials, ...Credentials[]] = [
    first,
    await join(operator),
    await join(operator),
    await join(operator),
  ];
  const [password, key] = [canary(), canary()];
  const receiver = await startReceiver(`hook:${password}`, key);
  for (const secret of [password, key, Buffer.from(`hook:${password}`).toString('base64')]) secrets.add(secret);
  await waitUntil('the graph to know the people', async () =>
    (await postGraphql(http, baseUrl, first, '{ requests(first: 1) { nodes { id } } }')).text.includes('"nodes"'),
  );
  await register(http, baseUrl, first, receiver, secrets);
  return {
    platform,
    http,
    clients,
    receiver,
    secrets,
    async stop() {
      http.close();
      receiver.close();
      return platform.stop();
    },
  };
}

/** Registers the receiver for every created request. */
export async function register(
  http: HttpClient,
  baseUrl: string,
  credentials: Credentials,
  receiver: Receiver,
  secrets = new Set<string>(),
): Promise<void> {
  const body = JSON.stringify({ event: 'request.create', uri: receiver.uri });
  const headers = { ...headersOf(credentials), 'Content-Type': 'application/json' };
  const answer = await http.call(`${baseUrl}/v1/webhooks`, { method: 'POST', headers, body });
  if (answer.status !== 201) throw new Error(`Registering answered ${answer.status} ${answer.text}`);
  const callback = await waitUntil('the verification', () => receiver.callback());
  const code = new URL(callback).searchParams.get('code');
  if (code !== null) secrets.add(code);
  const verified = await http.call(callback);
  if (verified.status !== 200) throw new Error(`The callback answered ${verified.status} ${verified.text}`);
}
