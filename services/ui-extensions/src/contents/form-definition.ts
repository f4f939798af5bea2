import { AppError } from '@itsm/shared/base/errors/app-error';
import { checkTexts } from '@itsm/shared/base/texts/check-texts';
import { withoutByteOrderMark } from '@itsm/shared/base/texts/decode-text';
import { formFieldTypes } from '@itsm/shared/contracts/ui-extensions';
import type { FormField as SharedField } from '@itsm/shared/contracts/ui-extensions';
import { z } from 'zod';

const chosen: readonly string[] = ['select', 'radio'];

const option = z.union([z.string(), z.looseObject({ value: z.string(), label: z.string().optional() })]);

/** The field is shown only while another field has this value. */
const condition = z.looseObject({ field: z.string(), equals: z.union([z.string(), z.boolean()]) });

const field = z.looseObject({
  id: z.string().min(1),
  type: z.enum(formFieldTypes),
  label: z.string(),
  required: z.boolean().optional(),
  help: z.string().nullish(),
  options: z.array(option).nullish(),
  visible_when: condition.nullish(),
});

const definitionSchema = z.looseObject({
  sections: z.array(z.looseObject({ name: z.string(), fields: z.array(field) })).default([]),
});

export type FormDefinition = z.output<typeof definitionSchema>;
export type FormField = z.output<typeof field>;

/** Parses the designer's JSON. `error` is a phrase to put after the field's name. */
export function parseFormDefinition(text: string): { definition: FormDefinition } | { error: string } {
  const json = parseObject(text);
  if (!json) return { error: 'must be a JSON object' };
  const problem = problemIn(json);
  if (problem !== undefined) return { error: `is not valid: ${problem}` };
  const result = definitionSchema.safeParse(json);
  if (!result.success) {
    const [issue] = result.error.issues;
    return { error: invalid(issue?.path.join('.') ?? '', issue?.message ?? '') };
  }
  const misfit = findMisfit(result.data);
  return misfit === undefined ? { definition: result.data } : { error: misfit };
}

/** The fields of a written definition, as far as values depend on them; none of a text that is no definition. */
export function sharedFieldsOf(text: string | null): readonly SharedField[] {
  const parsed = parseFormDefinition(text ?? '');
  if ('error' in parsed) return [];
  const fields = parsed.definition.sections.flatMap((section) => section.fields);
  return fields.map(({ id, type, label, required = false, options, visible_when: condition }) => ({
    id,
    type,
    label,
    required,
    ...(chosen.includes(type) && {
      choices: (options ?? []).map((one) => (typeof one === 'string' ? one : one.value)),
    }),
    ...(condition && { visibleWhen: { field: condition.field, equals: condition.equals } }),
  }));
}

function parseObject(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(withoutByteOrderMark(text));
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Escapes in the JSON can bring in what no text may hold. */
function problemIn(json: object): string | undefined {
  try {
    checkTexts(json);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const invalid = (path: string, problem: string): string => `is not valid at ${path}: ${problem}`;

/** The first inconsistency between fields that are valid on their own: duplicate ids, missing options, unknown references. */
function findMisfit({ sections }: FormDefinition): string | undefined {
  const placed = sections.flatMap(({ fields }, section) =>
    fields.map((field, index) => ({ field, path: `sections.${section}.fields.${index}` })),
  );
  const all = new Set(placed.map(({ field: { id } }) => id));
  const seen = new Set<string>();
  for (const { field, path } of placed) {
    const shown = field.visible_when?.field;
    if (seen.has(field.id)) return invalid(`${path}.id`, 'another field has this id');
    if (chosen.includes(field.type) && !field.options?.length)
      return invalid(`${path}.options`, 'there is nothing to choose');
    if (shown !== undefined && (shown === field.id || !all.has(shown)))
      return invalid(`${path}.visible_when.field`, 'there is no other field with this id');
    seen.add(field.id);
  }
  return undefined;
}
