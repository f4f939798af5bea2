import type { HttpClient } from './http-client';
import type { Random } from './random';
import { causeWeights } from './revocation-causes';
import type { Cause, CauseName } from './revocation-causes';
import type { Holding, Tenant, Tenants } from './tenant';
import { askMe, listWebhooks } from './tokens';

export interface Tally {
  uses: number;
  ofRevoked: number;
  throttled: number;
  revocations: number;
  readonly causes: Record<string, number>;
  /** Accepted although sent after the revocation had returned. */
  readonly violations: string[];
  /** Refused although no revocation had begun, or answered with an internal error. */
  readonly faults: string[];
}

interface Run {
  readonly http: HttpClient;
  readonly gateways: readonly string[];
  readonly tenants: Tenants;
  readonly all: readonly Tenant[];
  readonly causes: Readonly<Record<CauseName, Cause>>;
  readonly random: Random;
}

/** `workers` use and revoke tokens at random, over all gateways, until `actions` were done. */
export async function runRevocations(run: Run, workers: number, actions: number): Promise<Tally> {
  const { http, gateways, tenants, all, causes, random } = run;
  const tally: Tally = {
    uses: 0,
    ofRevoked: 0,
    throttled: 0,
    revocations: 0,
    causes: {},
    violations: [],
    faults: [],
  };

  async function use(holding: Holding, gateway: string): Promise<void> {
    tally.uses += 1;
    const before = holding.state;
    const call = random.next() < 0.5 ? askMe : listWebhooks;
    const { status } = await call(http, gateway, holding.token, holding.accountId);
    const seen = `${call.name} ${holding.kind}: ${status}, ${before} when sent, ${holding.state} when answered because ${holding.because ?? 'of nothing'}`;
    if (status === 429) tally.throttled += 1;
    if (before === 'revoked') {
      tally.ofRevoked += 1;
      if (status !== 401) tally.violations.push(seen);
    } else if (![200, 429].includes(status) && !(status === 401 && holding.state !== 'live')) tally.faults.push(seen);
  }

  /** A cause that was not drawn yet, so that even a short run covers all. */
  const firstTime = ({ kind }: Holding): CauseName | undefined =>
    (Object.keys(causes) as CauseName[]).find(
      (name) => tally.causes[name] === undefined && causes[name].of.includes(kind),
    );

  async function revoke(tenant: Tenant): Promise<void> {
    const chosen = random.pick(tenant.holdings.filter(({ state }) => state === 'live'));
    const name = firstTime(chosen) ?? random.weighted(causeWeights);
    const cause = causes[name];
    if (!cause.of.includes(chosen.kind)) return;
    tally.revocations += 1;
    tally.causes[name] = (tally.causes[name] ?? 0) + 1;
    const ended = tenant.holdings.filter((other) => other.state === 'live' && cause.ends(chosen, other));
    for (const holding of ended) Object.assign(holding, { state: 'being revoked', because: name });
    await cause.act(tenant, chosen);
    for (const holding of ended) holding.state = 'revoked';
    // All replicas, at the moment when the caller has the answer.
    await Promise.all(gateways.map((gateway) => use(chosen, gateway)));
    await cause.repair?.(tenant, chosen);
  }

  async function change(tenant: Tenant): Promise<void> {
    tenant.isBusy = true;
    try {
      if (tenant.holdings.filter(({ state }) => state === 'revoked').length > 3) await tenants.replenish(tenant);
      await revoke(tenant);
    } finally {
      tenant.isBusy = false;
    }
  }

  async function work(): Promise<void> {
    while (tally.uses + tally.revocations < actions) {
      const tenant = random.pick(all);
      if (random.next() < 0.1 && !tenant.isBusy) await change(tenant);
      else await use(random.pick(tenant.holdings), random.pick(gateways));
    }
  }

  await Promise.all(Array.from({ length: workers }, work));
  return tally;
}
