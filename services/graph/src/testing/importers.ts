import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { Role } from '@itsm/shared/contracts/directory';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import supertest from 'supertest';
import { baseUrl, startGraph } from './start-graph';
import type { Options } from './start-graph';

/** The progress of an import. */
interface State {
  readonly state: string;
  readonly results: Readonly<Record<'created' | 'updated' | 'unchanged' | 'failures', number>>;
  readonly line: number;
  readonly message: string | null;
  readonly logfile: string | null;
}

/** The service on a store of its own, with callers who import. */
export async function startImporting(options: Options = {}) {
  const [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  const graph = await startGraph(mongo, keys, undefined, options);
  return {
    graph,
    keys,
    somebody: createImporters(graph.app.http, keys),
    async close() {
      await graph.stop();
      await keys.close();
      await mongo.close();
    },
  };
}

export type Importing = Awaited<ReturnType<typeof startImporting>>;

/** Callers who import, each in an account of their own; `http` is the service or its URL. */
export function createImporters(http: Parameters<typeof supertest>[0], keys: CallerKeys) {
  let accounts = 0;
  return (role: Role = 'specialist', scopes = ['*:*']) => {
    const account = `import-${(accounts += 1)}`;
    const as = (inAccount: string, inRole = role) => {
      const claims = { accounts: { [inAccount]: [inRole] }, scopes: [{ effect: 'allow' as const, actions: scopes }] };
      const headers = { Authorization: `Bearer ${keys.token(claims)}`, 'X-Service-Account': inAccount };
      const call = atPublicAddress(supertest(http), baseUrl);
      return {
        get: (path: string) => call.get(path).set(headers),
        post: (path: string) => call.post(path).set(headers),
      };
    };
    const { get, post } = as(account);
    const send = (type: string, file: string | Buffer) =>
      post('/v1/import').field('type', type).attach('file', Buffer.from(file), 'records.csv');
    const tokenIn = ({ body }: { readonly body: unknown }) => (body as { readonly token: string }).token;
    const finished = async (token: string) =>
      waitUntil(`import ${token}`, async () => {
        const { body } = (await get(`/v1/import/${token}`).expect(200)) as { body: unknown };
        const { state } = body as State;
        return state === 'done' || state === 'failed' ? (body as State) : undefined;
      });
    const run = async (type: string, file: string | Buffer) => finished(tokenIn(await send(type, file).expect(202)));
    const list = async (path: string) => (await get(path).expect(200)).body as readonly Record<string, unknown>[];
    return { account, as, get, post, send, tokenIn, finished, run, list };
  };
}
