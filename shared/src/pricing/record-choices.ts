/**
 * The names of the fields of records that several types declare as choices. The declarations take their names from
 * here, so that a price without a schema can tell a choice from a text.
 */
export const recordChoices = ['category', 'impact', 'priority', 'status'] as const;

export type RecordChoice = (typeof recordChoices)[number];
