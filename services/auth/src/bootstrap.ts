import { parseArgs } from 'node:util';
import { isAccountId } from '@itsm/shared/api/identity/account-id';
import { refusalOf } from './directory/password-rules';
import { runCommand } from './run-command';

const usage = 'BOOTSTRAP_PASSWORD=… node dist/bootstrap.js --account wdc --account-name "…" --name "…" --email …';

/** Creates the first account of an installation, with its administrator. Idempotent: a repeat resets the password. */
runCommand(process.env, () => {
  const { account, 'account-name': accountName, name, email } = parseOptions();
  const password = process.env['BOOTSTRAP_PASSWORD'] ?? '';
  if (!account || !name || !email) throw new Error(`an option is missing. Usage: ${usage}`);
  if (!isAccountId(account)) throw new Error('--account must be a lower-case slug such as wdc');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('--email must be an e-mail address');
  const refusal = refusalOf(password, { name, primaryEmail: email });
  if (refusal !== undefined) throw new Error(refusal.replace('Password', 'BOOTSTRAP_PASSWORD'));
  return async (operator, baseUrl) => {
    const input = { id: account, ...(accountName && { name: accountName }) };
    const { administrator } = await operator.createAccount({
      account: input,
      administrator: { email, name, password },
    });
    return `Account ${account} is ready; ${name} (person ${administrator?.id}) can sign in at ${baseUrl}/oauth/sign-in`;
  };
});

function parseOptions() {
  const text = { type: 'string' } as const;
  return parseArgs({ options: { account: text, 'account-name': text, name: text, email: text } }).values;
}
