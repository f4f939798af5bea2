import { parseCommand } from './commands';
import { runCommand } from './run-command';

// With `node -e`, used to read a password from standard input first, argv has no script path before the arguments.
const args = process.argv.slice(process.execArgv.includes('-e') ? 1 : 2);

/** The operator's commands. */
runCommand(process.env, () => parseCommand(args, process.env['PERSON_PASSWORD']));
