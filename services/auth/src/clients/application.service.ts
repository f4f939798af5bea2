import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError, forbidden, notFound } from '@itsm/shared/base/errors/app-error';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import { differing } from '@itsm/shared/declared/changes';
import { newRecord, refuse } from '@itsm/shared/declared/read-input';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Audit } from '../security/audit.service';
import { withDisabled } from '../directory/standing';
import type { Announce } from '../security/announce';
import { applicationType, missingFor } from './application';
import type { Application, ApplicationChanges, ApplicationSettings } from './application';
import { changeEntries, createdEntry } from './application-entries';
import type { ApplicationReferences } from './application-references';
import type { ApplicationRepository } from './application.repository';
import { keyProblems } from './client-keys';
import { createEnsureApplication } from './ensure-application';
import type { EnsureApplication } from './ensure-application';
import { isSameScopes, isWithin } from './scope-sets';

interface Dependencies {
  readonly applications: ApplicationRepository;
  readonly references: ApplicationReferences;
  readonly sequence: Sequence;
  /** Whether keys may be fetched over http, for local work. */
  readonly allowInsecureProviders: boolean;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

/**
 * Administration of applications. `limits` are the caller's scopes: nobody can give an application more than that, nor
 * change one that has more, except to disable it.
 */
export interface ApplicationService {
  readonly ensure: EnsureApplication;
  find(accountId: string, id: number): Promise<Application | undefined>;
  /** The account's applications whose name and description contain all `words`, as a source for order and filters. */
  listing(accountId: string, words: readonly string[]): Promise<CollectionSource<Application>>;
  /** Creates an application without client tokens; a 422 names every refused field. */
  create(accountId: string, limits: readonly Scope[], input: ApplicationChanges): Promise<Application>;
  /** Changes the given members. When it returns, tokens that end because of new scopes or disabling are no longer accepted. */
  update(
    accountId: string,
    limits: readonly Scope[],
    id: number,
    input: ApplicationChanges,
    check?: Precondition<Application>,
  ): Promise<Application>;
  /** Deletes the application with its client tokens. When it returns, none of its access tokens is accepted. */
  delete(accountId: string, id: number, check?: Precondition<Application>): Promise<void>;
}

export function createApplicationService(dependencies: Dependencies): ApplicationService {
  const { applications, references, sequence, allowInsecureProviders, announce, audit, now } = dependencies;

  async function load(accountId: string, id: number): Promise<Application> {
    const application = await applications.find(accountId, id);
    if (!application) throw notFound();
    return application;
  }

  async function checkChanges(
    before: Application,
    limits: readonly Scope[],
    changes: Partial<ApplicationSettings>,
  ): Promise<void> {
    checkWithin(before.scopes, limits);
    checkWithin(changes.scopes ?? [], limits);
    await checkSettings(before.accountId, { ...before, ...changes }, changes);
  }

  /** Of the references only the new ones are looked up. */
  async function checkSettings(
    accountId: string,
    settings: ApplicationSettings,
    changes: Partial<ApplicationSettings>,
  ): Promise<void> {
    const problems = {
      ...missingFor(settings),
      ...keyProblems(settings, allowInsecureProviders),
      ...(await references.refused(accountId, changes)),
    };
    if (Object.keys(problems).length > 0) throw refuse(applicationType, problems);
  }

  function update(
    accountId: string,
    limits: readonly Scope[],
    id: number,
    { disabled, ...given }: ApplicationChanges,
    check?: Precondition<Application>,
  ): Promise<Application> {
    const attempt = async () => {
      const before = await load(accountId, id);
      const changes = changesOf(before, given);
      const isMoreThanDisabling = Object.keys(changes).length > 0 || disabled === false;
      if (isMoreThanDisabling) await checkChanges(before, limits, changes);
      await check?.(before);
      const switched = disabled !== undefined && disabled !== (before.disabledAt !== null);
      const standing = switched ? withDisabled(before, disabled, now()) : {};
      const written = { ...changes, ...standing };
      if (Object.keys(written).length > 0) {
        // Compare-and-set also when it is switched, so that a concurrent revocation is never undone.
        const seen = check || switched ? before.version : undefined;
        const outcome = await applications.change(accountId, id, { ...written, updatedAt: now() }, seen);
        if (outcome === 'taken') throw nameTaken();
        if (outcome === 'missing' && seen !== undefined) return stale;
      }
      const entries = changeEntries(before, { ...before, ...written }, Object.keys(changes));
      await announce([accountId], async () => {
        for (const entry of entries) await audit.record(accountId, entry);
      });
      return load(accountId, id);
    };
    return writeAgain(attempt, { busy });
  }

  async function remove(accountId: string, id: number, check: Precondition<Application>) {
    const attempt = async () => {
      const before = await applications.find(accountId, id);
      if (!before) return undefined;
      await check(before);
      return (await applications.delete(accountId, id, before.version)) ?? stale;
    };
    return writeAgain(attempt, { busy });
  }

  return {
    ensure: createEnsureApplication(dependencies),
    find: (accountId, id) => applications.find(accountId, id),
    listing: (accountId, words) => applications.source(accountId, words),
    async create(accountId, limits, input) {
      const settings = newRecord(applicationType, input);
      checkWithin(settings.scopes, limits);
      await checkSettings(accountId, settings, settings);
      const id = await sequence.next('application');
      const at = now();
      const initial = { version: 1, scopesVersion: 1, tokens: [], enabledAt: null, createdAt: at, updatedAt: at };
      const application = { id, accountId, ...settings, ...initial };
      if (!(await applications.insert(application))) throw nameTaken();
      await audit.record(accountId, createdEntry(application));
      return application;
    },
    update,
    async delete(accountId, id, check) {
      const application = await (check ? remove(accountId, id, check) : applications.delete(accountId, id));
      // Announce even when it is deleted already: an earlier call may have failed between write and announcement.
      await announce([accountId], async () => {
        if (application) await audit.record(accountId, { event: 'application.deleted', application });
      });
      if (!application) throw notFound();
    },
  };
}

function checkWithin(scopes: readonly Scope[], limits: readonly Scope[]): void {
  if (!isWithin(scopes, limits)) throw forbidden('The application may do more than the token of this call');
}

const busy = (): never => {
  throw new AppError('conflict', 'The application is being changed by others at the same time');
};

const nameTaken = () => refuse(applicationType, { name: 'is already taken' });

/** The given settings that differ from the present ones; equivalent scopes are no change. */
function changesOf(before: Application, given: ApplicationChanges): Partial<ApplicationSettings> {
  const { scopes, ...others } = differing(applicationType, before, given);
  return scopes && !isSameScopes(scopes, before.scopes) ? { ...others, scopes } : others;
}
