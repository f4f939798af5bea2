import { ApiError } from './errors';
import { messageOf, request } from './request';
import type { Request } from './request';

/** Fetches a page of a REST collection, or one resource. `path` is relative to `/v1`. */
export async function rest<T>(
  account: string,
  path: string,
  options: Partial<Omit<Request, 'account'>> = {},
): Promise<T> {
  const answer = await request(`/console/v1${path}`, {
    isRead: (options.method ?? 'GET') === 'GET',
    ...options,
    account,
  });
  const text = await answer.text();
  if (answer.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  const message = messageOf(text) ?? `The platform answered ${answer.status}.`;
  switch (answer.status) {
    case 403:
      throw new ApiError({ kind: 'not_allowed', message });
    case 404:
      throw new ApiError({ kind: 'missing', message });
    case 409:
      throw new ApiError({ kind: 'conflict', message });
    default:
      throw new ApiError({ kind: 'invalid', message, fields: fieldsOf(text) });
  }
}

function fieldsOf(text: string): Record<string, readonly string[]> {
  try {
    return (JSON.parse(text) as { readonly errors?: Record<string, readonly string[]> }).errors ?? {};
  } catch {
    return {};
  }
}
