import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { composeApp } from '@itsm/shared/running/compose-app';
import type { MessagingResources } from '@itsm/shared/running/module';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import { createAdministration } from './administration/module';
import { createClients } from './clients/module';
import type { Config } from './config';
import { createDirectory, createDirectoryRelay } from './directory/module';
import type { DirectoryOptions } from './directory/module';
import { createFactors } from './factors/module';
import { createImports } from './imports/module';
import { createMailedLinks } from './mailed-links/module';
import { createMails } from './mails/module';
import { createOAuth } from './oauth/module';
import type { ProviderOptions } from './oauth/module';
import { createOperatorAccess } from './operator';
import { createProfile } from './profile/module';
import { createSecurity } from './security/module';
import { createSecurityLog } from './security-log/module';
import { createSessions, prepareHttp, presentOrigin } from './sessions/module';
import { createSignIn } from './sign-in/module';
import { createTokens } from './tokens/module';
export type { AuthApp } from './operator';

export interface AuthDependencies extends MessagingResources, DirectoryOptions, ProviderOptions {
  readonly config: Config;
  /** The shared store for announcements to gateways. Without it, gateways cache no callers, so revocations need no announcement. */
  readonly coordination: Coordination | undefined;
}

/** Identity and access: sign-in, authorization, tokens, introspection, and the subgraph of people and accounts. */
export function createApp({ config, ...given }: AuthDependencies) {
  const { connection, broker, coordination, logger, now, ...options } = given;
  const { baseUrl, nodeIdDomain } = config;
  const presence = createPresence({ connection, logger });
  const relay = createDirectoryRelay({ connection, broker, presence, logger, now });
  const sealer = createSealer(config.sealingKeys);
  const platform = { connection, logger, now, baseUrl, nodeIdDomain, sealer, presence, nudge: () => relay.nudge() };
  const security = createSecurity(platform, { coordination, presentOrigin });
  const mails = createMails(platform, { settings: config });
  const directory = createDirectory(platform, { security, mails, broker, options });
  const imports = createImports(platform, { directory, security, broker, options });
  const clients = createClients(platform, { security, directory, settings: config });
  const sessions = createSessions(platform, { security, directory });
  const tokens = createTokens(platform, { security, directory, clients, settings: config });
  const oauth = createOAuth(platform, { security, mails, directory, clients, tokens, settings: config, options });
  const factors = createFactors(platform, { security, directory, clients, sessions });
  const signIn = createSignIn(platform, { security, directory, clients, tokens, sessions, oauth, factors });
  const mailedLinks = createMailedLinks(platform, { security, mails, directory, sessions });
  const securityLog = createSecurityLog(platform, { security, directory });
  const needs = { security, mails, directory, clients, tokens, sessions, oauth, factors, securityLog };
  const own = [createProfile(platform, needs), createAdministration(platform, needs), securityLog];
  const pages = sessions.pages(signIn.earlyRefusals, factors.requireEnrolment, [signIn, factors, mailedLinks, ...own]);
  const modules = [security, mails, directory, imports, clients, tokens, oauth, mailedLinks, securityLog, pages];
  const { verify } = tokens.keys;
  const messages = { broker, relay, presence };
  const app = composeApp({ modules, connection, sealer, verify, logger, now, messages, prepareHttp });
  return { ...app, ...createOperatorAccess({ directory, clients, tokens, oauth, mailedLinks, factors }) };
}
