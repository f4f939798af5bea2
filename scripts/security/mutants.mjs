import { access } from './mutants/access.mjs';
import { api } from './mutants/api.mjs';
import { authentication } from './mutants/authentication.mjs';
import { logs } from './mutants/logs.mjs';
import { oauth } from './mutants/oauth.mjs';
import { rfc9700 } from './mutants/rfc9700.mjs';
import { sessions } from './mutants/sessions.mjs';

/**
 * A mistake in the sources, and the test that has to turn red. `row` is the number of a row of docs/security.md, with
 * as much of the requirement as tells it from others of that number. `find` occurs once in `file`.
 * @typedef {{ row: string, file: string, find: string, replacement: string, test: string }} Mutant
 */
export const mutants = [...api, ...authentication, ...sessions, ...access, ...oauth, ...logs, ...rfc9700];
