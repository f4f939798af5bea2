import { z } from 'zod';

/** A required text; white space around it is trimmed. */
export const text = (label: string, longest: number) =>
  z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, `${label} is required`)
    // Counts code points, so that most emoji count as one.
    .refine((value) => [...value].length <= longest, `${label} is too long (at most ${longest} characters)`)
    .refine((value) => !/\p{Cc}/u.test(value), `${label} must not contain control characters`);

/** An optional text; `null` and an empty text mean no value. */
export const optionalText = (label: string, longest: number) =>
  z
    .string()
    .nullable()
    .transform((value) => (value?.trim() ? value : null))
    .pipe(text(label, longest).nullable());
