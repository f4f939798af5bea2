import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const sourceOf = (path: string): string => readFileSync(join(__dirname, '../../browser', path), 'utf8');
const [, screens = ''] = /\nconst screens = \[\n([^]*?)\n\] as const;/.exec(sourceOf('routes.tsx')) ?? [];

/** The addresses of screens below an account, such as `/webhooks/$webhook`. They are read, since routes load the browser part. */
export const routes: readonly string[] = [...screens.matchAll(/ path: '([^']+)'/g)].map(([, path = '']) => path);

/** Those in the navigation that are for administrators, such as `/webhooks`. */
export const administered: readonly string[] = [
  ...sourceOf('frame/screens.ts').matchAll(/ path: '(\/\w+)'[^{}]* for: 'administrators'/g),
].map(([, path = '']) => path);
