import { z } from 'zod';

const fieldTypes = [
  ...(['text', 'textarea', 'number', 'date', 'time', 'email', 'tel', 'url', 'password'] as const),
  ...(['checkbox', 'select', 'radio'] as const),
] as const;

const chosen: readonly string[] = ['select', 'radio'];

const option = z.union([z.string(), z.looseObject({ value: z.string(), label: z.string().optional() })]);

/** The field is there only while another one has this value. */
const condition = z.looseObject({ field: z.string(), equals: z.union([z.string(), z.boolean()]) });

const field = z.looseObject({
  id: z.string().min(1),
  type: z.enum(fieldTypes),
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

/** Reads the designer's JSON, or says what is wrong with it: a text that follows the field's name. */
export function parseFormDefinition(text: string): { definition: FormDefinition } | { error: string } {
  const json = parseObject(text);
  if (!json) return { error: 'must be a JSON object' };
  const result = definitionSchema.safeParse(json);
  if (!result.success) {
    const [issue] = result.error.issues;
    return { error: invalid(issue?.path.join('.') ?? '', issue?.message ?? '') };
  }
  const misfit = findMisfit(result.data);
  return misfit === undefined ? { definition: result.data } : { error: misfit };
}

function parseObject(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

const invalid = (path: string, problem: string): string => `is not valid at ${path}: ${problem}`;

/** What is wrong between the fields, each of which is right in itself. */
function findMisfit({ sections }: FormDefinition): string | undefined {
  const placed = sections.flatMap(({ fields }, section) =>
    fields.map((one, index) => ({ field: one, path: `sections.${section}.fields.${index}` })),
  );
  const all = new Set(placed.map(({ field: { id } }) => id));
  const seen = new Set<string>();
  for (const { field: one, path } of placed) {
    const shown = one.visible_when?.field;
    if (seen.has(one.id)) return invalid(`${path}.id`, 'another field has this id');
    if (chosen.includes(one.type) && !one.options?.length)
      return invalid(`${path}.options`, 'there is nothing to choose');
    if (shown !== undefined && (shown === one.id || !all.has(shown)))
      return invalid(`${path}.visible_when.field`, 'there is no other field with this id');
    seen.add(one.id);
  }
  return undefined;
}
