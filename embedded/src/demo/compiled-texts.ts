import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { createApp } from '@itsm/ui-extensions/app';

type CompiledTexts = NonNullable<Parameters<typeof createApp>[0]['compiledAhead']>;

// From `src` (jest) and from `dist`, this path leads to the same file, which scripts/compile-demo.mjs writes.
const file = join(__dirname, '../../dist/demo/compiled-texts.json');

/** What the build compiled of the demo's UI extension. A start then waits for no sandbox. */
export const readCompiledTexts = (): CompiledTexts => JSON.parse(readFileSync(file, 'utf8')) as CompiledTexts;
