import { noteBudget, withinLimit } from './budget';
import { config } from './config';
import { ApiError } from './errors';
import { renewSession } from './renewal';

let newestBuild = config.build;
const buildListeners = new Set<() => void>();

/** Whether an answer came from another release than this page. */
export const hasNewerBuild = (): boolean => newestBuild !== config.build;
export function onNewerBuild(listener: () => void): () => void {
  buildListeners.add(listener);
  return () => buildListeners.delete(listener);
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The account of the call; undefined for the person's own. */
  readonly account: string | undefined;
  readonly body?: unknown;
  /** Further headers; the console's own take precedence. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A read is retried after the session was renewed; a write never is. */
  readonly isRead: boolean;
  /** Sent though the page goes away; of a short body only. */
  readonly keepalive?: boolean;
  readonly signal?: AbortSignal;
}

/** One call of the console's own server. Throws `ApiError` for 401, 403, 429 and 5xx; other answers are returned. */
export async function request(path: string, options: Request): Promise<Response> {
  const answer = await call(path, options);
  if (answer.status !== 401) return answer;
  if (!(await renewSession(options.account))) throw new ApiError({ kind: 'signed_out' });
  if (!options.isRead)
    throw new ApiError({
      kind: 'conflict',
      message: 'Your session was renewed. Nothing was changed: try again.',
    });
  const again = await call(path, options);
  if (again.status === 401) throw new ApiError({ kind: 'signed_out' });
  return again;
}

async function call(
  path: string,
  { method = 'GET', account, body, headers, keepalive, signal }: Request,
): Promise<Response> {
  return sendWithin(
    () =>
      fetch(path, {
        method,
        headers: {
          ...headers,
          'X-Console': account ?? '-',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        body: JSON.stringify(body),
        keepalive,
        signal,
      }),
    signal,
  );
}

/** Sends a call as soon as the person's limits have room for it. Throws `ApiError` for 429, 5xx and no answer. */
export async function sendWithin(send: () => Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  const noted = async (): Promise<Response> => {
    const answer = await send();
    noteBudget(answer.headers);
    return answer;
  };
  const answer = await withinLimit(noted, signal).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiError({ kind: 'broken', message: 'The platform is unreachable.', requestId: undefined });
  });
  noteBuild(answer.headers.get('x-console-build'));
  if (answer.status === 429) throw new ApiError(await tooFast(answer));
  if (answer.status >= 500) throw new ApiError(await broken(answer));
  return answer;
}

function noteBuild(build: string | null): void {
  if (build === null || build === newestBuild) return;
  newestBuild = build;
  for (const listener of buildListeners) listener();
}

const plainly = 'Too Many Requests';

async function tooFast(answer: Response): Promise<ApiError['failure']> {
  const text = await answer.text();
  const said = messageOf(text) ?? plainly;
  // The bare name of the status would not help a person.
  const message = said === plainly ? 'Too many requests.' : said;
  return { kind: 'too_fast', seconds: Number(answer.headers.get('retry-after') ?? 2), message };
}

const broken = async (answer: Response): Promise<ApiError['failure']> => ({
  kind: 'broken',
  message: await brokenBecause(answer),
  requestId: answer.headers.get('x-request-id') ?? undefined,
});

const somethingWrong = 'Something went wrong.';

/** A full disk (507) is the only failure of which the platform itself says what to do. */
async function brokenBecause(answer: Response): Promise<string> {
  if (answer.status === 507) return messageOf(await answer.text()) ?? somethingWrong;
  return answer.status === 503 ? 'The platform is busy or starting.' : somethingWrong;
}

/** The message of a refusal, in GraphQL or in REST. */
export function messageOf(text: string): string | undefined {
  try {
    const answer = JSON.parse(text) as {
      readonly message?: string;
      readonly errors?: readonly { readonly message?: string }[];
    };
    return answer.message ?? answer.errors?.[0]?.message;
  } catch {
    return undefined;
  }
}
