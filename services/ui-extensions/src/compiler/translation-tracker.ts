import type { Token } from 'parse5';

/** Follows the attribute `translate` (HTML Standard §3.2.6.3) over the tags of a document. */
export interface TranslationTracker {
  /** Returns whether the attributes of the element may be translated. */
  open(tag: Pick<Token.TagToken, 'tagName' | 'attrs'>): boolean;
  close(tagName: string): void;
  /** Whether a text here may be translated. */
  isWanted(): boolean;
}

const blocks =
  'address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul';
const rows = ['tr', 'td', 'th'];
const groups = ['thead', 'tbody', 'tfoot', ...rows];

/** The elements that a start tag ends, if they are open; their end tags may be left out (HTML Standard §13.1.2.4). */
const endedBy: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(blocks.split(' ').map((block) => [block, ['p']])),
  li: ['p', 'li'],
  dt: ['p', 'dt', 'dd'],
  dd: ['p', 'dt', 'dd'],
  option: ['option'],
  optgroup: ['option', 'optgroup'],
  ...Object.fromEntries(['td', 'th'].map((cell) => [cell, ['p', 'td', 'th']])),
  tr: ['p', ...rows],
  ...Object.fromEntries(['thead', 'tbody', 'tfoot'].map((group) => [group, ['p', ...groups]])),
};

/** Open elements outside of these are not ended. */
const boundaries = ['table', 'button', 'select', 'template', 'ul', 'ol', 'dl', 'svg', 'math'];

const empty = 'area base br col embed hr img input link meta param source track wbr'.split(' ');

interface Open {
  readonly tagName: string;
  readonly isWanted: boolean;
}

export function createTranslationTracker(): TranslationTracker {
  const open: Open[] = [];
  const counts = new Map<string, number>();

  const isWanted = (): boolean => open.at(-1)?.isWanted ?? true;

  function endFrom(index: number): void {
    for (const { tagName } of open.splice(index)) counts.set(tagName, (counts.get(tagName) ?? 0) - 1);
  }

  function endImplied(tagNames: readonly string[]): void {
    if (!tagNames.some((tagName) => (counts.get(tagName) ?? 0) > 0)) return;
    for (let index = open.length - 1; index >= 0; index -= 1) {
      const { tagName = '' } = open[index] ?? {};
      if (tagNames.includes(tagName)) endFrom(index);
      else if (boundaries.includes(tagName)) return;
    }
  }

  return {
    open({ tagName, attrs }) {
      endImplied(endedBy[tagName] ?? []);
      const wish = wishes[attrs.find(({ name }) => name === 'translate')?.value.toLowerCase() ?? '-'];
      const wanted = wish ?? isWanted();
      if (empty.includes(tagName)) return wanted;
      open.push({ tagName, isWanted: wanted });
      counts.set(tagName, (counts.get(tagName) ?? 0) + 1);
      return wanted;
    },
    close(tagName) {
      if ((counts.get(tagName) ?? 0) > 0) endFrom(open.findLastIndex((one) => one.tagName === tagName));
    },
    isWanted,
  };
}

/** Other values are ignored. */
const wishes: Readonly<Record<string, boolean>> = { yes: true, '': true, no: false };
