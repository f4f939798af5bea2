import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { noAccount } from '../security/audit-entry';
import { newRecord } from '@itsm/shared/declared/read-input';
import { applicationType } from './application';
import type { Application } from './application';

/** The settings of the console's application. */
export interface ConsoleSettings {
  readonly baseUrl: string;
  /** Its client secret; several during a rotation, separated by commas. Without a secret there is no console. */
  readonly consoleClientSecret?: string | undefined;
}

const epoch = new Date(0);

/**
 * The console's application: the only one that belongs to the installation and not to an account. It is a trusted
 * first-party client, so people are not asked for consent. It is made from the settings and not stored, so no
 * administrator can change it.
 */
export function createInstalledApplication({ baseUrl, consoleClientSecret }: ConsoleSettings): Application | undefined {
  if (consoleClientSecret === undefined) return undefined;
  return {
    // Stored records have ids from 1.
    id: 0,
    accountId: noAccount,
    ...newRecord(applicationType, {
      name: 'Console',
      redirectUris: [`${baseUrl}/console/callback`],
      grantTypes: ['authorization_code'],
      scopes: [{ effect: 'allow', actions: ['*:*'] }],
    }),
    version: 1,
    scopesVersion: 1,
    tokens: consoleClientSecret.split(',').map((secret) => ({
      name: null,
      clientId: 'console',
      version: 1,
      secretDigest: digestOf(secret),
      createdAt: epoch,
      disabledAt: null,
      enabledAt: null,
      lastUsedAt: null,
    })),
    enabledAt: null,
    createdAt: epoch,
    updatedAt: epoch,
  };
}

export const hasClient = (installed: Application | undefined, clientId: string): boolean =>
  installed?.tokens.some((token) => token.clientId === clientId) ?? false;

/** Whether the application belongs to the installation and not to an account. */
export const isOfInstallation = ({ accountId }: Pick<Application, 'accountId'>): boolean => accountId === noAccount;
