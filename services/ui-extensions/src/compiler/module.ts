import type { Module, Platform } from '@itsm/shared/running/module';
import { createContentCompiler } from './content-compiler';
import type { ContentCompiler } from './content-compiler';

export type { ContentCompiler } from './content-compiler';

interface Needs {
  /** Default: a new one. */
  readonly compiler: ContentCompiler | undefined;
}

export interface Compiler extends Module {
  readonly compiler: ContentCompiler;
}

export function createCompiler({ logger }: Platform, needs: Needs): Compiler {
  const compiler = needs.compiler ?? createContentCompiler(logger);
  return { compiler, runners: [{ start: () => compiler.start(), stop: () => compiler.close() }] };
}
