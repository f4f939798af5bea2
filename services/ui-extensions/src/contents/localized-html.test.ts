import fc from 'fast-check';
import { emptyContent } from './content';
import { findPhrases } from '../compiler/phrases';
import { localizedHtml } from './localized-html';
import { formatTexts } from './translation';

const contentOf = (html: string, translations: Readonly<Record<string, Readonly<Record<string, string>>>>) => ({
  ...emptyContent,
  html,
  ...findPhrases(html),
  translations: Object.entries(translations).map(([locale, texts]) => ({
    locale,
    texts: formatTexts(new Map(Object.entries(texts))),
  })),
});

test('every phrase is replaced in place; the rest is unchanged', () => {
  const html = `<!-- Order --><h1 class=big title='Order'>\n  Order  a
    laptop </h1><IMG ALT=Order src="Order.png"><p>Order &amp; wait&nbsp;<b>Order</b></p>
    <option label="Order"></option><script>Order</script><textarea>Order</textarea>`;
  const nl = { Order: 'Bestel "nu" <b>', 'Order a laptop': 'Bestel een laptop', 'Order & wait': 'Bestel & wacht' };
  const escaped = 'Bestel &quot;nu&quot; &lt;b&gt;';
  expect(localizedHtml(contentOf(html, { nl }), ['nl'])).toBe(
    `<!-- Order --><h1 class=big title="${escaped}">\n  Bestel een laptop </h1><IMG ALT="${escaped}" src="Order.png">` +
      `<p>Bestel &amp; wacht<b>${escaped}</b></p>
    <option label="${escaped}"></option><script>Order</script><textarea>${escaped}</textarea>`,
  );
});

test.each([
  ['<svg> <![CDATA[Order]]></svg>', '<svg> &lt;</svg>'],
  ['<xmp>Order</xmp>', '<xmp>Order</xmp>'],
  ['<plaintext>Order', '<plaintext>Order'],
  ['<svg><text>Order</text></svg>', '<svg><text>&lt;</text></svg>'],
  ['<title>Order</title>', '<title>&lt;</title>'],
])('%s takes translations only where any text can be written', (html, expected) => {
  expect(localizedHtml(contentOf(html, { nl: { Order: '<' } }), ['nl'])).toBe(expected);
});

test.each([
  [['nl-BE'], 'Zetel Tafel Lamp'],
  [['nl'], 'Stoel Tafel Lamp'],
  [['nl-NL'], 'Stoel Tafel Lamp'],
  [['fr', 'nl'], 'Stoel Tafel Lamp'],
  [['en-GB', 'nl'], 'Chair Table Lamp'],
  [['fr'], 'Chair Table Lamp'],
  [[], 'Chair Table Lamp'],
])('who prefers %j reads the closest translations, and the original text where there is none', (languages, text) => {
  const html = '<i>Chair</i> <i>Table</i> <i>Lamp</i>';
  const content = contentOf(html, { nl: { Chair: 'Stoel', Table: 'Tafel' }, 'nl-BE': { Chair: 'Zetel' } });
  expect(localizedHtml(content, languages).replace(/<\/?i>/g, '')).toBe(text);
});

const piece = fc.oneof(
  fc.constantFrom('<p>', '</p>', '<b title="', '">', '<svg>', '</svg>', '<style>', '</style>', '<textarea>', '<title>'),
  fc.constantFrom(
    '&amp;',
    '&nbsp;',
    '&#65;',
    '&notit;',
    '\r\n',
    '\n',
    ' ',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '\0',
    '𝒳',
  ),
  fc.constantFrom("<a alt='", "' placeholder=x ", '<script>', '</script>', 'Word', 'word two', '<plaintext>', '<xmp>'),
  fc.string({ maxLength: 6 }),
);

test('in any HTML exactly the phrases change, and each becomes its translation', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const html = pieces.join('');
      const { phrases, places } = findPhrases(html);
      const fixed = places === '' ? 0 : places.split(' ').length;
      const texts = Object.fromEntries(phrases.map((phrase, index) => [phrase, `Text${index}`]));
      const { phrases: translated } = findPhrases(localizedHtml(contentOf(html, { nl: texts }), ['nl']));
      // Phrases that cannot be translated stay as they are.
      for (const phrase of translated) expect([...Object.values(texts), ...phrases]).toContain(phrase);
      if (fixed > 0) expect(translated.some((phrase) => phrase.startsWith('Text'))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
