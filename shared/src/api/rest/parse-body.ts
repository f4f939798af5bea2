import type { z } from 'zod';
import { parse } from '../http/parse';

/**
 * Parses the body of a REST write like `parse`, but also accepts `"true"` for true, `"5"` for 5 and `""` for null, as
 * clients of comparable services send them. Fields that are texts stay texts.
 */
export const parseBody = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> =>
  parse(schema, withoutTexts(schema, body));

/** Converts texts in `value` to the types of `schema`; a text that does not convert stays, and is then refused. */
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
      return typeof value === 'string' && /^(0|-?[1-9]\d{0,15})$/.test(value) ? Number(value) : value;
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

/** Tries the value as it is against all options first, then converted for each option in turn. */
function ofOption(options: readonly z.core.$ZodType[], value: unknown): unknown {
  const candidates = [value, ...options.map((option) => withoutTexts(option, value))];
  const fits = (candidate: unknown) => options.some((option) => (option as z.ZodType).safeParse(candidate).success);
  return candidates.find(fits) ?? value;
}
