import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { palette } from '@itsm/shared/api/pages/palette';

const browser = join(__dirname, '../browser');
const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, '');
const tokens = withoutComments(readFileSync(join(browser, 'design/tokens.css'), 'utf8'));

const [light, dark] = [2, 3].map(
  (half) =>
    new Map(
      [...tokens.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map((match) => [
        match[1] ?? '',
        match[half] ?? '',
      ]),
    ),
);
const looks = { light, dark };

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const grounds = ['ground', 'surface', 'sunken'];
const tones = ['good', 'warn', 'bad', 'info', 'quiet', 'draft'];

/** Text colours, and the backgrounds on which they are used. */
const texts: readonly (readonly [string, readonly string[]])[] = [
  ['text', [...grounds, 'accent-ground', ...tones.map((tone) => `${tone}-ground`)]],
  ['muted', grounds],
  ['accent', [...grounds, 'accent-ground']],
  ['accent-strong', [...grounds, 'accent-ground']],
  ['on-accent', ['accent', 'accent-strong']],
  // Includes the background of code.
  ...tones.map((tone) => [tone, [`${tone}-ground`, ...grounds]] as const),
];

const pairs = [
  ...texts.flatMap(([text, on]) => on.map((ground) => ({ colour: text, ground, least: 4.5 }))),
  ...grounds.map((ground) => ({ colour: 'edge', ground, least: 3 })),
];

test('black and white have the contrast ratio of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test.each(Object.keys(looks) as (keyof typeof looks)[])('the %s colours contrast with their backgrounds', (look) => {
  const colourOf = (name: string): string => {
    const colour = looks[look]?.get(name);
    if (colour === undefined) throw new Error(`There is no colour ${name}.`);
    return colour;
  };
  const faint = pairs.filter(({ colour, ground, least }) => !(contrast(colourOf(colour), colourOf(ground)) >= least));
  expect(faint).toEqual([]);
});

test.each(Object.entries(palette))("%s is the colour of the platform's pages", (name, pair) => {
  expect([light?.get(name), dark?.get(name)]).toEqual(pair);
});

test('every colour except decorations is tested', () => {
  const paired = new Set(pairs.flatMap(({ colour, ground }) => [colour, ground]));
  expect([...(light?.keys() ?? [])].filter((name) => !paired.has(name))).toEqual(['line']);
});

const literal =
  /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(|\b(?:aqua|black|blue|brown|cyan|gold|gr[ae]y|green|indigo|lime|magenta|maroon|navy|olive|orange|pink|purple|red|silver|teal|violet|white|yellow)\b/i;

test('no other stylesheet defines colours', () => {
  const sheets = readdirSync(browser, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.css') && file !== join('design', 'tokens.css'),
  );
  expect(sheets.length).toBeGreaterThan(10);
  const values = sheets.flatMap((file) =>
    [...withoutComments(readFileSync(join(browser, file), 'utf8')).matchAll(/^\s*([a-z-]+):([^;{]+);/gim)].map(
      ([, property = '', value = '']) => ({ file, property, value }),
    ),
  );
  // References are removed first, since a token's name may contain a colour's name.
  const coloured = values.filter(({ value }) => literal.test(value.replace(/var\([^)]*\)/g, '')));
  expect(coloured).toEqual([]);
});
