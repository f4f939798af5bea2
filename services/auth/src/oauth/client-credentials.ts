import { invalidClient, invalidRequest } from './oauth-error';
import type { Parameters } from './parameters';
import { required } from './parameters';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The client's id and secret from the body or from HTTP Basic, never from both (RFC 6749 §2.3). */
export function credentialsOf(authorization: string | undefined, parameters: Parameters): ClientCredentials {
  if (authorization === undefined) {
    return { clientId: required(parameters, 'client_id'), clientSecret: required(parameters, 'client_secret') };
  }
  const basic = parseBasic(authorization);
  if (parameters.has('client_secret')) throw invalidRequest('The client must authenticate in one way only');
  const named = parameters.get('client_id');
  if (named !== undefined && named !== basic.clientId) throw invalidRequest('client_id differs from HTTP Basic');
  return basic;
}

/** Both parts are form-encoded before they are joined (RFC 6749 §2.3.1). */
function parseBasic(header: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1) throw invalidClient();
  return { clientId: formDecode(decoded.slice(0, colon)), clientSecret: formDecode(decoded.slice(colon + 1)) };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidClient();
  }
}
