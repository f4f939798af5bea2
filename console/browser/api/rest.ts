import { ApiError } from './errors';
import type { Failure, Refusal } from './errors';
import { messageOf, request } from './request';
import type { Request } from './request';

type Options = Partial<Omit<Request, 'account'>>;

/** A resource with the tag of its state (`ETag`), for writes that must not overwrite what others have changed. */
export interface Tagged<T> {
  readonly data: T;
  readonly tag: string | undefined;
}

/** Fetches a page of a REST collection, or one resource. `path` is relative to `/v1`. */
export const rest = async <T>(account: string, path: string, options: Options = {}): Promise<T> =>
  (await restTagged<T>(account, path, options)).data;

/** As `rest`, with the tag of the answer. */
export async function restTagged<T>(account: string, path: string, options: Options = {}): Promise<Tagged<T>> {
  const answer = await request(`/console/v1${path}`, {
    isRead: (options.method ?? 'GET') === 'GET',
    ...options,
    account,
  });
  const text = await answer.text();
  if (!answer.ok) throw new ApiError(failureIn(answer.status, text));
  return {
    data: (text === '' ? undefined : JSON.parse(text)) as T,
    tag: answer.headers.get('etag') ?? undefined,
  };
}

/** A page of a list, and the path of the next one. */
export interface RestPage<T> {
  readonly data: readonly T[];
  readonly next: string | undefined;
}

/** Fetches a page of a list that goes on at `rel="next"` of its `Link` header. */
export async function restPage<T>(account: string, path: string, signal: AbortSignal): Promise<RestPage<T>> {
  const answer = await request(`/console/v1${path}`, { isRead: true, account, signal });
  const text = await answer.text();
  if (!answer.ok) throw new ApiError(failureIn(answer.status, text));
  const [, next] = /<([^>]*)>;\s*rel="?next"?/.exec(answer.headers.get('link') ?? '') ?? [];
  return {
    data: JSON.parse(text) as readonly T[],
    // It is at the address of the API; the console's own server has the same path.
    next: next === undefined ? undefined : `${path.split('?')[0]}${new URL(next).search}`,
  };
}

function failureIn(status: number, text: string): Failure {
  const message = messageOf(text) ?? `The platform answered ${status}.`;
  switch (status) {
    case 403:
      return { kind: 'not_allowed', message };
    case 404:
      return { kind: 'missing', message };
    case 409:
      return { kind: 'conflict', message };
    case 412:
      return { kind: 'stale', message: 'Somebody else has changed this since. Nothing was written.' };
    default:
      return { kind: 'invalid', message, refusals: refusalsIn(text) };
  }
}

/** `errors` of a 422: pairs of a member and a sentence. */
function refusalsIn(text: string): readonly Refusal[] {
  try {
    const { errors = [] } = JSON.parse(text) as { readonly errors?: readonly (readonly [string, string])[] };
    return errors.map(([member, message]) => ({ path: [member], message }));
  } catch {
    return [];
  }
}
