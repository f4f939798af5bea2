import { isDeepStrictEqual } from 'node:util';
import { forbidden, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { parse } from '@itsm/shared/api/http/parse';
import type { Slice } from '@itsm/shared/api/graphql/connections';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Audit } from '../security/audit.service';
import { withDisabled } from '../directory/standing';
import type { Announce } from '../security/announce';
import type { Application } from './application';
import { changeEntries, createdEntry } from './application-entries';
import type { ApplicationReferences } from './application-references';
import type { ApplicationRepository } from './application.repository';
import { applicationChanges, missingFor, newApplicationSettings } from './application.input';
import type { ApplicationChanges, ApplicationSettings, NewApplicationSettings } from './application.input';
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
  list(accountId: string, slice: Slice): Promise<Application[]>;
  count(accountId: string): Promise<number>;
  /** The account's applications whose name and description contain all `words`, as a source for order and filters. */
  listing(accountId: string, words: readonly string[]): Promise<CollectionSource<Application>>;
  /** Creates an application without client tokens; a 422 names every refused field. */
  create(accountId: string, limits: readonly Scope[], input: NewApplicationSettings): Promise<Application>;
  /** Changes the given members. When it returns, tokens that end because of new scopes or disabling are no longer accepted. */
  update(accountId: string, limits: readonly Scope[], id: number, input: ApplicationChanges): Promise<Application>;
  /** Deletes the application with its client tokens. When it returns, none of its access tokens is accepted. */
  delete(accountId: string, id: number): Promise<void>;
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
    const after = { ...before, ...changes };
    refuse([
      ...missingFor(after),
      ...keyProblems(after, allowInsecureProviders),
      ...(await references.refused(before.accountId, changes)),
    ]);
  }

  async function update(
    accountId: string,
    limits: readonly Scope[],
    id: number,
    input: ApplicationChanges,
  ): Promise<Application> {
    const before = await load(accountId, id);
    const { disabled, ...given } = parse(applicationChanges, input);
    const changes = differing(before, given);
    const isMoreThanDisabling = Object.keys(changes).length > 0 || disabled === false;
    if (isMoreThanDisabling) await checkChanges(before, limits, changes);
    const switched = disabled !== undefined && disabled !== (before.disabledAt !== null);
    const standing = switched ? withDisabled(before, disabled, now()) : {};
    // Compare-and-set on `disabledAt`, so that a concurrent revocation is never undone.
    const seen = switched ? { disabledAt: before.disabledAt } : {};
    const outcome = await applications.change(accountId, id, { ...changes, ...standing }, seen);
    if (outcome === 'taken') throw nameTaken();
    if (outcome === 'missing' && switched) return update(accountId, limits, id, input);
    const entries = changeEntries(before, { ...before, ...changes, ...standing }, Object.keys(changes));
    await announce([accountId], async () => {
      for (const entry of entries) await audit.record(accountId, entry);
    });
    return load(accountId, id);
  }

  return {
    ensure: createEnsureApplication(dependencies),
    find: (accountId, id) => applications.find(accountId, id),
    list: (accountId, slice) => applications.list(accountId, slice),
    count: (accountId) => applications.count(accountId),
    listing: (accountId, words) => applications.source(accountId, words),
    async create(accountId, limits, input) {
      const settings = parse(newApplicationSettings, input);
      checkWithin(settings.scopes, limits);
      refuse([
        ...missingFor(settings),
        ...keyProblems(settings, allowInsecureProviders),
        ...(await references.refused(accountId, settings)),
      ]);
      const id = await sequence.next('application');
      const initial = { scopesVersion: 1, tokens: [], disabledAt: null, enabledAt: null };
      const application = { id, accountId, ...settings, ...initial };
      if (!(await applications.insert(application))) throw nameTaken();
      await audit.record(accountId, createdEntry(application));
      return application;
    },
    update,
    async delete(accountId, id) {
      const application = await applications.delete(accountId, id);
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

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw validationFailed(errors);
}

const nameTaken = () => validationFailed([['name', 'Name is already taken']]);

type Given = { readonly [K in keyof ApplicationSettings]?: ApplicationSettings[K] | undefined };

/** The given settings that differ from the present ones. */
function differing(before: Application, given: Given): Partial<ApplicationSettings> {
  const isChange = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && !isDeepStrictEqual(value, before[name as keyof ApplicationSettings]);
  const { scopes, ...others } = Object.fromEntries(
    Object.entries(given).filter(isChange),
  ) as Partial<ApplicationSettings>;
  return scopes && !isSameScopes(scopes, before.scopes) ? { ...others, scopes } : others;
}
