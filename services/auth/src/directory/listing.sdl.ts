/** SDL of the filter by node ids; the rest is `listTypeDefs`. */
export const idFilterTypeDefs = (record: string): string => /* GraphQL */ `
  input ${record}IdFilter {
    "Alternatives."
    values: [ID!]!
    negate: Boolean = false
  }
`;
