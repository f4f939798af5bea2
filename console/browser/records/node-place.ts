import { kinds } from './kinds';
import type { Kind } from './kinds';

/** The record of a GraphQL id; undefined for other texts. */
export function placeOf(text: string): { readonly kind: Kind; readonly number: string } | undefined {
  if (!/^[\w-]{16,}$/.test(text)) return undefined;
  try {
    const [, type, number] = /\/(\w+)\/(\d+)$/.exec(atob(text.replaceAll('-', '+').replaceAll('_', '/'))) ?? [];
    const kind = kinds.find((each) => each.type === type);
    return kind && number !== undefined ? { kind, number } : undefined;
  } catch {
    return undefined;
  }
}
