/** The value of one field of a form: a text, a number or a truth; null in what is given empties it. */
export interface CustomValue {
  readonly id: string;
  readonly value: unknown;
}

/** A field's stored value. People and records are numbers, accounts are names; an empty field is null. */
export type Value = string | number | boolean | Date | readonly number[] | readonly CustomValue[] | null;
export type Values = Readonly<Record<string, Value>>;

/** The id in a reference field; undefined when it is empty. */
export const idIn = (values: Values, field: string): number | undefined => {
  const value = values[field];
  return typeof value === 'number' ? value : undefined;
};

export const idsIn = (values: Values, field: string): readonly number[] => {
  const value = values[field];
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? (value as readonly number[]) : [];
};

export const textIn = (values: Values, field: string): string | undefined => {
  const value = values[field];
  return typeof value === 'string' ? value : undefined;
};

/** The values of the fields of a form. */
export const customIn = (values: Values, field: string): readonly CustomValue[] => {
  const value = values[field];
  return Array.isArray(value) ? (value as readonly CustomValue[]) : [];
};
