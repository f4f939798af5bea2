import type { Module, Platform } from '@itsm/shared/running/module';
import type { Router } from 'express';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import { createSecurityLogResolvers, securityLogTypeDefs } from './security-log.resolvers';
import { createSecurityLogRoutes } from './security-log.routes';
import { createSecurityLogService } from './security-log.service';
import type { SecurityLogService } from './security-log.service';

interface Needs {
  readonly security: Security;
  readonly directory: Directory;
}

export interface SecurityLog extends Module {
  readonly service: SecurityLogService;
  readonly pages: readonly Router[];
}

export function createSecurityLog({ now, nodeIdDomain }: Platform, { security, directory }: Needs): SecurityLog {
  const { accounts, people } = directory;
  const service = createSecurityLogService({ auditEntries: security.auditEntries, now });
  return {
    service,
    pages: [createSecurityLogRoutes({ securityLog: service, accounts })],
    sdl: securityLogTypeDefs,
    resolvers: createSecurityLogResolvers({ securityLog: service, people, accounts, nodeIdDomain }),
  };
}
