import { partsOf } from './note-parts';
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
  expect(partsOf(`Before ![](${key}) after ![a badge](${key})`, [picture])).toEqual([
    'Before ',
    picture,
    ' after ',
    picture,
  ]);
});

test('an opening that is never closed is text, however many there are: each is looked at once', () => {
  const openings = '!['.repeat(30_000);
  expect(partsOf(`${openings}![](${key})`, [picture])).toEqual([openings, picture]);
});

test('what is no inline picture of this note stays text', () => {
  const text = `![](${key}) ![](https://elsewhere.example/x.png) ![]()`;
  for (const files of [
    [],
    [{ ...picture, inline: false }],
    [{ ...picture, content_type: 'text/html' }],
    [{ ...picture, key: 'attachments/wdc/4/m1-01/badge.png' }],
  ])
    expect(partsOf(text, files).every((part) => typeof part === 'string')).toBe(true);
});
