import { parseCommand } from './commands';
import { runCommand } from './run-command';

// With `node -e`, which can read a password from standard input first, no script stands before the arguments.
const args = process.argv.slice(process.execArgv.includes('-e') ? 1 : 2);

/** What only the operator of the installation may do. */
runCommand(process.env, () => parseCommand(args, process.env['PERSON_PASSWORD']));
