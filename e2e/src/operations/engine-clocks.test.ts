import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { signIn } from '../oauth/testing/visitor';
import { createCalls } from './calls';
import { clocksCanBeTurned, createEngineClocks, engines } from './engine-clocks';
import type { Engine, EngineClocks } from './engine-clocks';
import { isAccepted } from './outages';
import { killGroups } from './process-group';
import { account, join, setScene } from './scene';
import type { Scene } from './scene';

const withServers = process.env['AMQP_URL'] !== undefined || process.env['OPERATIONS'] !== undefined;
const wrongBy = [600, -600];
const cases = engines.flatMap((engine) => wrongBy.map((seconds) => ({ engine, seconds })));

(withServers && clocksCanBeTurned ? describe : describe.skip)('an engine with a wrong clock', () => {
  const directory = mkdtempSync(joinPath(tmpdir(), 'itsm-clocks-'));
  let clocks: EngineClocks;
  let scene: Scene;

  beforeAll(async () => {
    clocks = createEngineClocks(directory);
    scene = await setScene(1, clocks);
  });
  afterAll(async () => {
    await scene?.stop();
    killGroups();
    rmSync(directory, { recursive: true, force: true });
  });

  test.each(cases)(
    '$engine by $seconds s: sign-in, calls, deliveries and revocations go on',
    async ({ engine, seconds }) => {
      const { platform, http, receiver, clients } = scene;
      const [person, leaver] = [await platform.operator.createPerson(account), await join(platform.operator, unique())];
      await waitUntil('the token', () => isAccepted(scene, leaver));
      clocks.turn(engine, seconds);
      await waitUntil('the clock to be wrong', async () => Math.abs((await skewOf(engine)) - seconds) < 60);

      expect((await signIn(http, platform.baseUrl, person)).cookie).not.toBe('');
      const joined = await join(platform.operator);
      await waitUntil('the new token', () => isAccepted(scene, joined));
      for (const credentials of [clients[0], joined]) {
        const calls = createCalls(http, platform.baseUrl, credentials);
        const changed = await calls.mutation();
        const outcomes = [changed, await calls.query(), await calls.read(), await calls.page()];
        expect(outcomes.filter(({ isOk }) => !isOk)).toEqual([]);
        await waitUntil('the delivery', () => receiver.deliveriesOf(changed.id ?? '').length > 0);
      }
      await platform.operator.call('operator.setAccountDisabled', leaver.account, true);
      expect(await isAccepted(scene, leaver)).toBe(false);

      clocks.turn(engine, 0);
      await waitUntil('the clock to be right', async () => Math.abs(await skewOf(engine)) < 60);
      expect(await isAccepted(scene, clients[0])).toBe(true);
    },
  );

  const unique = (): string => `leaver-${randomUUID().slice(0, 8)}`;

  /** As the services report it. RabbitMQ shows them no clock, so it is asked itself. */
  async function skewOf(engine: Engine): Promise<number> {
    const { services, rabbitmq } = scene.platform;
    if (engine === 'rabbitmq')
      return Number(await rabbitmq.control('eval', 'os:system_time(second).')) - Date.now() / 1_000;
    const [opsPort] = services.auth.opsPorts;
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    const [, skew] = /^clock_skew_seconds\{[^}]*peer="coordination"[^}]*\} (\S+)$/m.exec(metrics) ?? [];
    return Number(skew);
  }
});
