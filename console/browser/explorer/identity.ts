/** As whom the explorer calls, and what it sends beside the document. In the memory of the page alone. */
export interface Identity {
  /** Stands in place of the session; '' for none. */
  readonly token: string;
  /** JSON, or nothing. */
  readonly headers: string;
}

export const ownIdentity: Identity = { token: '', headers: '' };

const ownHeaders = new Set(['authorization', 'content-type', 'cookie', 'x-console']);
/** What the console's server lets through of a call with the session. */
const withSession = new Set(['accept', 'x-service-language']);

/** The headers of a call, or why they are none. */
export function readHeaders({ token, headers }: Identity): Readonly<Record<string, string>> | string {
  if (headers.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(headers);
  } catch (error) {
    return `The headers are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'Headers are a JSON object, as {"X-Service-Language": "nl"}.';
  const found = Object.entries(value);
  for (const [name, text] of found) {
    if (typeof text !== 'string') return `The value of ${name} is not a text.`;
    if (name.toLowerCase() === 'authorization') return 'A token has a field of its own, below the headers.';
    if (ownHeaders.has(name.toLowerCase())) return `${name} is set by the console.`;
    if (token.trim() === '' && !withSession.has(name.toLowerCase()))
      return `With your session only Accept and X-Service-Language go on; ${name} needs a pasted token.`;
  }
  try {
    return Object.fromEntries(new Headers(found as [string, string][]));
  } catch (error) {
    return `These are no headers: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A call with a pasted token: to the API itself, past the console's server and without its cookie. */
export function directCall(token: string, account: string, headers: Readonly<Record<string, string>>): RequestInit {
  return {
    method: 'POST',
    credentials: 'omit',
    redirect: 'error',
    headers: {
      'x-service-account': account,
      ...headers,
      'content-type': 'application/json',
      authorization: `Bearer ${token.trim()}`,
    },
  };
}
