import { randomUUID } from 'node:crypto';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { introspect } from './client';
import type { Auth, SeededPerson } from './start-auth';
import { everything } from './start-auth';

/** The answer of the subgraph: `data` by field, with refusals of mutations inside. */
export interface Answer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

interface As {
  readonly scopes?: readonly Scope[];
  /** The selected account; default: the person's own. */
  readonly accountId?: string;
}

export const nodeId = (type: string, id: number | string): string => toNodeId('service.example', type, id);

/** The caller JWT of a new personal access token, as the gateway gets it from introspection. */
export async function callerToken(auth: Auth, person: SeededPerson, scopes: readonly Scope[] = everything) {
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const input = { personId: person.id, name: randomUUID(), scopes, expiresAt };
  const { token } = await auth.app.operator.createPersonalAccessToken(input);
  return (await introspect(auth, token)).caller_token;
}

/** Calls the subgraph as the gateway does. */
export async function callGraph(auth: Auth, person: SeededPerson, query: string, variables: object = {}, as: As = {}) {
  const response = await auth.http
    .post('/graphql')
    .set('Authorization', `Bearer ${await callerToken(auth, person, as.scopes)}`)
    .set('X-Service-Account', as.accountId ?? person.accountId)
    .send({ query, variables });
  return response.body as Answer;
}
