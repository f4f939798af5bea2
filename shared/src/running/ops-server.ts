import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, register, Registry } from 'prom-client';
import type { Closable } from './app';
import type { Health } from '../observing/metrics/health';

interface OpsServer extends Closable {
  readonly port: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

/** The health of one process, or of a group of processes. */
export type ShownHealth = Pick<Health, 'phase' | 'isReady' | 'report'>;
export type ShownMetrics = Pick<Registry, 'metrics' | 'contentType'>;

/** The metrics of this process and its modules. */
export function metricsOfProcess(counted: readonly Registry[] = [register]): Registry {
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  return Registry.merge([own, ...counted]);
}

/**
 * Serves health and metrics on a separate port that clients cannot reach: `/livez` (the event loop runs), `/startupz`,
 * `/readyz` (accepts requests), each with `?verbose`, and `/metrics` for Prometheus.
 */
export async function startOpsServer(
  health: ShownHealth,
  port: number,
  host: string,
  metrics: ShownMetrics = metricsOfProcess(),
): Promise<OpsServer> {
  const yes = (is: boolean): Answer => ({ status: is ? 200 : 503, text: is ? 'ok\n' : 'not ok\n' });
  const answers: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
    '/livez': () => yes(true),
    '/startupz': () => yes(health.phase() !== 'starting'),
    '/readyz': () => yes(health.isReady()),
    '/metrics': async () => ({ status: 200, text: await metrics.metrics(), type: metrics.contentType }),
  };

  async function respond(url: string, res: ServerResponse): Promise<void> {
    const [path = '', query] = url.split('?');
    const answer = (await answers[path]?.()) ?? { status: 404, text: 'not found\n' };
    const verbose = query === 'verbose' && path.endsWith('z') ? `${health.report().join('\n')}\n` : '';
    res.writeHead(answer.status, { 'Content-Type': answer.type ?? 'text/plain; charset=utf-8' });
    res.end(verbose + answer.text);
  }

  const server = createServer((req, res) => {
    respond(req.url ?? '', res).catch(() => res.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
