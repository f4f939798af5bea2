import { z } from 'zod';
import type { Contract } from './contract';

/** The names of UI extensions, for their declaration and for fields that refer to one. */
export const uiExtensionKind = { name: 'ui_extension', graphqlName: 'UiExtension', plural: 'ui_extensions' } as const;

/** The types of the fields of a form definition. */
export const formFieldTypes = [
  ...(['text', 'textarea', 'number', 'date', 'time', 'email', 'tel', 'url', 'password'] as const),
  ...(['checkbox', 'select', 'radio'] as const),
] as const;

const formField = z.object({
  id: z.string().min(1),
  type: z.enum(formFieldTypes),
  label: z.string(),
  required: z.boolean(),
  /** The values of a `select` or `radio`. */
  choices: z.array(z.string()).optional(),
  /** The form shows it only while another field has this value. */
  visibleWhen: z.object({ field: z.string(), equals: z.union([z.string(), z.boolean()]) }).optional(),
});
/** A field of a form, as far as its values depend on it. */
export type FormField = z.infer<typeof formField>;

const extensionActivatedSchema = z.object({
  id: z.int(),
  accountId: z.string(),
  name: z.string(),
  disabled: z.boolean(),
  /** The fields of the form of the active version, in their order. */
  fields: z.array(formField),
  /** Incremented by every write of the extension; an older message never overwrites a newer projection. */
  version: z.int(),
});
export type ExtensionActivated = z.infer<typeof extensionActivatedSchema>;

/**
 * Published by `ui-extensions` when a version is activated, and when name or state of an extension with an active
 * version change; `graph` checks custom fields of records by it.
 */
export const extensionActivated: Contract<ExtensionActivated> = {
  name: 'ui-extensions.extension.activated.v1',
  schema: extensionActivatedSchema,
};
