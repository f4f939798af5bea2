import type { Compiled, CompiledField } from './compile-text';
import type { ContentCompiler } from './content-compiler';

/** Compiled texts by field and text; `scopeAhead` is where the CSS selector of an extension goes. */
export type CompiledAhead = Readonly<Partial<Record<CompiledField, Readonly<Record<string, Compiled>>>>>;

export const scopeAhead = '.ui-extension-compiled-ahead';

const fields = ['css', 'html', 'formDefinition'] as const satisfies readonly CompiledField[];

/** A compiler that takes from `ahead` what is there, and compiles the rest. */
export function withCompiledAhead(compiler: ContentCompiler, ahead: CompiledAhead): ContentCompiler {
  return {
    start: () => compiler.start(),
    async compile(accountId, written, scope) {
      const known = fields.flatMap((field) => {
        const text = written[field] ?? '';
        // A written text may have the name of a member that every object has.
        const compiled = Object.hasOwn(ahead[field] ?? {}, text) ? ahead[field]?.[text] : undefined;
        return compiled ? [{ field, compiled: inScope(compiled, scope) }] : [];
      });
      const isKnown = (name: string): boolean => known.some(({ field }) => field === name);
      const rest = Object.fromEntries(Object.entries(written).filter(([name]) => !isKnown(name)));
      const compiled = await compiler.compile(accountId, rest, scope);
      return Object.assign({}, compiled, ...known.map((one) => one.compiled)) as Compiled;
    },
    close: () => compiler.close(),
  };
}

function inScope({ compiledCss, ...others }: Compiled, scope: string): Compiled {
  return { ...others, ...(compiledCss !== undefined && { compiledCss: compiledCss.replaceAll(scopeAhead, scope) }) };
}
