import { graphql } from './graphql';

/** The validation errors of an input. */
export const refusal = graphql(`
  fragment Refusal on ValidationError {
    path
    message
  }
`);

/** Whether a page has a next one, and its cursor. */
export const pageEnd = graphql(`
  fragment PageEnd on PageInfo {
    hasNextPage
    endCursor
  }
`);
