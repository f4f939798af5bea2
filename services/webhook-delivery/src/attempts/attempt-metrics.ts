import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Lines } from './lines';
import type { Result } from '../deliveries/delivery-result.repository';
import type { HostGate } from '../hosts/host-gate';
import type { HostState } from '../hosts/host-health';

export interface Metrics {
  readonly registry: Registry;
  attempted(result: Result): void;
  lost(): void;
}

interface Sources {
  readonly registry: Registry;
  readonly gate: HostGate;
  readonly lines: Lines;
  readonly now: Clock;
}

/** Limits label cardinality: further hosts are counted but not named, since customers choose the hosts. */
const namedHosts = 20;
const states: readonly HostState[] = ['well', 'slowed', 'open', 'probing'];

/** Prometheus metrics of this process. Labels never contain an account or an address. */
export function createMetrics({ registry, gate, lines, now }: Sources): Metrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_delivery_attempts_total',
    help: 'Attempts by what became of the delivery and whose fault it was',
    labelNames: ['verdict', 'fault'],
    registers,
  });
  const seconds = new Histogram({
    name: 'webhook_delivery_attempt_seconds',
    help: 'Duration of attempts that reached the network',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const age = new Histogram({
    name: 'webhook_delivery_age_seconds',
    help: 'From the event to the successful delivery',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3_600, 36_000],
    registers,
  });
  const losses = new Counter({
    name: 'webhook_delivery_lost_attempts_total',
    help: 'Attempts whose process was not heard of again',
    registers,
  });
  new Gauge({
    name: 'webhook_delivery_oldest_due_seconds',
    help: 'How long the delivery that is due for longest has been due',
    registers,
    collect() {
      const earliest = lines.earliest() ?? Infinity;
      this.set(Math.max(0, (now().getTime() - earliest) / 1_000));
    },
  });
  new Gauge({
    name: 'webhook_delivery_calls',
    help: 'Calls on the wire',
    registers,
    collect() {
      this.set(gate.calls());
    },
  });
  new Gauge({
    name: 'webhook_delivery_hosts',
    help: 'Receiving hosts by state',
    labelNames: ['state'],
    registers,
    collect() {
      const found = [...gate.states().values()];
      for (const state of states) this.set({ state }, found.filter((other) => other === state).length);
    },
  });
  new Gauge({
    name: 'webhook_delivery_host_open',
    help: `Hosts that get no calls of an account at present, at most ${namedHosts} of them`,
    labelNames: ['host'],
    registers,
    collect() {
      this.reset();
      const open = [...gate.states()].filter(([, state]) => state === 'open');
      for (const [host] of open.slice(0, namedHosts)) this.set({ host }, 1);
    },
  });

  return {
    registry,
    attempted({ delivery, attempt, verdict, now: at }) {
      const { outcome, fault, timings } = attempt;
      attempts.inc({ verdict: verdict.kind, fault: fault ?? 'none' });
      if (timings) seconds.observe({ outcome }, timings.total / 1_000);
      if (outcome === 'delivered') age.observe((at.getTime() - delivery.requestedAt.getTime()) / 1_000);
    },
    lost: () => losses.inc(),
  };
}
