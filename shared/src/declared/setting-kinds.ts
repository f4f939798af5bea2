import { Schema } from 'mongoose';
import type { ChoicesField, ReferenceField, SettingField, ShapeField, StoredField, TextsField } from './language';
import { parseGivenId, parseText } from './read-value';

/** `within` has the refusals of parts, by their place; `problem` is then not shown. */
type Refused = { readonly problem: string; readonly within?: readonly (readonly [at: string, text: string])[] };
export type ParsedSetting = { readonly value: unknown } | Refused;

/** Parses a value of GraphQL input; `isRest` also accepts texts for flags. */
export function parseSetting(field: SettingField, nodeIdDomain: string, given: unknown, isRest = false): ParsedSetting {
  switch (field.kind) {
    case 'reference':
      return parseReference(field, nodeIdDomain, isRest && typeof given === 'number' ? String(given) : given);
    case 'choices':
      return parseList(field, given, (one) =>
        typeof one === 'string' && field.choices.includes(one)
          ? { value: one }
          : { problem: `is not one of ${field.choices.join(', ')}` },
      );
    case 'texts':
      return parseList(field, given, (one) => parseEntry(field, one));
    case 'shape':
      return parseShape(field, given);
    case 'secret':
      return parseText(field.maxLength, given);
    case 'standing':
      return parseFlag(given, isRest);
  }
}

function parseReference({ to }: ReferenceField, nodeIdDomain: string, given: unknown): ParsedSetting {
  const value = parseGivenId(nodeIdDomain, to.graphqlName, given);
  return value === undefined ? { problem: 'was not found' } : { value };
}

function parseFlag(given: unknown, isRest: boolean): ParsedSetting {
  const value = isRest && (given === 'true' || given === 'false') ? given === 'true' : given;
  return typeof value === 'boolean' ? { value } : { problem: 'is not true or false' };
}

type ListField = ChoicesField | TextsField;

/** More than any field has to choose from; some may be given twice. */
const mostChoices = 50;

function parseList(field: ListField, given: unknown, parse: (one: unknown) => ParsedSetting): ParsedSetting {
  if (!Array.isArray(given)) return { problem: 'must be a list' };
  // Each of them may have a refusal of its own.
  const most = field.kind === 'texts' ? field.most : mostChoices;
  if (given.length > most) return { problem: `must be at most ${most}` };
  if (field.kind === 'choices' && !field.mayBeEmpty && given.length === 0) return { problem: 'are required' };
  const parsed = given.map(parse);
  const within = parsed.flatMap((one, index) =>
    'problem' in one ? [[String(index), `${field.one} ${one.problem}`] as const] : [],
  );
  if (within.length > 0) return { problem: 'has a wrong entry', within };
  return { value: [...new Set(parsed.map((one) => ('value' in one ? one.value : undefined)))] };
}

function parseEntry({ maxLength, check }: TextsField, given: unknown): ParsedSetting {
  const parsed = parseText(maxLength, given);
  if ('problem' in parsed) return parsed;
  if (typeof parsed.value !== 'string') return { problem: 'is required' };
  const problem = check?.(parsed.value);
  return problem === undefined ? parsed : { problem };
}

function parseShape({ schema }: ShapeField, given: unknown): ParsedSetting {
  const result = schema.safeParse(given);
  if (result.success) return { value: result.data };
  const within = result.error.issues.flatMap(({ path, message, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [[...path, key].join('.'), 'Unknown member'] as const)
      : [[path.join('.'), message] as const],
  );
  return { problem: 'has a wrong form', within };
}

/** The GraphQL type of the field's value in inputs. */
export function settingInput(field: SettingField): string {
  switch (field.kind) {
    case 'reference':
      return 'ID';
    case 'choices':
      return `[${field.enumName ?? 'String'}!]`;
    case 'texts':
      return '[String!]';
    case 'shape':
      return field.inputType;
    case 'secret':
      return 'String';
    case 'standing':
      return 'Boolean';
  }
}

/** The field in the output type; of a secret only whether there is one. */
export function settingOutput(field: SettingField): string {
  switch (field.kind) {
    case 'reference':
      return `${field.name}: ${field.to.graphqlName}`;
    case 'secret':
      return `${field.has}: Boolean!`;
    case 'shape':
      return `${field.name}: ${field.type}!`;
    default:
      return `${field.name}: ${settingInput(field)}!`;
  }
}

/** The types of the paths in a mongoose schema. */
export const settingTypes = {
  reference: Number,
  choices: [String],
  texts: [String],
  shape: Schema.Types.Mixed,
  secret: String,
  standing: Date,
} as const satisfies Record<SettingField['kind'], unknown>;

/** What edges show of the kept value. */
export function shownOf(field: StoredField, kept: unknown): unknown {
  if (field.kind === 'secret' || field.kind === 'standing') return (kept ?? null) !== null;
  return field.kind === 'text' && field.mask && typeof kept === 'string' ? field.mask(kept) : (kept ?? null);
}

/** What a field accepts, in words. */
export function settingWords(field: SettingField): string {
  switch (field.kind) {
    case 'reference':
      return field.to.graphqlName;
    case 'choices':
      return `list of ${field.choices.map((word) => `\`${word}\``).join(', ')}`;
    case 'texts':
      return `list of at most ${field.most} texts of at most ${field.maxLength} characters`;
    case 'shape':
      return field.words;
    case 'secret':
      return `text, at most ${field.maxLength} characters; never shown`;
    case 'standing':
      return 'true or false';
  }
}
