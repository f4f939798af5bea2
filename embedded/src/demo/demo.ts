import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuthApp } from '@itsm/auth/app';
import type { GraphApp } from '@itsm/graph/app';
import type { UiExtensionsApp } from '@itsm/ui-extensions/app';
import type { Role } from '@itsm/shared/contracts/directory';
import type { Clock } from '@itsm/shared/base/time/clock';
import { keepSecretFile } from '../data/data-directory';
import {
  application,
  branch,
  demoAccounts,
  demoRequest,
  everything,
  requestCount,
  rolesOf,
  source,
  uiExtension,
} from './demo-data';
import type { DemoAccountId, Position } from './demo-data';
import { readDemoFile } from './demo-file';
import type { DemoAccount, DemoBranch, DemoFile, DemoPerson } from './demo-file';
import { storyPeople } from './story/deeds';
import type { StoryPerson } from './story/deeds';
import { laptopForm } from './story/laptop-form';
import { tellStory } from './tell-story';

export interface DemoOptions {
  readonly auth: AuthApp['operator'];
  readonly records: GraphApp['seed'];
  readonly extensions: UiExtensionsApp['seed'];
  readonly now: Clock;
  readonly file: string;
  /** Prefix of the databases; undefined for the embedded store. */
  readonly databases: string | undefined;
  readonly baseUrl: string;
  /** What the account `wdc` has: the story of a week, or fifty requests alone. */
  readonly content: DemoContent;
}

export const demoContents = ['story', 'plain'] as const;
export type DemoContent = (typeof demoContents)[number];

const yearMilliseconds = 365 * 86_400_000;

/**
 * Creates the demo accounts, people and records if they are missing, then writes their credentials to `file`. Every
 * step can be retried, so an interrupted start is simply repeated. If `file` already belongs to this store, only its
 * addresses are updated.
 */
export async function seedDemo(options: DemoOptions): Promise<DemoFile> {
  const { file, databases, baseUrl } = options;
  const known = await knownDemo(options);
  if (known?.base_url === baseUrl) return known;
  const demo: DemoFile = {
    ...known,
    base_url: baseUrl,
    auth_url: `${baseUrl}/oauth`,
    graphql_url: `${baseUrl}/graphql`,
    databases,
    accounts: known?.accounts ?? (await seedAccounts(options)),
  };
  keepSecretFile(file, demo);
  return demo;
}

async function seedAccounts(options: DemoOptions): Promise<DemoFile['accounts']> {
  const wdc = await seedAccount('wdc', options);
  const acme = await seedAccount('acme', { ...options, content: 'plain' });
  return { wdc, acme, 'wdc-labs': await seedBranch(wdc, options) };
}

/** The content of `file`; undefined if it is missing or belongs to another store. */
async function knownDemo({ file, databases, auth }: DemoOptions): Promise<DemoFile | undefined> {
  if (!existsSync(file)) return undefined;
  const demo = readDemoFile(file);
  return demo.databases === databases && (await auth.hasAccount('wdc')) ? demo : undefined;
}

async function seedAccount(accountId: DemoAccountId, options: DemoOptions): Promise<DemoAccount> {
  const { auth, extensions, content } = options;
  const { name, people } = demoAccounts[accountId];
  await auth.ensureAccount({ id: accountId, name });
  const seed = (position: Position) =>
    seedPerson(accountId, { name: people[position], roles: rolesOf[position] }, options);
  const administrator = await seed('administrator');
  const specialist = await seed('specialist');
  const endUser = await seed('end_user');
  const isStory = content === 'story';
  const { id: extensionId } = await extensions.ensureExtension(accountId, {
    ...uiExtension,
    activations: [...uiExtension.activations, ...(isStory ? [{ formDefinition: laptopForm }] : [])],
  });
  const others = isStory
    ? await seedStory(accountId, { ellen: administrator, howard: specialist, grace: endUser }, extensionId, options)
    : undefined;
  if (!isStory)
    await seedRecords(
      accountId,
      { ...demoAccounts[accountId], requestCount, specialistId: specialist.id, endUserId: endUser.id },
      options,
    );
  return {
    administrator: administrator.person,
    specialist: specialist.person,
    end_user: endUser.person,
    ...(others && { others }),
    application: await seedApplication(accountId, options),
  };
}

