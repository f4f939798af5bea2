import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import type { Body } from './http-client';

export type Texts = Readonly<Record<string, string>>;

/** What the values of fields refer to. */
export interface World {
  /** `GET /v1/enums`. */
  readonly enums: Readonly<Record<string, readonly { readonly id: string }[]>>;
  readonly me: number;
  readonly account: string;
  /** The number of a record of a GraphQL type; undefined for types that have no records here. */
  readonly referred: (graphqlType: string) => Promise<number | undefined>;
}

const time = '2026-05-01T10:00:00Z';

/** A field that clients write, with its name in bodies. */
type Written = FieldDescription & { readonly restInput: string };
export const writtenFields = ({ fields }: TypeDescription): readonly Written[] =>
  fields.filter((field): field is Written => field.restInput !== undefined && field.written === 'always');

/** A value of the field as text; undefined where this client has none. */
async function textFor(type: TypeDescription, field: Written, world: World): Promise<string | undefined> {
  switch (field.kind) {
    case 'flag':
      return 'true';
    case 'integer':
      return '12';
    case 'timestamp':
      return time;
    case 'date':
      return time.slice(0, 10);
    case 'account':
      return world.account;
    case 'text':
      return `${field.label} of ${type.label}`;
    case 'choice':
      // The last status may need what another field has; the first one never does.
      return world.enums[`${type.name}.${field.rest}`]?.at(field.name === 'status' ? 0 : -1)?.id;
    case 'reference': {
      const id = field.refersTo === 'Person' ? world.me : await world.referred(field.refersTo ?? '');
      return id === undefined ? undefined : String(id);
    }
    default:
      return undefined;
  }
}

/** A text for every field; the empty one, which is null, for a field of which this client has no value. */
export async function textsFor(type: TypeDescription, world: World, given: Texts): Promise<Texts> {
  const texts = await Promise.all(
    writtenFields(type).map(async (field) => [field.restInput, (await textFor(type, field, world)) ?? ''] as const),
  );
  const all = { ...Object.fromEntries(texts), ...given };
  // A field that matters only then is left empty otherwise.
  const isIdle = ({ when }: FieldDescription): boolean =>
    when !== undefined && ![when.is].flat().includes(all[when.field] ?? '');
  const idle = writtenFields(type).filter(isIdle);
  return { ...all, ...Object.fromEntries(idle.map(({ restInput }) => [restInput, ''])) };
}

/** The fields alone without which there is no record. */
export async function neededTexts(type: TypeDescription, world: World, given: Texts): Promise<Texts> {
  const texts = await textsFor(type, world, given);
  const needed = writtenFields(type).filter(
    ({ required, kind }) => required && ['reference', 'account'].includes(kind),
  );
  return { ...Object.fromEntries(needed.map(({ restInput }) => [restInput, texts[restInput] ?? ''])), ...given };
}

/** How an answer shows each of the texts: as what it means. */
export const shownAs = (type: TypeDescription, texts: Texts): Body =>
  Object.fromEntries(
    writtenFields(type).flatMap((field) => {
      const text = texts[field.restInput];
      return text === undefined ? [] : [[field.rest, meaning(field, text)] as const];
    }),
  );

function meaning({ kind, many }: FieldDescription, text: string): unknown {
  if (text === '') return null;
  if (kind === 'flag') return text === 'true';
  if (kind === 'integer') return Number(text);
  if (kind === 'timestamp') return expect.stringMatching(new RegExp(`^${text.replace('Z', '(\\.000)?Z')}$`));
  if (kind === 'account') return expect.objectContaining({ id: text });
  if (kind !== 'reference') return text;
  const one = expect.objectContaining({ id: Number(text) }) as unknown;
  return many ? [one] : one;
}
