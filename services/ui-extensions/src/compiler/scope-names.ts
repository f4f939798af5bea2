import type { AtRule, Declaration, Root } from 'postcss';
import { escapedName, familyOf, segmentsOf, textOf, wordsOf } from './css-words';
import type { Word } from './css-words';

/** The kinds of names that a stylesheet defines for the whole page. Those of `dashed` begin with `--`. */
const kinds = ['animation', 'font', 'counter', 'layer', 'container', 'dashed'] as const;
type NameKind = (typeof kinds)[number];

/** The at-rules whose prelude defines a name. */
const definitions: Readonly<Record<string, NameKind>> = {
  keyframes: 'animation',
  'counter-style': 'counter',
  'font-palette-values': 'dashed',
  'position-try': 'dashed',
  property: 'dashed',
  layer: 'layer',
};

/** The properties that use names. Any property may use those with `--`, and counters in `counter()`. */
const uses: Readonly<Record<string, NameKind>> = {
  animation: 'animation',
  'animation-name': 'animation',
  font: 'font',
  'font-family': 'font',
  'list-style': 'counter',
  'list-style-type': 'counter',
  container: 'container',
  'container-name': 'container',
};

/** Descriptors of `@counter-style` that refer to another one. */
const counterDescriptors = ['system', 'fallback', 'speak-as'];

/** Prefixes of engines change nothing: `@-webkit-keyframes`. */
export const unprefixed = (name: string): string => name.toLowerCase().replace(/^-(?:webkit|moz|o|ms)-/, '');

/** Renames what `root` defines, and its uses there, so that it meets no name of the page or of another extension. */
export function scopeNames(root: Root, prefix: string): void {
  const names = definedIn(root);
  const renamed = (name: string): string =>
    escapedName(name.startsWith('--') ? `--${prefix}${name.slice(2)}` : `${prefix}${name}`);

  /** Renames the words for which `kindOf` has a kind with that name, and those with `--` everywhere. */
  const rename = (words: readonly Word[], kindOf: (word: Word, index: number) => readonly NameKind[]): string =>
    words
      .map((word, index) => {
        const expected = kindOf(word, index);
        const name = word.name ?? (expected.includes('animation') ? word.string : undefined);
        if (name === undefined) return word.text;
        const isKnown = names.dashed.has(name) || expected.some((kind) => names[kind].has(name));
        return isKnown ? renamed(name) : word.text;
      })
      .join('');

  /** Before the first family of `font` there may be a style, a weight and a size. */
  const renameFamilies = (words: readonly Word[], mayFollow: boolean): string =>
    segmentsOf(words)
      .map((segment) => {
        const start = startOfFamily(segment, names.font, mayFollow);
        if (start === undefined) return textOf(segment);
        const name = segment.slice(start).flatMap((word) => word.name ?? word.string ?? []);
        return `${textOf(segment.slice(0, start))}${renamed(name.join(' '))}`;
      })
      .join(',');

  root.walkDecls((decl) => {
    const property = unprefixed(decl.prop);
    const isCustom = decl.prop.startsWith('--');
    const kind = isDescriptorOfCounter(decl, property) ? 'counter' : uses[property];
    if (!mayUse(names, isCustom ? ['animation', 'font'] : kind ? [kind] : [])) return;
    const isFont = names.font.size > 0 && (kind === 'font' || isCustom);
    const words = wordsOf(isFont ? renameFamilies(wordsOf(decl.value), property !== 'font-family') : decl.value);
    const keywords = property === 'animation' ? keywordsIn(words) : new Set<Word>();
    const afterSlash = property === 'container' ? words.findIndex(({ text }) => text === '/') : -1;
    decl.value = rename(words, (word, index) => {
      if (/^counters?$/.test(word.within)) return word.argument > 0 ? ['counter'] : [];
      if (isCustom) return word.string === undefined ? ['animation', 'counter'] : [];
      const isKeyword = keywords.has(word) || (afterSlash >= 0 && index > afterSlash);
      return kind && kind !== 'font' && !isKeyword ? [kind] : [];
    });
    if (isCustom && names.dashed.has(decl.prop)) decl.prop = renamed(decl.prop);
  });
  root.walkAtRules((atRule) => {
    const name = unprefixed(atRule.name);
    const words = wordsOf(atRule.params);
    const kind = name === 'container' ? 'container' : definitions[name];
    atRule.params =
      name === 'font-feature-values'
        ? segmentsOf(words)
            .map((segment) => renamed(familyOf(segment)))
            .join(',')
        : rename(words, ({ depth }) => (kind && depth === 0 ? [kind] : []));
  });
}

