/*
 * MongoDB uses an index that is partial by `$type` only when the query has the same `$type` condition. It does not
 * infer the condition from an equality with a text.
 */

/** Matches this text, in a form that a partial index on texts can serve. */
export const asText = (text: string) => ({ $eq: text, $type: 'string' }) as const;

/** Matches one of these texts, in a form that a partial index on texts can serve. */
export const asOneOfTexts = (texts: readonly string[]) => ({ $in: [...texts], $type: 'string' as const });
