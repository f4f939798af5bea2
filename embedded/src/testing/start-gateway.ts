import { createApp as createGateway } from '@itsm/gateway/app';
import type { Closable } from '@itsm/shared/running/app';
import { listen } from '@itsm/shared/running/listen';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import type { Platform } from '../platform';

export interface StartedGateway extends Closable {
  readonly url: string;
  /** Sends an operation in the account `wdc`. */
  send(token: string, query: string, variables?: object, more?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends an operation in the account `wdc`, and returns the text of the response. */
  ask(token: string, query: string): Promise<string>;
  get(token: string, path: string, accept: string): Promise<Response>;
}

/**
 * Starts another gateway in front of the services of the platform. Each call advances its clock by an hour, so that no
 * rate limit window is used up.
 */
export async function startGateway(
  { gateway: config }: Platform,
  chosen: 'compiled' | 'apollo',
): Promise<StartedGateway> {
  let hours = 0;
  const now = () => new Date(Date.now() + hours * 3_600_000);
  const app = createGateway({
    config: { ...config, executors: { chosen, shadowRatio: 0 } },
    coordination: createMemoryCoordination({ now }),
    sharedRevisions: false,
    logger: silentLogger,
    now,
  });
  await app.start();
  await app.ready();
  const listening = await listen(app, 0, '127.0.0.1');
  const url = `http://127.0.0.1:${listening.port}`;
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'x-service-account': 'wdc' });
  const send: StartedGateway['send'] = (token, query, variables, more) => {
    hours += 1;
    const headers = { ...headersOf(token), 'content-type': 'application/json', ...more };
    return fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  };
  return {
    url,
    send,
    ask: async (token, query) => (await send(token, query)).text(),
    get(token, path, accept) {
      hours += 1;
      return fetch(url + path, { headers: { ...headersOf(token), accept } });
    },
    async close() {
      await listening.close();
      await app.stop();
    },
  };
}
