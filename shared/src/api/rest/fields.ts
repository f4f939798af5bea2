import { badRequest } from '../../base/errors/app-error';
import { parseList } from './query-parameters';
import type { Resource } from './resource';

/** The fields to answer for `fields=`: `id` always, `*` is all; an unknown one is a 400 that names it. */
export function parseFields<T extends { readonly id: number | string }, V>(
  resource: Resource<T, V>,
  text: string | undefined,
  form: 'collection' | 'single',
): readonly string[] {
  const hidden = form === 'collection' ? (resource.singleOnly ?? []) : [];
  const all = Object.keys(resource.fields).filter((name) => !hidden.includes(name));
  const asked = parseList(text) ?? (form === 'single' ? ['*'] : resource.collectionFields);
  const unknown = asked.filter((name) => name !== '*' && !all.includes(name));
  if (unknown.length > 0) throw badRequest(`Unknown fields: ${unknown.join(', ')}`);
  return all.filter((name) => name === 'id' || asked.includes('*') || asked.includes(name));
}
