import { headersOf } from './caller';
import { bodyIn } from './client';
import type { Auth, SeededPerson } from './start-auth';

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';
export type Body = Readonly<Record<string, unknown>>;

/** Calls REST for people; `auth` returns the present service. */
export const createRestClient = (auth: () => Auth) => {
  async function send(person: SeededPerson, method: Method, path: string, body?: object, more: object = {}) {
    const headers = { ...(await headersOf(auth(), person)), ...more };
    return auth().http[method](path).set(headers).send(body);
  }
  return {
    send,
    answer: async (...args: Parameters<typeof send>): Promise<readonly [number, Body]> => {
      const response = await send(...args);
      return [response.status, bodyIn(response) as Body];
    },
  };
};

/** The answer to a refused write. */
export const refusal = (...errors: readonly (readonly [string, string])[]) => [
  422,
  { message: 'Validation Failed', errors },
];
