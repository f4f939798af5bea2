import type { AccountRepository } from '../directory/account.repository';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import type { SsoConfigurationService } from './sso-configuration.service';
import type { ApplicationSettings } from './application';

interface Dependencies {
  readonly ssoConfigurations: Pick<SsoConfigurationService, 'findLinkable'>;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
}

type References = Pick<ApplicationSettings, 'ssoConfigurationId' | 'actsAsPersonId'>;

/** Looks up what an application refers to, within its account and the directory account. */
export interface ApplicationReferences {
  /** Why references are refused that are not found, by field; a disabled person counts as not found. */
  refused(accountId: string, references: Partial<References>): Promise<{ readonly [F in keyof References]?: string }>;
  /** A person of the account itself or of its directory account. */
  findPerson(accountId: string, id: number): Promise<Person | undefined>;
}

export function createApplicationReferences(dependencies: Dependencies): ApplicationReferences {
  const { ssoConfigurations, people, accounts } = dependencies;

  /** First in the account itself, then in its directory account. */
  async function findPerson(accountId: string, id: number): Promise<Person | undefined> {
    const own = await people.find(accountId, id);
    if (own) return own;
    const directoryAccountId = (await accounts.find(accountId))?.directoryAccountId;
    return directoryAccountId == null ? undefined : people.find(directoryAccountId, id);
  }

  return {
    findPerson,
    async refused(accountId, { ssoConfigurationId, actsAsPersonId }) {
      const isUnknown =
        ssoConfigurationId != null && !(await ssoConfigurations.findLinkable(accountId, ssoConfigurationId));
      const person = actsAsPersonId == null ? undefined : await findPerson(accountId, actsAsPersonId);
      const isNobody = actsAsPersonId != null && (!person || person.disabledAt !== null);
      return {
        ...(isUnknown && { ssoConfigurationId: 'was not found' }),
        ...(isNobody && { actsAsPersonId: 'was not found' }),
      };
    },
  };
}
