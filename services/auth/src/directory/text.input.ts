import { z } from 'zod';

/** A text that must not be empty; white space around it is no part of it. */
export const text = (label: string, longest: number) =>
  z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, `${label} is required`)
    // Characters as people count them: an emoji is one.
    .refine((value) => [...value].length <= longest, `${label} is too long (at most ${longest} characters)`)
    .refine((value) => !/\p{Cc}/u.test(value), `${label} must not contain control characters`);

/** The same, where `null` and an empty text stand for no value. */
export const optionalText = (label: string, longest: number) =>
  z
    .string()
    .nullable()
    .transform((value) => (value?.trim() ? value : null))
    .pipe(text(label, longest).nullable());
