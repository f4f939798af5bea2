import { parseArgs } from 'node:util';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Administrator } from './create-account';
import { refusalOf } from './directory/password-rules';
import type { Operator } from './operator';

/** Runs a command of the operator; resolves with the sentence to print. */
export type Command = (operator: Operator, baseUrl: string) => Promise<string>;

const usage = `Usage, after "node dist/operate.js", or beside "npm start" after "npm run operate --":
  create-account --account acme [--name Acme] [--directory wdc] [--custom-url https://…]
    [--administrator ellen@wdc.example]                 who is of the account or of its directory account
    [--administrator ada@acme.example --administrator-name "Ada Adams"]   somebody new, with PERSON_PASSWORD
  disable-account --account wdc
  enable-account --account wdc
  set-password --account wdc --email ellen@wdc.example  to PERSON_PASSWORD
  make-link --account wdc --email ellen@wdc.example     with which they choose a password themselves
  remove-second-factors --account wdc --email ellen@wdc.example  for somebody who has lost all of them`;

const optionsOf: Readonly<Record<string, readonly string[]>> = {
  'create-account': ['account', 'name', 'directory', 'custom-url', 'administrator', 'administrator-name'],
  'disable-account': ['account'],
  'enable-account': ['account'],
  'set-password': ['account', 'email'],
  'make-link': ['account', 'email'],
  'remove-second-factors': ['account', 'email'],
};

/** Parses the command line; throws an error with the usage when it names no command. */
export function parseCommand(args: readonly string[], personPassword: string | undefined): Command {
  const { verb, values } = parse(args);
  const { account = '', email = '' } = values;
  switch (verb) {
    case 'create-account':
      return explained(createAccount(account, values, personPassword));
    case 'set-password':
      if (personPassword === undefined || email === '') throw new Error(usage);
      return explained(async (operator) => {
        await operator.setPassword(account, email, personPassword);
        return `${email} of account ${account} can sign in with the password`;
      }, `Account ${account} has nobody with the address ${email}`);
    case 'make-link':
      if (email === '') throw new Error(usage);
      return explained(async (operator) => {
        const { url, expiresAt } = await operator.makeLink(account, email);
        return `With this link ${email} of account ${account} chooses a password, once, until ${expiresAt.toISOString()}:\n${url}`;
      }, `Account ${account} has nobody with the address ${email} who is not disabled`);
    case 'remove-second-factors':
      if (email === '') throw new Error(usage);
      return explained(async (operator) => {
        await operator.removeSecondFactors(account, email);
        return `${email} of account ${account} can sign in with the password alone`;
      }, `Account ${account} has nobody with the address ${email}`);
    default:
      return explained(async (operator) => {
        await operator.setAccountDisabled(account, verb === 'disable-account');
        return `Account ${account} is ${verb === 'disable-account' ? 'disabled; its tokens are dead' : 'enabled'}`;
      }, `There is no account ${account}`);
  }
}

type Values = Readonly<Record<string, string | undefined>>;

function parse(args: readonly string[]): { verb: string; values: Values } {
  const [verb = ''] = args;
  const known = Object.hasOwn(optionsOf, verb) ? optionsOf[verb] : undefined;
  if (!known) throw new Error(usage);
  try {
    const options = Object.fromEntries(known.map((name) => [name, { type: 'string' } as const]));
    const { values } = parseArgs({ args: args.slice(1), options });
    if (!values['account']) throw new Error(usage);
    if (values['administrator-name'] !== undefined && !values['administrator']) throw new Error(usage);
    return { verb, values };
  } catch {
    throw new Error(usage);
  }
}

const createAccount =
  (id: string, values: Values, password: string | undefined): Command =>
  async (operator, baseUrl) => {
    const { name, directory, administrator: email, 'custom-url': customUrl } = values;
    const account = {
      id,
      ...(name !== undefined && { name }),
      ...(customUrl !== undefined && { customUrl }),
      ...(directory !== undefined && { directoryAccountId: directory }),
    };
    const administrator =
      email === undefined ? undefined : administratorOf(email, values['administrator-name'], password);
    const made = await operator.createAccount({ account, administrator });
    const parent = made.account.directoryAccountId;
    const person = made.administrator;
    return [
      `Account ${id} is ready`,
      parent === null ? '' : `, with the directory account ${parent}`,
      person ? `; ${person.name} (person ${person.id}) administers it and can sign in at ${baseUrl}/oauth/sign-in` : '',
    ].join('');
  };

function administratorOf(email: string, name: string | undefined, password: string | undefined): Administrator {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('Administrator must be an e-mail address');
  if (name === undefined) return { email };
  const refusal = refusalOf(password ?? '', { name, primaryEmail: email });
  if (refusal !== undefined) throw new Error(refusal.replace('Password', 'PERSON_PASSWORD'));
  return { email, name, password: password ?? '' };
}

/** Wraps a command, so that its refusals are complete sentences. */
const explained =
  (command: Command, notFound?: string): Command =>
  async (operator, baseUrl) => {
    try {
      return await command(operator, baseUrl);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const sentences = error.details.errors?.map(([, text]) => text) ?? [];
      const plain = error.code === 'not_found' && notFound !== undefined ? notFound : error.message;
      throw new Error(sentences.length > 0 ? sentences.join('; ') : plain, { cause: error });
    }
  };
