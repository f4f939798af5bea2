import type { Module, Platform } from '@itsm/shared/running/module';
import { withCompiledAhead } from './compiled-ahead';
import type { CompiledAhead } from './compiled-ahead';
import { createContentCompiler } from './content-compiler';
import type { ContentCompiler } from './content-compiler';

export type { CompiledAhead } from './compiled-ahead';
export type { ContentCompiler } from './content-compiler';

interface Needs {
  /** Default: a new one. */
  readonly compiler: ContentCompiler | undefined;
  readonly compiledAhead: CompiledAhead;
}

export interface Compiler extends Module {
  readonly compiler: ContentCompiler;
}

export function createCompiler({ logger }: Platform, needs: Needs): Compiler {
  const compiler = withCompiledAhead(needs.compiler ?? createContentCompiler(logger), needs.compiledAhead);
  return { compiler, runners: [{ start: () => compiler.start(), stop: () => compiler.close() }] };
}
