import type { FieldDescription, TypeDescription, WordDescription } from '@itsm/shared/declared/description';

/** The values that a choice may have next: those to which its status may change, the present one among them. */
export function allowedWords(
  type: TypeDescription,
  field: FieldDescription,
  value: unknown,
): readonly WordDescription[] {
  const words = field.words ?? [];
  const next = field.name === 'status' ? type.transitions.find(({ from }) => from === value)?.to : undefined;
  return next ? words.filter((word) => word.value === value || next.includes(word.value)) : words;
}

/** The status by which a record that nobody has taken up is accepted; undefined where it keeps the one that it has. */
export function statusWhenTaken(
  type: TypeDescription,
  status: FieldDescription | undefined,
  now: string,
): string | undefined {
  const { takenUpAs } = type;
  const statuses = (status?.words ?? []).map(({ value }) => value);
  const isNext =
    takenUpAs !== undefined &&
    statuses.indexOf(now) < statuses.indexOf(takenUpAs) &&
    (!status || allowedWords(type, status, now).some(({ value }) => value === takenUpAs));
  return isNext ? takenUpAs : undefined;
}
