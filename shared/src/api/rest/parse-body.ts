import type { z } from 'zod';
import { parse } from '../http/parse';

/**
 * The body of a REST write through `schema`, as `parse`; clients of comparable services write `"true"` for true, `"5"` for 5 and
 * `""` for null. What is meant for a text stays one.
 */
export const parseBody = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> =>
  parse(schema, withoutTexts(schema, body));

/** `value` with its texts in the form that `schema` wants; one that stands for nothing of the kind stays, and is refused. */
function withoutTexts(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'default':
      return withoutTexts(def.innerType, value);
    case 'nullable':
      return value === '' ? null : withoutTexts(def.innerType, value);
    case 'pipe':
      return withoutTexts(def.in, value);
    case 'object':
      return isObject(value) ? withMembers(def.shape, value) : value;
    case 'array':
      return Array.isArray(value) ? value.map((one) => withoutTexts(def.element, one)) : value;
    case 'union':
      return ofOption(def.options, value);
    case 'boolean':
      return value === 'true' || (value === 'false' ? false : value);
    case 'number':
      return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
    default:
      return value;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withMembers = (shape: z.core.$ZodShape, value: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, schema ? withoutTexts(schema, member) : member];
    }),
  );

/** In the form of the first option that takes it as it is, or else of the first that takes it without its texts. */
function ofOption(options: readonly z.core.$ZodType[], value: unknown): unknown {
  const candidates = [value, ...options.map((option) => withoutTexts(option, value))];
  const fits = (candidate: unknown) => options.some((option) => (option as z.ZodType).safeParse(candidate).success);
  return candidates.find(fits) ?? value;
}
