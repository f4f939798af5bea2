import { startCluster } from './testing/cluster';
import type { Cluster } from './testing/cluster';
import { createRandom } from './testing/random';
import { createCauses } from './testing/revocation-causes';
import { runRevocations } from './testing/revocation-run';
import { createTenants } from './testing/tenant';
import type { Tenant } from './testing/tenant';
import { createHttpClient } from './testing/http-client';
import type { Answer, HttpClient } from './testing/http-client';
import { findLeaks, secretsIn } from './testing/leaks';
import { signIn } from './testing/visitor';
import { askMe, errorIn, pairIn, redeem, refresh } from './testing/tokens';

const withServers = process.env['MONGODB_URL'] !== undefined ? describe : describe.skip;

/** Each takes less than a minute on two idle cores, and several times that on busy ones. */

/** RACES=short runs an eighth of the rounds, for the checks before a merge. */
const [rounds, actions] = process.env['RACES'] === 'short' ? [25, 1_250] : [200, 10_000];
const callers = 50;

withServers('two processes of auth and three gateways on one store', () => {
  let cluster: Cluster;
  let http: HttpClient;
  const issued = new Set<string>();
  beforeAll(async () => {
    http = createHttpClient(callers, (answer) => secretsIn(answer).forEach((secret) => issued.add(secret)));
    cluster = await startCluster({ auth: 2, gateways: 3 });
  });
  afterAll(async () => {
    http.close();
    await cluster.stop();
  });

  /** Calls `act` concurrently `callers` times, round-robin over the processes of auth. */
  const atOnce = (act: (origin: string) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: callers }, (_, index) => act(cluster.auth[index % 2] ?? '')));

  async function person() {
    const accountId = `races-${Math.random().toString(36).slice(2, 8)}`;
    await cluster.operator.ensureAccount(accountId);
    const ellen = await cluster.operator.createPerson(accountId);
    const application = await cluster.operator.createApplication(accountId);
    return { accountId, application, visitor: await signIn(http, cluster.gateways[0] ?? '', ellen) };
  }

  test('50 concurrent redemptions of one code: one succeeds, and then none of its tokens works; many rounds', async () => {
    const { accountId, application, visitor } = await person();
    for (let round = 0; round < rounds; round += 1) {
      const code = await visitor.authorize(application);
      const answers = await atOnce((origin) => redeem(http, origin, application, code));
      const won = answers.filter(({ status }) => status === 200);
      const lost = answers.filter((answer) => answer.status === 400 && errorIn(answer) === 'invalid_grant');
      expect([round, won.length, lost.length]).toEqual([round, 1, callers - 1]);
      const pair = pairIn(won[0] as Answer);
      const gateway = cluster.gateways[round % 3] ?? '';
      expect((await askMe(http, gateway, pair.access_token, accountId)).status).toBe(401);
      const refused = await refresh(http, cluster.auth[round % 2] ?? '', application, pair.refresh_token);
      expect([refused.status, errorIn(refused)]).toEqual([400, 'invalid_grant']);
    }
  });

  test('50 concurrent refreshes with one token: all get the same pair, and it works; many rounds', async () => {
    const { accountId, application, visitor } = await person();
    const code = await visitor.authorize(application);
    let pair = pairIn(await redeem(http, cluster.auth[0] ?? '', application, code));
    for (let round = 0; round < rounds; round += 1) {
      const answers = await atOnce((origin) => refresh(http, origin, application, pair.refresh_token));
      const different = new Set(answers.map(({ status, text }) => `${status} ${text}`));
      expect([round, different.size, answers[0]?.status]).toEqual([round, 1, 200]);
      pair = pairIn(answers[0] as Answer);
    }
    expect((await askMe(http, cluster.gateways[1] ?? '', pair.access_token, accountId)).status).toBe(200);
  });

  test('8 workers use and revoke thousands of times: no call sent after a revocation returned is accepted', async () => {
    const { gateways, auth, operator } = cluster;
    const tenants = createTenants(http, operator, gateways[0] ?? '', auth[0] ?? '');
    const all: Tenant[] = [];
    for (let index = 0; index < 8; index += 1) all.push(await tenants.create(4));
    const causes = createCauses({ http, operator, tenants, auth: auth[0] ?? '' });
    const seed = Math.floor(Math.random() * 2 ** 31);
    const tally = await runRevocations(
      { http, gateways, tenants, all, causes, random: createRandom(seed) },
      8,
      actions,
    );
    process.stderr.write(`seed ${seed}: ${JSON.stringify(tally)}\n`);
    expect(tally).toMatchObject({ violations: [], faults: [] });
    expect(Object.keys(tally.causes).sort()).toEqual(Object.keys(causes).sort());
    expect(tally.ofRevoked).toBeGreaterThan(actions / 10);
  });

  test('a gateway that was frozen during a revocation refuses the token when it continues', async () => {
    const { gateways, auth, operator } = cluster;
    const tenants = createTenants(http, operator, gateways[0] ?? '', auth[0] ?? '');
    const tenant = await tenants.create(2);
    const revoke = createCauses({ http, operator, tenants, auth: auth[0] ?? '' })[
      'the person revokes it on the profile page'
    ];
    for (const holding of tenant.holdings) {
      const use = () => askMe(http, gateways[2] ?? '', holding.token, tenant.accountId);
      // The second use is answered from the gateway's cache.
      expect([(await use()).status, (await use()).status]).toEqual([200, 200]);
      cluster.signalGateway(2, 'SIGSTOP');
      try {
        await revoke.act(tenant, holding);
        const answer = use();
        cluster.signalGateway(2, 'SIGCONT');
        expect((await answer).status).toBe(401);
      } finally {
        cluster.signalGateway(2, 'SIGCONT');
      }
    }
  });

  test('no document of the store and no line of a process contains a token, a code, a secret, a session id or a password', async () => {
    const { operator } = cluster;
    const output = cluster.output();
    const [knownAccount = ''] = operator.accounts;
    const store = await cluster.textOfStore();
    // Proves that the search covers the right data: the store has the people, and all processes have written logs.
    expect(findLeaks([knownAccount], store)).toHaveLength(1);
    expect(output.match(/"message":"listening"/g)).toHaveLength(9);
    for (const kind of ['at', 'rt', 'ac', 'pat', 'cs']) {
      const ofKind = [...issued, ...operator.secrets].filter((secret) => secret.startsWith(`itsm_${kind}_`));
      expect([kind, ofKind.length > 10]).toEqual([kind, true]);
    }
    const secrets = [...issued, ...operator.secrets, cluster.introspectionSecret];
    expect(findLeaks(secrets, `${store}\n${output}`)).toEqual([]);
  });
});
