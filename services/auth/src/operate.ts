import { parseArgs } from 'node:util';
import { runCommand } from './operator/run-command';
import type { Command } from './operator/run-command';

const usage = `Usage:
  node dist/operate.js disable-account --account wdc
  node dist/operate.js enable-account --account wdc
  PERSON_PASSWORD=… node dist/operate.js set-password --account wdc --email ellen@wdc.example`;

/** What only the operator of the installation may do. */
runCommand(process.env, (): Command => {
  const { values, positionals } = parseOptions();
  const { account, email } = values;
  const [verb, ...more] = positionals;
  if (!account || more.length > 0) throw new Error(usage);
  if (verb === 'disable-account' || verb === 'enable-account') {
    return async (operator) => {
      await operator.setAccountDisabled(account, verb === 'disable-account');
      return `Account ${account} is ${verb === 'disable-account' ? 'disabled; its tokens are dead' : 'enabled'}`;
    };
  }
  const password = process.env['PERSON_PASSWORD'];
  if (verb !== 'set-password' || !email || password === undefined) throw new Error(usage);
  return async (operator) => {
    await operator.setPassword(account, email, password);
    return `${email} of account ${account} can sign in with the password`;
  };
});

function parseOptions() {
  const text = { type: 'string' } as const;
  return parseArgs({ options: { account: text, email: text }, allowPositionals: true });
}
