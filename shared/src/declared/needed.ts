import { holds } from './description';
import type { Declaration } from './language';
import { propertyOf } from './names';
import type { GivenOf, RecordOf } from './record-of';

/** Why settings are refused that lack what they need, by the fields' properties. */
export const missingIn = <D extends Declaration>(
  type: D,
  settings: Partial<RecordOf<D>>,
): { readonly [F in keyof GivenOf<D>]?: string } => {
  const values = settings as Readonly<Record<string, unknown>>;
  const missing = type.fields.flatMap((field) => {
    const { needed } = field;
    if (!needed || field.kind === 'derived' || !isEmpty(values[propertyOf(field)])) return [];
    const other = type.fields.filter((one) => one.kind !== 'derived').find(({ name }) => name === needed.field);
    return other && holds(needed, values[propertyOf(other)]) ? [[propertyOf(field), needed.otherwise]] : [];
  });
  return Object.fromEntries(missing) as { readonly [F in keyof GivenOf<D>]?: string };
};

const isEmpty = (value: unknown): boolean => (value ?? '') === '' || (Array.isArray(value) && value.length === 0);
