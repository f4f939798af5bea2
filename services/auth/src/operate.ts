import { parseCommand } from './operator/commands';
import { runCommand } from './operator/run-command';

/** What only the operator of the installation may do. */
runCommand(process.env, () => parseCommand(process.argv.slice(2), process.env['PERSON_PASSWORD']));
