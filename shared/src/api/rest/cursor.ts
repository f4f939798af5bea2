import { badRequest } from '../../base/errors/app-error';
import type { OrderStep } from './order';
import type { SortValue } from './resource';

/** A position in a sorted collection, and the number of the page that starts or ends there. */
export interface Cursor {
  readonly key: readonly SortValue[];
  readonly page: number;
}

const orderText = (order: readonly OrderStep[]): string =>
  order.map(({ field, descending }) => (descending ? `-${field}` : field)).join(',');

/** Opaque, and free of `,` and `;`, so that it is safe in a `Link` header. */
export function formatCursor(order: readonly OrderStep[], { key, page }: Cursor): string {
  const values = key.map((value) => (value instanceof Date ? { time: value.getTime() } : value));
  return Buffer.from(JSON.stringify([orderText(order), values, page])).toString('base64url');
}

/** Parses a cursor; a 400 with the parameter's name when it was not made for this order. */
export function parseCursor(order: readonly OrderStep[], parameter: string, text: string): Cursor {
  const [madeFor, values, page] = decode(text);
  const key = Array.isArray(values) ? values.map(toSortValue) : [];
  const fits = madeFor === orderText(order) && key.length === order.length && !key.includes(undefined);
  if (!fits || !Number.isSafeInteger(page)) throw badRequest(`${parameter} is not a cursor of this collection`);
  return { key: key as SortValue[], page: Math.max(1, page as number) };
}

function decode(text: string): unknown[] {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(decoded) ? decoded : [];
  } catch {
    return [];
  }
}

function toSortValue(value: unknown): SortValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const time = typeof value === 'object' && 'time' in value ? value.time : undefined;
  return Number.isSafeInteger(time) && Math.abs(time as number) <= 8.64e15 ? new Date(time as number) : undefined;
}
