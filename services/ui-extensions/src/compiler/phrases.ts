import { Tokenizer, TokenizerMode } from 'parse5';
import type { Token } from 'parse5';
import { formatPlaces } from '../contents/content';
import type { PhrasePlace } from '../contents/content';
import { createTranslationTracker } from './translation-tracker';

const translatedAttributes = ['title', 'placeholder', 'alt', 'aria-label'];
const hidden = ['script', 'style', 'iframe', 'noembed', 'noframes'];

/** Elements whose content is text, where `<` opens no tag, by tokenizer state (HTML Standard §13.2.6.4, scripting disabled). */
const textModes: Readonly<Record<string, Tokenizer['state']>> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
};

/**
 * Raw text knows no character references, so not every translation could be written there. Its phrases get no place and
 * stay untranslated.
 */
const raw = ['xmp', 'plaintext'];

/** The distinct visible texts in document order, and their positions. */
export interface FoundPhrases {
  readonly phrases: readonly string[];
  /** See `formatPlaces`. */
  readonly places: string;
}

/**
 * Finds the phrases of `html`; a text without a letter is none. It reads tokens and builds no tree, because misnested
 * formatting elements make a tree many times larger than the text.
 */
export function findPhrases(html: string): FoundPhrases {
  const phrases = new Map<string, number>();
  const places: PhrasePlace[] = [];
  let text = '';
  let textStart = 0;
  let textIn = '';
  let foreignDepth = 0;
  const translation = createTranslationTracker();

  const add = (found: string, place: Omit<PhrasePlace, 'phrase'> | undefined): void => {
    const phrase = found.replace(/\s+/g, ' ').trim();
    if (!/\p{L}/u.test(phrase)) return;
    const index = phrases.get(phrase) ?? phrases.size;
    phrases.set(phrase, index);
    if (place) places.push({ ...place, phrase: index });
  };
  // A text is everything between two tags or comments. Positions of text tokens are inexact around character references.
  const endText = (start: number, end: number): void => {
    const written = html.slice(textStart, start);
    const place = {
      start: textStart + written.length - written.trimStart().length,
      end: textStart + written.trimEnd().length,
      nameLength: 0,
    };
    if (!hidden.includes(textIn) && translation.isWanted()) add(text, raw.includes(textIn) ? undefined : place);
    text = '';
    textStart = end;
  };
  const endTextAt = ({ location }: Token.CommentToken | Token.DoctypeToken | Token.TagToken): void =>
    endText(location?.startOffset ?? 0, location?.endOffset ?? 0);
  const read = ({ chars }: Token.CharacterToken): void => {
    text += chars;
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(tag) {
        endTextAt(tag);
        const isWanted = translation.open(tag);
        for (const { name, value } of isWanted ? translatedIn(tag) : []) {
          const { startOffset: start = 0, endOffset: end = 0 } = tag.location?.attrs?.[name] ?? {};
          add(value, { start, end, nameLength: name.length });
        }
        // `/>` closes elements of SVG and MathML only; HTML ignores it.
        const closed = tag.selfClosing && (foreignDepth > 0 || isForeign(tag));
        if (closed) translation.close(tag.tagName);
        if (isForeign(tag) && !closed) foreignDepth += 1;
        tokenizer.inForeignNode = foreignDepth > 0;
        if (closed || !Object.hasOwn(textModes, tag.tagName)) return;
        tokenizer.state = textModes[tag.tagName] ?? TokenizerMode.DATA;
        textIn = tag.tagName;
      },
      onEndTag(tag) {
        endTextAt(tag);
        translation.close(tag.tagName);
        if (textIn === tag.tagName) textIn = '';
        if (isForeign(tag) && foreignDepth > 0) foreignDepth -= 1;
        tokenizer.inForeignNode = foreignDepth > 0;
      },
      onComment: endTextAt,
      onDoctype: endTextAt,
      onEof: () => endText(html.length, html.length),
      onCharacter: read,
      onWhitespaceCharacter: read,
      onNullCharacter: () => undefined,
    },
  );
  tokenizer.write(html, true);
  return { phrases: [...phrases.keys()], places: formatPlaces(places) };
}

const isForeign = ({ tagName }: Token.TagToken): boolean => tagName === 'svg' || tagName === 'math';

/** Attributes that are texts of certain elements only. The value of a button is its label. */
function ownTexts({ tagName, attrs }: Token.TagToken): string[] {
  if (tagName === 'option' || tagName === 'optgroup') return ['label'];
  const type = attrs.find(({ name }) => name === 'type')?.value.toLowerCase() ?? '';
  return tagName === 'input' && ['submit', 'reset', 'button'].includes(type) ? ['value'] : [];
}

function translatedIn(tag: Token.TagToken): Token.Attribute[] {
  const { tagName, attrs } = tag;
  if (hidden.includes(tagName)) return [];
  const names = [...translatedAttributes, ...ownTexts(tag)];
  return attrs.filter(({ name }) => names.includes(name));
}
