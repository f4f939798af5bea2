import type { FieldError } from '@itsm/shared/base/errors/app-error';
import type { AccountRepository } from '../directory/account.repository';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import type { SsoConfigurationService } from './sso-configuration.service';
import type { ApplicationSettings } from './application.input';

interface Dependencies {
  readonly ssoConfigurations: Pick<SsoConfigurationService, 'findLinkable'>;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
}

type References = Pick<ApplicationSettings, 'ssoConfigurationId' | 'actsAsPersonId'>;

/** Looks up what an application refers to, within its account and the directory account. */
export interface ApplicationReferences {
  /** A field error for each reference that is not found; a disabled person counts as not found. */
  refused(accountId: string, references: Partial<References>): Promise<FieldError[]>;
  /** A person of the account itself or of its directory account. */
  findPerson(accountId: string, id: number): Promise<Person | undefined>;
  findPersonByEmail(accountId: string, email: string): Promise<Person | undefined>;
}

export function createApplicationReferences(dependencies: Dependencies): ApplicationReferences {
  const { ssoConfigurations, people, accounts } = dependencies;

  /** First in the account itself, then in its directory account. */
  async function findThere(accountId: string, find: (accountId: string) => Promise<Person | undefined>) {
    const own = await find(accountId);
    if (own) return own;
    const directoryAccountId = (await accounts.find(accountId))?.directoryAccountId;
    return directoryAccountId == null ? undefined : find(directoryAccountId);
  }

  const findPerson = (accountId: string, id: number): Promise<Person | undefined> =>
    findThere(accountId, (there) => people.find(there, id));

  return {
    findPerson,
    findPersonByEmail: (accountId, email) => findThere(accountId, (there) => people.findByEmail(there, email)),
    async refused(accountId, { ssoConfigurationId, actsAsPersonId }) {
      const refused: FieldError[] = [];
      if (ssoConfigurationId != null && !(await ssoConfigurations.findLinkable(accountId, ssoConfigurationId))) {
        refused.push(['ssoConfigurationId', 'SSO configuration was not found']);
      }
      const person = actsAsPersonId == null ? undefined : await findPerson(accountId, actsAsPersonId);
      if (actsAsPersonId != null && (!person || person.disabledAt)) {
        refused.push(['actsAsPersonId', 'Person was not found']);
      }
      return refused;
    },
  };
}
