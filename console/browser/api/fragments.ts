import { graphql } from './graphql';

/** The validation errors of an input. */
export const refusal = graphql(`
  fragment Refusal on ValidationError {
    path
    message
  }
`);

/** One change in an audit line of a webhook or of a signing policy. */
export const fieldChange = graphql(`
  fragment FieldChange on WebhookAuditChange {
    field
    from
    to
  }
`);

/** Whether a page has a next one, and its cursor. */
export const pageEnd = graphql(`
  fragment PageEnd on PageInfo {
    hasNextPage
    endCursor
  }
`);
