const number = (headers, name) => (headers.has(name) ? Number(headers.get(name)) : undefined);

/** The limits in the headers of an answer; undefined without such headers. */
function limitsIn({ headers }) {
  const limit = number(headers, 'x-costlimit-limit');
  if (limit === undefined) return undefined;
  return {
    limit,
    cost: number(headers, 'x-costlimit-cost'),
    remaining: number(headers, 'x-costlimit-remaining'),
    reset: number(headers, 'x-costlimit-reset'),
    requests: number(headers, 'x-ratelimit-remaining'),
    requestLimit: number(headers, 'x-ratelimit-limit'),
  };
}

const bearer = (token) => (token ? { Authorization: `Bearer ${token}` } : {});

/** Calls the API as the holder of `token`; `report` gets the limits. */
export const createFetcher =
  ({ token, account }, report) =>
  async (params, { headers } = {}) => {
    const response = await fetch('/graphql', {
      method: 'POST',
      body: JSON.stringify(params),
      headers: {
        'Content-Type': 'application/json',
        ...bearer(token),
        ...(account && { 'X-Service-Account': account }),
        ...headers,
      },
    });
    report(limitsIn(response));
    return response.json();
  };

/** The introspection result; throws an error with the message of the refusal. */
export async function loadSchema(token, report) {
  const response = await fetch('/graphql', { headers: { Accept: 'application/json', ...bearer(token) } });
  report(limitsIn(response));
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body.data;
}
