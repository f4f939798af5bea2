import { createHash } from 'node:crypto';
import { mutants } from './mutants.mjs';

/**
 * The rows of docs/security.md: `name` is number and requirement. `mutants` are those whose `row` is the name or its
 * beginning.
 */
export function rowsOf(page) {
  return page.split('\n').flatMap((line) => {
    if (!/^\| \d/.test(line)) return [];
    const cells = line.split('|').map((cell) => cell.trim());
    const name = `${cells[1]} ${cells.at(-3)}`;
    return [
      { line, name, state: cells.at(-2), mutants: mutants.filter(({ row }) => `${name} `.startsWith(`${row} `)) },
    ];
  });
}

const digestOf = (ofRow) => createHash('sha256').update(JSON.stringify(ofRow)).digest('hex').slice(0, 8);

/** What the state of a row begins with when all its mutants were killed. The digest changes with the mutants. */
export const provenBy = (ofRow) => `met (mutant ${digestOf(ofRow)}): `;

/** The page with the state that `proven` gives to a row that has mutants. */
export const marked = (page, { line, state, mutants: ofRow }, proven) =>
  page.replace(line, () =>
    line.replace(state, () => state.replace(/^(met \(mutant \w+\)|tested): /, proven ? provenBy(ofRow) : 'tested: ')),
  );

/** The page with the numbers of rows in each state. */
export function counted(page) {
  const states = rowsOf(page).map(({ state }) => state);
  const count = (start) => states.filter((state) => state.startsWith(start)).length;
  const met = `${count('met (')} are *met*, ${count('met by document')} *met by document*, ${count('tested')} *tested*`;
  const rest = `${count('not met')} *not met* and ${count('not applicable')} *not applicable*`;
  return page.replace(/^Of \d+ rows, .*$/m, `Of ${states.length} rows, ${met}, ${rest}.`);
}
