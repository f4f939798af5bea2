import type { Draft } from './question';

const draft = (query: string, variables: unknown = undefined): Draft => ({
  query: query.trim(),
  variables: variables === undefined ? '' : JSON.stringify(variables, null, 2),
  operation: undefined,
});

/** The initial document. */
export const firstQuery: Draft = draft(`
# Who you are, and what changed last.
# Ctrl Enter runs it. The price is known
# while you type: see the right edge.
# Ctrl Space completes, F1 shows the docs.
query Start {
  me {
    name
    roles
  }
  requests(
    first: 5
    order: [{ field: updatedAt, direction: desc }]
  ) {
    totalCount
    nodes {
      id
      subject
      status
    }
  }
}
`);

export interface Example {
  readonly title: string;
  readonly note: string;
  readonly draft: Draft;
}

/** Common queries of integrators. */
export const examples: readonly Example[] = [
  {
    title: 'Open requests of my teams',
    note: 'not completed or declined, latest change first',
    draft: draft(
      `
query OpenRequests($first: Int!) {
  requests(
    first: $first
    view: assigned_to_my_team
    filter: { status: { values: ["completed", "declined"], negate: true } }
    order: [{ field: updatedAt, direction: desc }]
  ) {
    totalCount
    nodes {
      id
      subject
      status
      team { name }
      member { name }
      updatedAt
    }
    # Give endCursor as \`after\` to get the next page.
    pageInfo { hasNextPage endCursor }
  }
}`,
      { first: 25 },
    ),
  },
  {
    title: 'A request with its notes',
    note: 'the one that changed last',
    draft: draft(`
# One by its id: request(id: $id) { … }
query RequestWithNotes {
  requests(
    first: 1
    order: [{ field: updatedAt, direction: desc }]
  ) {
    nodes {
      id
      subject
      status
      requestedBy { name }
      notes(last: 20) {
        nodes {
          text
          createdAt
          person { name }
        }
      }
    }
  }
}`),
  },
  {
    title: 'Create a request',
    note: 'a mutation: input errors come in `errors`',
    draft: draft(
      `
mutation CreateRequest($input: RequestCreateInput!) {
  requestCreate(input: $input) {
    request { id subject status }
    # Empty when it was created.
    errors { path message }
  }
}`,
      {
        input: {
          subject: 'The scanner at gate 4 reads nothing',
          category: 'incident',
          impact: 'medium',
          note: 'Since this morning.',
        },
      },
    ),
  },
  {
    title: 'Webhooks and their last failures',
    note: 'state of each, and its failed deliveries',
    draft: draft(`
query WebhookFailures {
  webhooks(first: 25) {
    nodes {
      name
      event
      state
      consecutiveFailures
      lastError
      deliveries(last: 5, filter: { state: { values: [failed, stopped] } }) {
        nodes {
          event
          createdAt
          attempts { at status errorClass error }
        }
      }
    }
  }
}`),
  },
  {
    title: 'People',
    note: 'everyone in the account, with roles',
    draft: draft(
      `
query People($first: Int!, $after: String) {
  people(first: $first, after: $after) {
    totalCount
    nodes {
      id
      name
      primaryEmail
      roles
      disabled
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
      { first: 50, after: null },
    ),
  },
  {
    title: 'Who am I, and what is left?',
    note: 'your person, your account, remaining points',
    draft: draft(`
query WhoAmI {
  me { id name primaryEmail roles }
  account { accountID name }
  rateLimit { cost limit remaining resetAt }
}`),
  },
];
