import type { Scope } from '@itsm/shared/contracts/scopes';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { bodyIn, introspect } from './client';
import type { Auth, SeededPerson } from './start-auth';
import { everything } from './start-auth';

export interface Answer {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

interface CallOptions {
  readonly scopes?: readonly Scope[];
  /** The account to act in, the person's own unless given. */
  readonly accountId?: string;
}

export const nodeId = (type: string, id: number | string): string => toNodeId('service.example', type, id);

/** A personal access token of the person. */
export async function tokenOf(auth: Auth, person: Pick<SeededPerson, 'id'>, scopes: readonly Scope[] = everything) {
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const input = { personId: person.id, name: `test ${Math.random()}`, scopes: [...scopes], expiresAt };
  return (await auth.app.operator.createPersonalAccessToken(input)).token;
}

/** The headers of a call of the person, as the gateway forwards it. */
export async function headersOf(auth: Auth, person: SeededPerson, { scopes, accountId }: CallOptions = {}) {
  const { caller_token } = await introspect(auth, await tokenOf(auth, person, scopes));
  return { Authorization: `Bearer ${caller_token}`, 'X-Service-Account': accountId ?? person.accountId };
}

/** Calls the subgraph as the gateway does. */
export async function call(
  auth: Auth,
  person: SeededPerson,
  query: string,
  variables: object = {},
  options: CallOptions = {},
): Promise<Answer> {
  const headers = await headersOf(auth, person, options);
  return bodyIn(await auth.http.post('/graphql').set(headers).send({ query, variables })) as Answer;
}
