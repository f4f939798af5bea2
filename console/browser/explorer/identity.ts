/** The explorer's credentials and headers; kept in the page's memory only. */
export interface Identity {
  /** Replaces the session; '' for none. */
  readonly token: string;
  /** A JSON object, or empty. */
  readonly headers: string;
}

export const ownIdentity: Identity = { token: '', headers: '' };

const ownHeaders = new Set(['authorization', 'content-type', 'cookie', 'x-console']);
/** The headers that the console's server forwards for a call with the session. */
const withSession = new Set(['accept', 'x-service-language']);

/** Parses the headers; returns an error message when they are invalid. */
export function readHeaders({ token, headers }: Identity): Readonly<Record<string, string>> | string {
  if (headers.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(headers);
  } catch (error) {
    return `The headers are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'Headers must be a JSON object, such as {"X-Service-Language": "nl"}.';
  const found = Object.entries(value);
  for (const [name, text] of found) {
    if (typeof text !== 'string') return `The value of ${name} must be a string.`;
    if (name.toLowerCase() === 'authorization') return 'Paste the token into the field below the headers.';
    if (ownHeaders.has(name.toLowerCase())) return `${name} is set by the console.`;
    if (token.trim() === '' && !withSession.has(name.toLowerCase()))
      return `With your session, only Accept and X-Service-Language are sent; ${name} needs a pasted token.`;
  }
  try {
    return Object.fromEntries(new Headers(found as [string, string][]));
  } catch (error) {
    return `These headers are not valid: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A call with a pasted token: directly to the API, without the console's server and its cookie. */
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
