import { graphql } from './graphql';

/** What is wrong with an input. */
export const refusal = graphql(`
  fragment Refusal on ValidationError {
    path
    message
  }
`);

/** Whether a page has a next one, and where it begins. */
export const pageEnd = graphql(`
  fragment PageEnd on PageInfo {
    hasNextPage
    endCursor
  }
`);
