import type { Server } from 'node:http';
import { requestDuration } from '../observing/metrics/metrics';

/** Times every request of `server`, to the end of its answer. */
export function measureRequests(server: Server, service: string): void {
  server.prependListener('request', ({ method = 'GET' }, res) => {
    const started = performance.now();
    res.once('close', () => {
      const status = res.headersSent ? String(res.statusCode) : 'cut';
      requestDuration.observe({ service, method, status }, (performance.now() - started) / 1000);
    });
  });
}
