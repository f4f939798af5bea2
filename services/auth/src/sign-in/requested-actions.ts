import { actionSchema } from '@itsm/shared/contracts/scopes';
import { narrowScopes } from '../clients/scope-sets';
import type { Application } from '../clients/application';
import { invalidRequest } from '../oauth/oauth-error';
import type { AuthorizationRequest } from './authorization-request';

/**
 * The actions that a request asks for, as far as the application may do them (RFC 6749 §3.3); null for all that it may.
 * Words that are no actions of ours, such as `openid`, ask for nothing.
 */
export function requestedActions(
  { scope }: Pick<AuthorizationRequest, 'scope'>,
  { scopes }: Pick<Application, 'scopes'>,
): readonly string[] | null {
  const asked = (scope ?? '').split(' ').filter((word) => actionSchema.safeParse(word).success);
  if (asked.length === 0) return null;
  const granted = narrowScopes(scopes, asked).filter(({ effect }) => effect === 'allow');
  if (granted.length === 0) throw invalidRequest('scope names nothing that the application may do');
  return [...new Set(granted.flatMap(({ actions }) => actions))].sort();
}
