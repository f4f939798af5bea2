import { z } from 'zod';
import { isTooLong } from '../contents/content';
import type { Source } from '../contents/content';
import type { Description } from './extension';
import type { ExtensionUpdate, NewExtension } from './extension.service';

const line = (label: string, most = 128) =>
  z.string(`${label} must be a text`).trim().max(most, `${label} must have at most ${most} characters`);

const content = (label: string) =>
  z
    .string(`${label} must be a text`)
    .refine((text) => !isTooLong(text), `${label} is longer than 64 KB (65,536 bytes of UTF-8)`)
    .nullable();

const flag = (label: string) => z.boolean(`${label} must be true or false`);

const name = line('Name').min(1, 'Name is missing');

const members = {
  title: line('Title').nullable(),
  category: line('Category').nullable(),
  description: line('Description', 10_000).nullable(),
  disabled: flag('Disabled'),
  source: line('Source').nullable(),
  sourceID: line('Source ID').nullable(),
  css: content('Css'),
  html: content('Html'),
  javascript: content('Javascript'),
  form_definition: content('Form definition'),
  dark_mode_safe: flag('Dark mode safe'),
  activate: flag('Activate'),
};

const updateSchema = z.strictObject({ name, ...members }).partial();
const createSchema = updateSchema.extend({ name });

type Input = z.output<typeof updateSchema>;

/** The body of a PATCH. */
export const extensionUpdate = updateSchema.transform((input): ExtensionUpdate => ({
  description: descriptionIn(input),
  source: sourceIn(input),
  translations: [],
  activate: input.activate ?? false,
}));

const nothingSaid = {
  title: null,
  category: null,
  description: null,
  disabled: false,
  source: null,
  sourceID: null,
} as const;

/** The body of a POST. */
export const newExtension = createSchema.transform((input): NewExtension => ({
  description: { ...nothingSaid, ...descriptionIn(input), name: input.name },
  source: sourceIn(input),
  activate: input.activate ?? false,
}));

const descriptionIn = ({
  name,
  title,
  category,
  description,
  disabled,
  source,
  sourceID,
}: Input): Partial<Description> => given({ name, title, category, description, disabled, source, sourceID });

const sourceIn = ({ css, html, javascript, form_definition, dark_mode_safe }: Input): Partial<Source> =>
  given({ css, html, javascript, formDefinition: form_definition, darkModeSafe: dark_mode_safe });

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** `null` empties a field; an absent one stays as it is. */
const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
