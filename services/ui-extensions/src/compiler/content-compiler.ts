import { resolve } from 'node:path';
import { validationFailed } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { createSandboxPool } from './sandbox-pool';
import type { PoolLimits, Settled } from './sandbox-pool';
import { compiledEmpty } from './compile-text';
import type { Compilation, Compiled, CompiledField, Outcome } from './compile-text';
import type { Source } from '../contents/content';

/** Compiles untrusted texts in sandboxes. */
export interface ContentCompiler {
  start(): void;
  /**
   * The compiled texts. Throws a 422 that names every text that cannot be compiled, and a 503 when overloaded. `scope`:
   * the CSS selector to prefix.
   */
  compile(accountId: string, written: Partial<Source>, scope: string): Promise<Compiled>;
  close(): Promise<void>;
}

// A child process needs compiled code. From `src` (jest) and from `dist`, this path leads to the same file.
const script = resolve(__dirname, '../../dist/compiler/compiler-process.js');

export const usualLimits: PoolLimits = {
  sandboxes: 2,
  // Ordinary texts take milliseconds, the largest (64 KB) less than half a second.
  jobCpuMilliseconds: 2_000,
  firstJobCpuMilliseconds: 4_000,
  // Its limit is one of CPU time; this one ends a process that hangs.
  jobMilliseconds: 150_000,
  memoryMegabytes: 192,
  // A start has no work of a stranger in it, so only a process that hangs is to be ended. On a busy machine it takes minutes.
  startMilliseconds: 200_000,
  waitingOfOwner: 64,
  waiting: 256,
  waitMilliseconds: 15_000,
};

const names: Readonly<Record<CompiledField, readonly [field: string, label: string]>> = {
  css: ['css', 'Css'],
  html: ['html', 'Html'],
  formDefinition: ['form_definition', 'Form definition'],
};

const fields = ['css', 'html', 'formDefinition'] as const;

export function createContentCompiler(logger: Logger, limits: PoolLimits = usualLimits): ContentCompiler {
  const pool = createSandboxPool<Compilation & Record<string, string>, Outcome>(script, limits, (reason) =>
    logger.error('a compiler process was lost', { reason }),
  );

  async function compileField(accountId: string, field: CompiledField, text: string, scope: string): Promise<Outcome> {
    if (text === '') return { compiled: compiledEmpty[field] };
    return outcomeOf(await pool.run(accountId, { field, text, scope }));
  }

  return {
    start: () => pool.start(),
    async compile(accountId, written, scope) {
      const given = fields.filter((field) => written[field] !== undefined);
      const outcomes = await Promise.all(
        given.map((field) => compileField(accountId, field, written[field] ?? '', scope)),
      );
      const errors = outcomes.flatMap((outcome, index): FieldError[] => {
        const [field, label] = names[given[index] ?? 'css'];
        return 'error' in outcome ? [[field, `${label} ${outcome.error}`]] : [];
      });
      if (errors.length > 0) throw validationFailed(errors);
      return Object.assign(
        {},
        ...outcomes.map((outcome) => ('compiled' in outcome ? outcome.compiled : {})),
      ) as Compiled;
    },
    close: () => pool.close(),
  };
}

function outcomeOf(ran: Settled<Outcome>): Outcome {
  if (ran.kind === 'done') return ran.result;
  return { error: ran.kind === 'too large' ? 'takes too much memory to compile' : 'takes too much work to compile' };
}