/** Whether a declaration may have a name to replace; saves the reading of most values. */
const mayUse = (names: Names, kinds: readonly NameKind[]): boolean =>
  (['dashed', 'counter', ...kinds] as const).some((kind) => names[kind].size > 0);

type Names = Readonly<Record<NameKind, Set<string>>>;

function definedIn(root: Root): Names {
  const names = Object.fromEntries(kinds.map((kind) => [kind, new Set<string>()])) as Record<NameKind, Set<string>>;
  const add = (kind: NameKind, words: readonly Word[]): void =>
    words.forEach(({ name, string }) => {
      const defined = name ?? (kind === 'animation' ? string : undefined);
      if (defined !== undefined) names[kind].add(defined);
    });
  root.walkAtRules(({ name, params }) => {
    const kind = definitions[unprefixed(name)];
    if (kind) add(kind, wordsOf(params));
  });
  root.walkDecls((decl) => {
    const property = unprefixed(decl.prop);
    if (property === 'container-name') add('container', wordsOf(decl.value));
    if (property === 'container') add('container', wordsOf(decl.value.split('/')[0] ?? ''));
    if (property === 'font-family' && isIn(decl, 'font-face')) names.font.add(familyOf(wordsOf(decl.value)));
  });
  names.container.delete('none');
  return names;
}

const isIn = ({ parent }: Declaration, atRule: string): boolean =>
  parent?.type === 'atrule' && unprefixed((parent as AtRule).name) === atRule;

const isDescriptorOfCounter = (decl: Declaration, property: string): boolean =>
  counterDescriptors.includes(property) && isIn(decl, 'counter-style');

const mostWordsOfFamily = 16;

/** Where a known family begins that goes to the end of `segment`; only at its start, unless it `mayFollow` others. */
function startOfFamily(
  segment: readonly Word[],
  families: ReadonlySet<string>,
  mayFollow: boolean,
): number | undefined {
  const starts: number[] = [];
  for (let index = segment.length - 1; index >= 0 && starts.length < mostWordsOfFamily; index -= 1) {
    const { text, name, string } = segment[index] ?? { text: '' };
    if (text.trim() === '') continue;
    if (name === undefined && string === undefined) break;
    starts.push(index);
  }
  const first = segment.findIndex(({ text }) => text.trim() !== '');
  return starts
    .reverse()
    .find((start) => (mayFollow || start === first) && families.has(familyOf(segment.slice(start))));
}

/** Keywords of the longhands of `animation`. The first of a group is never the name of the animation. */
const keywordGroups = [
  ['linear', 'ease', 'ease-in', 'ease-out', 'ease-in-out', 'step-start', 'step-end'],
  ['infinite'],
  ['normal', 'reverse', 'alternate', 'alternate-reverse'],
  ['none', 'forwards', 'backwards', 'both'],
  ['running', 'paused'],
];

const keywordsIn = (words: readonly Word[]): Set<Word> =>
  new Set(
    segmentsOf(words).flatMap((segment) =>
      keywordGroups.flatMap((group) => segment.find(({ name }) => group.includes(name?.toLowerCase() ?? '')) ?? []),
    ),
  );
