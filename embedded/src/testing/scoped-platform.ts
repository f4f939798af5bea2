import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { Closable } from '@itsm/shared/running/app';
import { recordTypes } from '../../../services/graph/src/record-types/all';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { memberName } from '@itsm/shared/declared/names';
import { openDataDirectory } from '../data/data-directory';
import { startPlatform } from '../platform';
import { creationOf, inOrderOfCreation } from './sample-records';
import { startGateway } from './start-gateway';

interface Answer<T> {
  readonly data?: T;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** What `GET /v1/scopes` says. */
interface Scopes {
  readonly actions: readonly { readonly action: string; readonly label: string }[];
  readonly fields: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string>>;
}

/** A platform with at least one record of every type, and tokens with any scopes. */
export interface ScopedPlatform extends Closable {
  readonly schema: GraphQLSchema;
  readonly scopes: Scopes;
  /** A token of an administrator with all scopes. */
  readonly administrator: string;
  /** A token of the same person with these scopes; the tokens made before end. */
  tokenOf(actions: readonly string[]): Promise<string>;
  ask<T>(token: string, query: string): Promise<Answer<T>>;
  send(token: string, query: string, variables?: object): Promise<Response>;
  get(token: string, path: string, accept: string): Promise<Response>;
  rest(token: string, path: string): Promise<unknown>;
}

export async function startScopedPlatform(): Promise<ScopedPlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'itsm-scopes-'));
  const data = openDataDirectory(folder);
  const settings = { ALLOW_PLAIN_HTTP: 'true' };
  const platform = await startPlatform({ port: 0, data, logLevel: 'error', settings, progress: () => {} });
  const demo = JSON.parse(readFileSync(data.demoFile, 'utf8')) as {
    accounts: { wdc: Record<'administrator' | 'specialist', { personal_access_token: string }> };
  };
  const administrator = demo.accounts.wdc.administrator.personal_access_token;
  const gateway = await startGateway(platform, 'compiled');

  const ask = async <T>(token: string, query: string): Promise<Answer<T>> =>
    JSON.parse(await gateway.ask(token, query)) as Answer<T>;
  const rest = async (token: string, path: string): Promise<unknown> =>
    JSON.parse(await (await gateway.get(token, path, 'application/json')).text());

  /** Runs a mutation as the administrator, and returns its payload. */
  async function make<T>(mutation: string): Promise<T> {
    const { data, errors } = await ask<{ made: T & { errors: readonly unknown[] } }>(
      administrator,
      `mutation { made: ${mutation} }`,
    );
    if (!data || errors || data.made.errors.length > 0)
      throw new Error(`${mutation}: ${JSON.stringify({ errors, refusals: data?.made.errors })}`);
    return data.made;
  }

  const idOf = async (mutation: string, member: string): Promise<string> =>
    (await make<Record<string, { id: string }>>(`${mutation} { ${member} { id } errors { message } }`))[member]?.id ??
    '';

  /** Creates at least one record of every type, with references wherever it can have them. */
  async function makeRecords(person: string): Promise<void> {
    const extension = await idOf('uiExtensionCreate(input: { name: "U", activate: true })', 'uiExtension');
    await waitUntil('records can refer to the extension', async () => {
      const query = `{ uiExtension(id: "${extension}") { unfitRecords } }`;
      const { data } = await ask<{ uiExtension: { unfitRecords: number | null } }>(administrator, query);
      return data?.uiExtension.unfitRecords === 0;
    });
    const ids: Record<string, string> = { person, ui_extension: extension };
    for (const type of inOrderOfCreation(recordTypes))
      ids[type.name] = await idOf(creationOf(type, ids), memberName(type));
    const policy = await idOf('webhookPolicyCreate(input: { name: "P", jwtAlg: "es256" })', 'webhookPolicy');
    const webhook = await idOf(
      `webhookCreate(input: { event: "request.create", uri: "http://127.0.0.1:9/", webhookPolicyId: "${policy}" })`,
      'webhook',
    );
    await make(`webhookTest(input: { id: "${webhook}" }) { errors { message } }`);
    await make('accountUpdate(input: { customUrl: "https://itsm.example" }) { errors { message } }');
    const team = await idOf(`teamCreate(input: { name: "Own", memberIds: ["${person}"] })`, 'team');
    await idOf(`savedListCreate(input: { name: "L", type: "Request", teamId: "${team}" })`, 'savedList');
    await idOf(`textTemplateCreate(input: { name: "T", text: "A text", teamId: "${team}" })`, 'textTemplate');
    // A notice is about what another person has done.
    const note = `noteCreate(input: { recordId: "${ids['problem']}", text: "A note for @[Ellen Brown](person:${person})" })`;
    await ask(demo.accounts.wdc.specialist.personal_access_token, `mutation { ${note} { errors { message } } }`);
    await waitUntil('the administrator to be notified', async () => {
      const query = '{ notices(first: 1) { totalCount } }';
      return (await ask<{ notices: { totalCount: number } }>(administrator, query)).data?.notices.totalCount;
    });
    // The security log has an entry about a person that another one has caused.
    await make(
      'personCreate(input: { name: "P", primaryEmail: "p@wdc.example", roles: [end_user] }) { errors { message } }',
    );
  }

  /** Creates an application that acts for `person`. The returned function gets a token of it with the given scopes. */
  async function makeTokens(person: string): Promise<ScopedPlatform['tokenOf']> {
    const sso = await idOf(
      'ssoConfigurationCreate(input: { name: "S", issuer: "https://idp.example", identifier: primary_email })',
      'ssoConfiguration',
    );
    const settings = `name: "S", grantTypes: ["client_credentials"], actsAsPersonId: "${person}", ssoConfigurationId: "${sso}"`;
    const application = await idOf(
      `oauthApplicationCreate(input: { ${settings}, scopes: [{ effect: allow, actions: ["*:*"] }] })`,
      'oauthApplication',
    );
    const { oauthApplicationToken, clientSecret } = await make<{
      oauthApplicationToken: { clientId: string };
      clientSecret: string;
    }>(
      `oauthApplicationTokenCreate(input: { applicationId: "${application}" }) { oauthApplicationToken { clientId } clientSecret errors { message } }`,
    );
    return async (actions) => {
      const scope = `{ effect: allow, actions: ${JSON.stringify(actions)} }`;
      await make(`oauthApplicationUpdate(input: { id: "${application}", scopes: [${scope}] }) { errors { message } }`);
      const client = { client_id: oauthApplicationToken.clientId, client_secret: clientSecret };
      const response = await fetch(`${gateway.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', ...client }),
      });
      return ((await response.json()) as { access_token: string }).access_token;
    };
  }

  const schema = buildSchema(await (await gateway.get(administrator, '/graphql', 'text/plain')).text());
  const scopes = (await rest(administrator, '/v1/scopes')) as Scopes;
  const { data: found } = await ask<{ me: { id: string } }>(administrator, '{ me { id } }');
  await makeRecords(found?.me.id ?? '');
  const tokenOf = await makeTokens(found?.me.id ?? '');
  return {
    schema,
    scopes,
    administrator,
    tokenOf,
    send: (token, query, variables) => gateway.send(token, query, variables),
    get: (token, path, accept) => gateway.get(token, path, accept),
    ask,
    rest,
    async close() {
      await gateway.close();
      await platform.close();
      rmSync(folder, { recursive: true });
    },
  };
}
