/*
 * MongoDB uses an index that is partial by `$type` only for a condition that names the type as well: that a given text is
 * a string it does not conclude.
 */

/** A member that is this text, for an index of texts alone. */
export const asText = (text: string) => ({ $eq: text, $type: 'string' }) as const;

/** A member that is one of these texts, for an index of texts alone. */
export const asOneOfTexts = (texts: readonly string[]) => ({ $in: [...texts], $type: 'string' as const });
