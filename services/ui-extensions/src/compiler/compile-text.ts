import type { Content, Source } from '../contents/content';
import { parseFormDefinition } from '../contents/form-definition';
import { findPhrases } from './phrases';
import { generateReactForm } from './react-form';
import { compileStylesheet } from './stylesheet';

/** The texts of which something is made when they are written. */
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

/** What a text became, or what is wrong with it: a text that follows the field's name. */
export type Outcome = { readonly compiled: Compiled } | { readonly error: string };

/** Takes as much time and memory as the text likes: only for a sandbox. */
export const compileText = ({ field, text, scope }: Compilation): Outcome => compilers[field](text, scope);

/** Plain CSS of 64 KB stays below it, with the scope before every selector; what SCSS generates has no other bound. */
const maxCssBytes = 1_048_576;

/** What an empty text becomes. */
export const nothing = {
  css: { compiledCss: '' },
  html: { phrases: [], places: '' },
  formDefinition: { formDefinitionReact: '' },
} as const satisfies Record<CompiledField, Compiled>;

const compilers: Readonly<Record<CompiledField, (text: string, scope: string) => Outcome>> = {
  css(text, scope) {
    const stylesheet = compileStylesheet(text, scope);
    if ('error' in stylesheet) return stylesheet;
    if (Buffer.byteLength(stylesheet.css) > maxCssBytes) return { error: 'is longer than 1 MB once it is compiled' };
    return { compiled: { compiledCss: stylesheet.css } };
  },
  html: (text) => ({ compiled: findPhrases(text) }),
  formDefinition(text) {
    const form = parseFormDefinition(text);
    if ('error' in form) return form;
    return { compiled: { formDefinitionReact: generateReactForm(form.definition) } };
  },
};