/** Creates the further people of the story and tells it. */
async function seedStory(
  accountId: DemoAccountId,
  known: Readonly<Record<'ellen' | 'howard' | 'grace', Seeded>>,
  extensionId: number,
  options: DemoOptions,
): Promise<NonNullable<DemoAccount['others']>> {
  const { records, now } = options;
  const { mia, sam, tom } = storyPeople;
  const seeded = {
    mia: await seedPerson(accountId, mia, options),
    sam: await seedPerson(accountId, sam, options),
    tom: await seedPerson(accountId, tom, options),
  };
  const people: Readonly<Record<StoryPerson, Seeded>> = { ...known, ...seeded };
  await knowsEverybody(
    records,
    Object.values(people).map(({ id }) => id),
  );
  await tellStory(accountId, { records, now, people, extensionId });
  return (['mia', 'sam', 'tom'] as const).map((key) => ({
    ...seeded[key].person,
    position: storyPeople[key].position,
  }));
}

/** Creates the branch and gives the people of `directory` their roles in it. */
async function seedBranch(directory: DemoAccount, options: DemoOptions): Promise<DemoBranch> {
  const { auth } = options;
  const { id: accountId, name, directory: directoryAccountId } = branch;
  const account = { id: accountId, name, directoryAccountId };
  await auth.createAccount({ account, administrator: { email: directory.administrator.email } });
  const give = (position: Position) =>
    auth.giveRoles(directoryAccountId, directory[position].email, accountId, rolesOf[position]);
  const [specialist, endUser] = [await give('specialist'), await give('end_user')];
  await seedRecords(accountId, { ...branch, specialistId: specialist.id, endUserId: endUser.id }, options);
  return { directory_account: directoryAccountId, application: await seedApplication(accountId, options) };
}

async function seedApplication(accountId: string, { auth }: DemoOptions): Promise<DemoBranch['application']> {
  const client = await auth.ensureApplication({
    accountId,
    ...application,
    // Exempt, so that the four parameters of the simplest authorization request are enough to try it.
    pkceRequired: false,
    redirectUris: [...application.redirectUris],
    grantTypes: [...application.grantTypes],
    scopes: application.scopes.map((scope) => ({ ...scope, actions: [...scope.actions] })),
  });
  return {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    redirect_uris: [...application.redirectUris],
  };
}

interface Seeded {
  readonly id: number;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly person: DemoPerson;
}

async function seedPerson(
  accountId: DemoAccountId,
  { name, roles, locale }: { readonly name: string; readonly roles: readonly Role[]; readonly locale?: string },
  { auth, now }: DemoOptions,
): Promise<Seeded> {
  const email = `${name.toLowerCase().replace(' ', '.')}@${accountId}.example`;
  const password = randomBytes(12).toString('base64url');
  const given = { accountId, name, primaryEmail: email, password, roles: [...roles], ...(locale && { locale }) };
  const { id } = await auth.ensurePerson(given);
  const { token } = await auth.createPersonalAccessToken({
    personId: id,
    name: 'Demo',
    scopes: everything,
    expiresAt: new Date(now().getTime() + yearMilliseconds),
  });
  return { id, name, roles, person: { name, email, password, personal_access_token: token } };
}

interface RecordSeed {
  readonly teams: readonly string[];
  readonly requestCount: number;
  readonly specialistId: number;
  readonly endUserId: number;
}

async function seedRecords(
  accountId: string,
  { teams: names, requestCount: count, specialistId, endUserId }: RecordSeed,
  { records, now }: DemoOptions,
): Promise<void> {
  await knowsEverybody(records, [specialistId, endUserId]);
  const teams: number[] = [];
  for (const [index, name] of names.entries()) {
    const sourceID = `team-${index + 1}`;
    const team = await records.ensureTeam(accountId, { source, sourceID, name, memberIds: [specialistId] });
    teams.push(team.id);
  }
  for (let index = 0; index < count; index += 1) {
    const teamId = teams[index % teams.length];
    await records.ensureRequest(accountId, {
      ...demoRequest(index, now()),
      requestedById: endUserId,
      ...(teamId !== undefined && { teamId }),
      ...(index % 2 === 0 && { memberId: specialistId }),
    });
  }
}

/**
 * Waits for the people: the records service gets them by message, a moment after auth has saved them. It has no limit:
 * a slow machine takes long, and Ctrl-C ends a start.
 */
async function knowsEverybody(records: DemoOptions['records'], ids: readonly number[]): Promise<void> {
  for (const id of ids) while (!(await records.knowsPerson(id))) await pause(20);
}
