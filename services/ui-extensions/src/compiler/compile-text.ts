import type { Content, Source } from '../contents/content';
import { parseFormDefinition } from '../contents/form-definition';
import { findPhrases } from './phrases';
import { generateReactForm } from './react-form';
import { compileStylesheet } from './stylesheet';

/** The texts that are compiled when they are written. */
export type CompiledField = keyof Source & ('css' | 'html' | 'formDefinition');

/** One text to compile; `scope`: a CSS selector. */
export interface Compilation {
  readonly field: CompiledField;
  readonly text: string;
  readonly scope: string;
}

export interface Compiled extends Partial<Pick<Content, 'phrases' | 'places'>> {
  readonly compiledCss?: string;
  readonly formDefinitionReact?: string;
}

/** The compiled text, or an error: a phrase to put after the field's name. */
export type Outcome = { readonly compiled: Compiled } | { readonly error: string };

/** Unbounded in time and memory: call it only in a sandbox. */
export const compileText = ({ field, text, scope }: Compilation): Outcome => compilers[field](text, scope);

/** The compiled form of an empty text. */
export const compiledEmpty = {
  css: { compiledCss: '' },
  html: { phrases: [], places: '' },
  formDefinition: { formDefinitionReact: '' },
} as const satisfies Record<CompiledField, Compiled>;

const compilers: Readonly<Record<CompiledField, (text: string, scope: string) => Outcome>> = {
  css(text, scope) {
    const stylesheet = compileStylesheet(text, scope);
    return 'error' in stylesheet ? stylesheet : { compiled: { compiledCss: stylesheet.css } };
  },
  html: (text) => ({ compiled: findPhrases(text) }),
  formDefinition(text) {
    const form = parseFormDefinition(text);
    if ('error' in form) return form;
    const generated = generateReactForm(form.definition);
    return 'error' in generated ? generated : { compiled: { formDefinitionReact: generated.source } };
  },
};
