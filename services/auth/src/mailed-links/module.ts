import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Module, Platform } from '@itsm/shared/running/module';
import type { Router } from 'express';
import type { Directory } from '../directory/module';
import type { Mails } from '../mails/module';
import type { Security } from '../security/module';
import type { Sessions } from '../sessions/module';
import { createDeliverMail } from './deliver-mail';
import { createForgotPasswordRoutes } from './forgot-password.routes';
import { createLinkRoutes } from './link.routes';
import { createMailedLinkRepository } from './mailed-link.repository';
import { createMailedLinkService } from './mailed-link.service';
import type { SentLink } from './mailed-link.service';
import { createRequestReset } from './reset-request.service';

interface Needs {
  readonly security: Security;
  readonly mails: Mails;
  readonly directory: Directory;
  readonly sessions: Sessions;
}

export interface MailedLinks extends Module {
  readonly pages: readonly Router[];
  /** A link for choosing a password, which the operator hands to the person. A 404 for an unknown address. */
  makeLink(accountId: string, email: string): Promise<SentLink>;
}

export function createMailedLinks({ connection, logger, now, baseUrl }: Platform, needs: Needs): MailedLinks {
  const { security, mails, directory, sessions } = needs;
  const { attempts, audit } = security;
  const { queue, post, areSent } = mails;
  const { accounts, people, credentials } = directory;
  const { cookie } = sessions;
  const repository = createMailedLinkRepository(connection);
  const links = createMailedLinkService({ links: repository, people, accounts, credentials, baseUrl, now });
  const deliver = createDeliverMail({ people, accounts, links, queue, post, areSent, attempts, audit, logger, now });
  const requestReset = createRequestReset({ queue, attempts });
  return {
    pages: [createForgotPasswordRoutes({ requestReset, areSent, cookie }), createLinkRoutes({ links, cookie })],
    async makeLink(accountId, email) {
      const person = await people.findByEmail(accountId, email);
      if (!person || person.disabledAt) throw notFound();
      const link = await links.make(person, 'password', 'operator');
      await audit.record(accountId, {
        event: 'password.link_sent',
        person,
        facts: { because: 'made by the operator' },
      });
      return link;
    },
    runners: [{ start: () => queue.start(deliver), stop: () => queue.stop() }],
  };
}
