import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { mostInFlight } from '../callers/calls-in-flight';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { mostHeldBytes } from '../transport/held-bytes';

let gateway: StartedGateway;
const sockets: Socket[] = [];
beforeEach(async () => {
  gateway = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.close();
});

interface Drip {
  readonly address: string;
  readonly path: string;
  readonly headers?: string;
  /** Bytes of the body that are sent; its announced length is larger. */
  readonly bytes?: number;
}

const announced = 1024 * 1024;

/**
 * Sends a request whose body never ends, and waits until the system has taken all bytes; `answer` is the status, if
 * there is one.
 */
async function drip({ address, path, headers = '', bytes = 1 }: Drip): Promise<{ answer: () => string }> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (answer += String(chunk)));
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: ${address}\r\n${headers}`;
  await new Promise<void>((resolve) =>
    socket.write(`${head}Content-Length: ${announced}\r\n\r\n${'x'.repeat(bytes)}`, () => resolve()),
  );
  return { answer: () => answer.slice(9, 12) };
}

const fromElsewhere = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
const as = (accountId: string) => ({
  authorization: `Bearer ${gateway.auth.issue({ accounts: { [accountId]: ['specialist'] } })}`,
  'x-service-account': accountId,
});
const lines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

test('300 slow token requests take no connection to auth, and other clients do not wait', async () => {
  const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
  const dripping = await Promise.all(
    Array.from({ length: 300 }, (_none, n) =>
      drip({ address: `198.51.100.${n % 10}`, path: '/oauth/token', headers: form }),
    ),
  );
  const token = () =>
    fetch(`${gateway.url}/oauth/token`, { method: 'POST', headers: fromElsewhere, body: 'grant_type=x' });
  const neighbour = async () => [
    (await gateway.get('/oauth/sign-in', fromElsewhere)).status,
    ((await (await token()).json()) as { bytes: number }).bytes,
    (await gateway.get('/v1/requests', { ...fromElsewhere, ...as('acme') })).status,
  ];
  // The slow requests must be there first: each of the ten addresses has reached its limit.
  await waitUntil('one of the ten to be full', async () => {
    const more = await Promise.all(
      Array.from({ length: 40 }, () => drip({ address: '198.51.100.1', path: '/oauth/token' })),
    );
    await waitUntil('an answer', () => more.some(({ answer }) => answer() !== ''));
    return more.some(({ answer }) => answer() === '429');
  });
  for (let n = 0; n < 5; n += 1) expect(await neighbour()).toEqual([200, 12, 200]);
  expect(gateway.auth.askedFor('/oauth/token')).toBe(5);
  expect(dripping.every(({ answer }) => answer() === '')).toBe(true);
});

test('public bodies are buffered up to 64 KB; longer ones are streamed, and the service may refuse them', async () => {
  await drip({ address: '198.51.100.1', path: '/oauth/token', bytes: 64 * 1024 });
  const longer = await drip({ address: '198.51.100.1', path: '/oauth/profile', bytes: 64 * 1024 + 1 });
  await waitUntil('auth to be asked', () => gateway.auth.askedFor('/oauth/profile') === 1);
  expect(gateway.auth.askedFor('/oauth/token')).toBe(0);
  expect(longer.answer()).toBe('');
});

test('an account may take half of the buffer; others can still send', async () => {
  const bytes = announced - 1;
  const fit = Math.floor(mostHeldBytes / 2 / bytes);
  expect(fit).toBeLessThan(mostInFlight.account);
  const post = (accountId: string) =>
    drip({ address: '198.51.100.1', path: '/v1/requests', headers: lines(as(accountId)), bytes });
  const held: Awaited<ReturnType<typeof drip>>[] = [];
  for (let n = 0; n < fit + 1; n += 1) held.push(await post('wdc'));
  await waitUntil('a refusal', () => held.some(({ answer }) => answer() === '429'));
  expect(held.filter(({ answer }) => answer() !== '')).toHaveLength(1);
  const others = await fetch(`${gateway.url}/v1/requests`, {
    method: 'POST',
    headers: { ...fromElsewhere, ...as('acme') },
    body: 'x'.repeat(announced),
  });
  expect(await others.json()).toMatchObject({ bytes: announced });
  for (const socket of sockets.splice(0)) socket.destroy();
  await waitUntil('room again', async () => {
    const again = await fetch(`${gateway.url}/v1/requests`, {
      method: 'POST',
      headers: { ...fromElsewhere, ...as('wdc') },
      body: 'x'.repeat(announced),
    });
    return again.status === 200;
  });
});

test('GraphQL bodies count against the same buffer', async () => {
  const bytes = 200 * 1024;
  const fill = Math.floor(mostHeldBytes / 2 / (announced - 1));
  const held: Awaited<ReturnType<typeof drip>>[] = [];
  /** One that was refused, as on a busy machine, holds nothing; another takes its place. */
  const fillBuffer = async () => {
    while (held.filter(({ answer }) => answer() === '').length < fill)
      held.push(
        await drip({ address: '198.51.100.1', path: '/v1/requests', headers: lines(as('wdc')), bytes: announced - 1 }),
      );
  };
  await fillBuffer();
  const query = JSON.stringify({ query: `{ me { name } } # ${'x'.repeat(bytes)}` });
  const send = async (accountId: string) =>
    (await gateway.post(undefined, query, { ...fromElsewhere, ...as(accountId) })).status;
  expect(await send('acme')).toBe(200);
  await waitUntil('too much to be held', async () => {
    await fillBuffer();
    return (await send('wdc')) === 429;
  });
});
