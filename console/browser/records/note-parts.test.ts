import { filesOf, partsOf, typedName, withMentions, withPictureNames } from './note-parts';
import type { NoteFile } from './note-parts';

const key = 'attachments/wdc/4/m1-00/badge.png';
const picture: NoteFile = {
  id: '1',
  key,
  name: 'badge.png',
  size: 1,
  inline: true,
  content_type: 'image/png',
  uri: 'https://itsm.example/x',
};

test('a picture that stands in the text is shown in its place', () => {
  expect(partsOf(`Before ![](${key}) after ![a badge](${key})`, [picture], [])).toEqual([
    'Before ',
    picture,
    ' after ',
    picture,
  ]);
});

test('a text of a record has the files that name its field', () => {
  const [ofText, ofForm] = [
    { ...picture, field: 'workaround' },
    { ...picture, field: 'custom_fields' },
  ];
  expect(filesOf({ attachments: [ofText, ofForm] }, 'workaround')).toEqual([ofText]);
  // A platform of an earlier release has none.
  expect(filesOf({}, 'workaround')).toEqual([]);
});

test('an opening that is never closed is text, however many there are: each is looked at once', () => {
  const openings = '!['.repeat(30_000);
  expect(partsOf(`${openings}![](${key})`, [picture], [])).toEqual([openings, picture]);
});

test('what is no inline picture of this note stays text', () => {
  const text = `![](${key}) ![](https://elsewhere.example/x.png) ![]()`;
  for (const files of [
    [],
    [{ ...picture, inline: false }],
    [{ ...picture, content_type: 'text/html' }],
    [{ ...picture, key: 'attachments/wdc/4/m1-01/badge.png' }],
  ])
    expect(partsOf(text, files, []).every((part) => typeof part === 'string')).toBe(true);
});

const ellen = { id: 1, name: 'Ellen Brown' };

test('those whom the platform says a text names are shown by their names, whatever the text calls them', () => {
  const nodeId = btoa('itsm.example/Person/1').replaceAll('=', '');
  const parts = partsOf(`Hi @[Boss](person:1), @[E](person:${nodeId}) ![](${key})`, [picture], [ellen]);
  expect(parts).toEqual(['Hi ', ellen, ', ', ellen, ' ', picture]);
});

test('nobody else is named', () => {
  const otherType = btoa('itsm.example/Request/1').replaceAll('=', '');
  const text = `@[A](person:2) @[A](person:${otherType}) @[A](1) @[A\nB](person:1) @Ellen [A](person:1)`;
  const parts = partsOf(text, [picture], [ellen]);
  expect(parts.map((part) => (typeof part === 'string' ? part : 'named')).join('')).toBe(text);
});

test('names that were chosen are sent as mentions, and changed ones as text', () => {
  const named = {
    Ann: { id: 7, name: 'Ann' },
    'Ann Lee (a.lee@b.example)': { id: 8, name: 'Ann Lee' },
    'Li [x] (y)': { id: 9, name: 'Li [x] (y)' },
  };
  const text = '@Ann, @Ann Lee (a.lee@b.example) @Anna @Li [x] (y) @Bob @ann';
  expect(withMentions(text, named)).toBe(
    '@[Ann](person:7), @[Ann Lee](person:8) @Anna @[Li  x  (y)](person:9) @Bob @ann',
  );
  expect(withMentions(text, {})).toBe(text);
});

test.each([
  ['Hello @', ''],
  ['@el', 'el'],
  ['(@Ellen Br', 'Ellen Br'],
  ['line\n@ellen.brown', 'ellen.brown'],
  ['@Zoë', 'Zoë'],
  ['mail ellen@b', undefined],
  ['@Ellen Brown ', undefined],
  ['@Ellen Brown says', undefined],
  ['no', undefined],
  [`@${'a'.repeat(200)}`, undefined],
])('in %j the name being typed is %j', (before, name) => {
  expect(typedName(before)).toBe(name);
});

test('a line of the history has the names of pictures', () => {
  const picture = '![](attachments/wdc/1/m1-0123456789abcdef0123456789abcdef/screen.png)';
  expect(withPictureNames(`See ${picture}, and ![x](https://a.example/y.png)`)).toBe(
    'See [screen.png], and ![x](https://a.example/y.png)',
  );
});
