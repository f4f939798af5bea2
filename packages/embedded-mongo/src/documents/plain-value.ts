import { BSONRegExp, Double, Int32, Long } from 'bson';
import { isDocument } from './document';

/** Converts a typed value (see `decodeTyped`) to the value that `decodePlain` gives. */
export function toPlain(value: unknown): unknown {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (Long.isLong(value)) return Number.isSafeInteger(value.toNumber()) ? value.toNumber() : value;
  if (value instanceof BSONRegExp) return new RegExp(value.pattern, value.options.replace(/[^im]/g, ''));
  if (Array.isArray(value)) return value.map(toPlain);
  if (isDocument(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toPlain(item)]));
  return value;
}

/**
 * Restores BSON types in a computed plain value: numbers and regexes get them from the typed value that it replaces.
 */
export function withTypesOf(value: unknown, typed: unknown): unknown {
  if (Array.isArray(value)) {
    const before = Array.isArray(typed) ? (typed as unknown[]) : [];
    return value.map((item, i) => withTypesOf(item, before[i]));
  }
  if (isDocument(value)) {
    const before = isDocument(typed) ? typed : {};
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTypesOf(item, before[name])]));
  }
  if (typeof value === 'number') return numberLike(value, typed);
  return value instanceof RegExp && typed instanceof BSONRegExp && value.source === typed.pattern ? typed : value;
}

function numberLike(value: number, typed: unknown): unknown {
  if (typed instanceof Double) return new Double(value);
  if (Long.isLong(typed) && Number.isSafeInteger(value)) return Long.fromNumber(value);
  return value;
}
