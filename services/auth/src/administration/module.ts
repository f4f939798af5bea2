import type { Platform } from '@itsm/shared/running/module';
import type { Router } from 'express';
import type { FactorsModule } from '../factors/module';
import type { Mails } from '../mails/module';
import type { OAuth } from '../oauth/module';
import type { Sessions } from '../sessions/module';
import type { Foundations } from '../tokens/module';
import { createAdministrationRoutes } from './administration.routes';
import { createPeopleService } from './people.service';

interface Needs extends Foundations {
  readonly mails: Mails;
  readonly sessions: Sessions;
  readonly oauth: Pick<OAuth, 'ssoCheck'>;
  readonly factors: FactorsModule;
}

/** The pages of administrators for what the console has no pages for. */
export function createAdministration({ baseUrl }: Platform, needs: Needs): { readonly pages: readonly Router[] } {
  const { mails, directory, clients, sessions, oauth, factors } = needs;
  const { accounts, people, personLinks, roleOffers, accountAdministration } = directory;
  return {
    pages: [
      createAdministrationRoutes({
        hasConsole: clients.installed !== undefined,
        ssoConfigurations: clients.ssoConfigurations,
        ssoCheck: oauth.ssoCheck,
        accounts,
        peopleList: createPeopleService({ people, sessions: sessions.service }),
        personLinks,
        roleOffers,
        areSent: mails.areSent,
        baseUrl,
        accountAdministration,
        requireFresh: factors.requireFresh,
      }),
    ],
  };
}
