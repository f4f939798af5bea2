import { z } from 'zod';
import type { Texts, TranslationEdit } from './translation';
import { parseLocale } from './translation';

const label = 'Translations';

const texts = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    `${label} must be an object of phrases and their translations`,
  )
  .transform((value, context): Texts => {
    const entries = Object.entries(value);
    const refused = entries.find(([, text]) => typeof text !== 'string' || text.trim() === '');
    if (refused)
      context.addIssue({
        code: 'custom',
        message: `${label} of ${JSON.stringify(refused[0].slice(0, 100))} must be a text`,
      });
    return new Map(entries.flatMap(([phrase, text]) => (typeof text === 'string' ? [[phrase, text.trim()]] : [])));
  });

/** The body of a PUT of the translations of one locale. */
export const localeTranslations = z.strictObject({ translations: texts });

const locale = z.string(`${label} have no locale`).transform((tag, context) => {
  const known = parseLocale(tag);
  if (known === undefined) context.addIssue({ code: 'custom', message: `${tag.slice(0, 100)} is not a locale` });
  return known ?? '';
});

interface Entry {
  readonly phrase: string;
  readonly text: string;
}

const toObject = (entries: readonly Entry[]): Record<string, unknown> =>
  Object.fromEntries(entries.map(({ phrase, text }) => [phrase, text]));

/** The translations in a mutation; GraphQL has checked the types. Without `texts` the locale is removed. */
export const translationEdits = z.array(
  z
    .object({ locale, texts: z.custom<readonly Entry[]>().nullish() })
    .transform(({ texts: entries, ...edit }) => ({ ...edit, texts: entries ? toObject(entries) : null }))
    .pipe(z.object({ locale: z.string(), texts: texts.nullable() })),
) satisfies z.ZodType<TranslationEdit[], unknown>;
