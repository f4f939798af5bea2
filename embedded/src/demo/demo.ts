import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuthApp } from '@itsm/auth/app';
import type { GraphApp } from '@itsm/graph/app';
import type { UiExtensionsApp } from '@itsm/ui-extensions/app';
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

export interface DemoOptions {
  readonly auth: AuthApp['operator'];
  readonly records: GraphApp['seed'];
  readonly extensions: UiExtensionsApp['seed'];
  readonly now: Clock;
  readonly file: string;
  /** Prefix of the databases; undefined for the embedded store. */
  readonly databases: string | undefined;
  readonly baseUrl: string;
}

const yearMilliseconds = 365 * 86_400_000;

/**
 * Creates the demo accounts, people and records if they are missing, then writes their credentials to `file`. Every
 * step can be retried, so an interrupted start is simply repeated. If `file` already belongs to this store, only its
 * addresses are updated.
 */
export async function seedDemo(options: DemoOptions): Promise<void> {
  const { file, databases, baseUrl } = options;
  const known = await knownDemo(options);
  if (known?.base_url === baseUrl) return;
  const demo: DemoFile = {
    base_url: baseUrl,
    auth_url: `${baseUrl}/oauth`,
    graphql_url: `${baseUrl}/graphql`,
    databases,
    accounts: known?.accounts ?? (await seedAccounts(options)),
  };
  keepSecretFile(file, demo);
}

async function seedAccounts(options: DemoOptions): Promise<DemoFile['accounts']> {
  const wdc = await seedAccount('wdc', options);
  const acme = await seedAccount('acme', options);
  return { wdc, acme, 'wdc-labs': await seedBranch(wdc, options) };
}

/** The content of `file`; undefined if it is missing or belongs to another store. */
async function knownDemo({ file, databases, auth }: DemoOptions): Promise<DemoFile | undefined> {
  if (!existsSync(file)) return undefined;
  const demo = readDemoFile(file);
  return demo.databases === databases && (await auth.hasAccount('wdc')) ? demo : undefined;
}

async function seedAccount(accountId: DemoAccountId, options: DemoOptions): Promise<DemoAccount> {
  const { auth, extensions } = options;
  const { name } = demoAccounts[accountId];
  await auth.ensureAccount({ id: accountId, name });
  const administrator = await seedPerson(accountId, 'administrator', options);
  const specialist = await seedPerson(accountId, 'specialist', options);
  const endUser = await seedPerson(accountId, 'end_user', options);
  await seedRecords(
    accountId,
    { ...demoAccounts[accountId], requestCount, specialistId: specialist.id, endUserId: endUser.id },
    options,
  );
  await extensions.ensureExtension(accountId, { ...uiExtension, activations: [...uiExtension.activations] });
  return {
    administrator: administrator.person,
    specialist: specialist.person,
    end_user: endUser.person,
    application: await seedApplication(accountId, options),
  };
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

async function seedPerson(
  accountId: DemoAccountId,
  position: Position,
  { auth, now }: DemoOptions,
): Promise<{ id: number; person: DemoPerson }> {
  const name = demoAccounts[accountId].people[position];
  const email = `${name.toLowerCase().replace(' ', '.')}@${accountId}.example`;
  const password = randomBytes(12).toString('base64url');
  const { id } = await auth.ensurePerson({ accountId, name, primaryEmail: email, password, roles: rolesOf[position] });
  const { token } = await auth.createPersonalAccessToken({
    personId: id,
    name: 'Demo',
    scopes: everything,
    expiresAt: new Date(now().getTime() + yearMilliseconds),
  });
  return { id, person: { name, email, password, personal_access_token: token } };
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
