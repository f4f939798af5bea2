import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { forkChild } from './child';
import type { Child } from './child';

export const callback = 'http://127.0.0.1/callback';
export const everything = [{ effect: 'allow', actions: ['*:*'] }];

export interface Person {
  readonly id: number;
  readonly accountId: string;
  readonly email: string;
  readonly password: string;
}

export interface Application {
  readonly id: number;
  readonly accountId: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

export type Operator = Awaited<ReturnType<typeof startOperator>>;

const random = (bytes: number): string => randomBytes(bytes).toString('hex');

/** The installation's operator: seeds accounts and revokes like an administrator, in a separate process. */
export async function startOperator(cwd: string, env: Readonly<Record<string, string>>) {
  const child: Child = forkChild(join(__dirname, 'operator-process.mjs'), { cwd, env });
  const pending = new Map<number, (answer: Answer) => void>();
  const secrets: string[] = [];
  const accounts: string[] = [];
  let last = 0;
  child.process.on('message', (answer: Answer) => pending.get(answer.id)?.(answer));
  await Promise.race([
    new Promise<void>((resolve) => pending.set(0, () => resolve())),
    child.says(/^never$/).then(() => undefined),
  ]);

  function call<T>(path: string, ...args: readonly unknown[]): Promise<T> {
    last += 1;
    const id = last;
    return new Promise<T>((resolve, reject) => {
      pending.set(id, ({ value, error }) => {
        pending.delete(id);
        // The result has the type of the use case at the path.
        if (error === undefined) resolve(value as T);
        else reject(new Error(error));
      });
      child.process.send({ id, path, args });
    });
  }

  async function ensureApplication(accountId: string, name: string): Promise<Application> {
    const grantTypes = ['authorization_code', 'refresh_token'];
    const input = { accountId, name, redirectUris: [callback], grantTypes, scopes: everything };
    type Made = Pick<Application, 'id' | 'clientId' | 'clientSecret'>;
    const made = await call<Made>('operator.ensureApplication', input);
    secrets.push(made.clientSecret);
    return { ...made, accountId, name };
  }

  return {
    child,
    call,
    /** The accounts so far, with their passwords and secrets. */
    accounts,
    secrets,
    async ensureAccount(id: string): Promise<void> {
      accounts.push(id);
      await call('operator.ensureAccount', { id, name: `Account ${id}` });
    },
    async createPerson(accountId: string): Promise<Person> {
      const email = `person.${random(6)}@${accountId}.example`;
      const password = random(12);
      secrets.push(password);
      const input = { accountId, name: 'Ellen Brown', primaryEmail: email, password, roles: ['account_administrator'] };
      const { id } = await call<{ id: number }>('operator.ensurePerson', input);
      return { id, accountId, email, password };
    },
    createApplication: (accountId: string) => ensureApplication(accountId, `Application ${random(4)}`),
    /** Deletes the client's token and creates another. */
    renewApplicationToken: ({ accountId, name }: Application) => ensureApplication(accountId, name),
    changeApplication: ({ accountId, id }: Application, changes: object) =>
      call<void>('services.applications.update', accountId, everything, id, changes),
    async createPersonalToken({ id }: Person): Promise<{ name: string; token: string }> {
      const name = `Script ${random(4)}`;
      const expiresAt = new Date(Date.now() + 3_600_000);
      const input = { personId: id, name, scopes: everything, expiresAt };
      const { token } = await call<{ token: string }>('operator.createPersonalAccessToken', input);
      secrets.push(token);
      return { name, token };
    },
  };
}
