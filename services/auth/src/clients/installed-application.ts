import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { noAccount } from '../security/audit-entry';
import type { Application } from './application';

/** What the settings say about the console. */
export interface ConsoleSettings {
  readonly baseUrl: string;
  /** Its secret; several, comma-separated, while it is changed. Without one there is no console. */
  readonly consoleClientSecret?: string | undefined;
}

const epoch = new Date(0);

/**
 * The console: the one application that is of the installation itself and of no account. The operator trusts it, so that nobody is
 * asked, and it comes of the settings, so that nothing of it is stored and no administrator can change it.
 */
export function createInstalledApplication({ baseUrl, consoleClientSecret }: ConsoleSettings): Application | undefined {
  if (consoleClientSecret === undefined) return undefined;
  return {
    // No record has this id.
    id: 0,
    accountId: noAccount,
    name: 'Console',
    description: '',
    homepage: null,
    redirectUris: [`${baseUrl}/console/callback`],
    grantTypes: ['authorization_code'],
    scopes: [{ effect: 'allow', actions: ['*:*'] }],
    scopesVersion: 1,
    ssoConfigurationId: null,
    audience: null,
    tokens: consoleClientSecret.split(',').map((secret) => ({
      name: null,
      clientId: 'console',
      secretDigest: digestOf(secret),
      createdAt: epoch,
      disabledAt: null,
      enabledAt: null,
      lastUsedAt: null,
    })),
    actsAsPersonId: null,
    pkceRequired: true,
    jwks: null,
    jwksUri: null,
    privateKeyJwtRequired: false,
    disabledAt: null,
    enabledAt: null,
  };
}

export const hasClient = (installed: Application | undefined, clientId: string): boolean =>
  installed?.tokens.some((token) => token.clientId === clientId) ?? false;

/** Whether an application is of the installation, by the account that it names. */
export const isOfInstallation = ({ accountId }: Pick<Application, 'accountId'>): boolean => accountId === noAccount;
