import { GraphQLScalarType } from 'graphql';

/** A day without a time; kept as its first moment in UTC. */
export const dateScalar = new GraphQLScalarType<Date, string>({
  name: 'ISO8601Date',
  serialize: (value) => new Date(value as Date).toISOString().slice(0, 10),
  parseValue(value) {
    const day = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(value) : undefined;
    // 2026-02-30 would become the second of March.
    if (!day || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== value) {
      throw new TypeError('An ISO8601Date is written like 2026-03-18');
    }
    return day;
  },
});
