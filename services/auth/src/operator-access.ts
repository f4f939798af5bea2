import { createOperator } from './operator';
import type { Operator } from './operator';
import type { Clients } from './clients/module';
import type { Directory } from './directory/module';
import type { OAuth } from './oauth/module';
import type { Tokens } from './tokens/module';

interface Modules {
  readonly directory: Directory;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly oauth: OAuth;
}

/** What tests and benchmarks do without a page or a call. */
interface Services
  extends
    Pick<Directory, 'persons' | 'personAdministration'>,
    Pick<Clients, 'applications' | 'clientTokens' | 'ssoConfigurations'>,
    Pick<Tokens, 'authorizations' | 'keys'>,
    Pick<OAuth, 'alerts'> {}

/** What is done beside pages and calls: by the operator, and by tests and benchmarks. */
export interface OperatorAccess {
  readonly operator: Operator;
  readonly services: Services;
}

export function createOperatorAccess({ directory, clients, tokens, oauth }: Modules): OperatorAccess {
  const { persons, personAdministration } = directory;
  const { applications, clientTokens, ssoConfigurations } = clients;
  const { authorizations, keys } = tokens;
  const { alerts } = oauth;
  return {
    operator: createOperator({ directory, clients, tokens }),
    services: {
      persons,
      personAdministration,
      applications,
      clientTokens,
      ssoConfigurations,
      authorizations,
      keys,
      alerts,
    },
  };
}
