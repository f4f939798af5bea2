/*
 * MongoDB uses an index that is partial by `$type` only when the query has the same `$type` condition. It does not infer the
 * condition from an equality with a text.
 */

/** A member that is this text, for an index of texts alone. */
export const asText = (text: string) => ({ $eq: text, $type: 'string' }) as const;

/** A member that is one of these texts, for an index of texts alone. */
export const asOneOfTexts = (texts: readonly string[]) => ({ $in: [...texts], $type: 'string' as const });
