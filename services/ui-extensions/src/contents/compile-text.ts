import { isTooLong } from './content';
import type { Content, Source } from './content';
import { parseFormDefinition } from './form-definition';
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

export type Compiled = Partial<Pick<Content, 'compiledCss' | 'formDefinitionReact' | 'phrases' | 'places'>>;

/** What a text became, or what is wrong with it: a text that follows the field's name. */
export type Outcome = { readonly compiled: Compiled } | { readonly error: string };

/** Takes as much time and memory as the text likes: only for a sandbox. */
export const compileText = ({ field, text, scope }: Compilation): Outcome => compilers[field](text, scope);

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
    if (isTooLong(stylesheet.css)) return { error: 'is longer than 64 KB once it is compiled' };
    return { compiled: { compiledCss: stylesheet.css } };
  },
  html: (text) => ({ compiled: findPhrases(text) }),
  formDefinition(text) {
    const form = parseFormDefinition(text);
    if ('error' in form) return form;
    const formDefinitionReact = generateReactForm(form.definition);
    if (isTooLong(formDefinitionReact)) return { error: 'is longer than 64 KB once it is a React component' };
    return { compiled: { formDefinitionReact } };
  },
};
