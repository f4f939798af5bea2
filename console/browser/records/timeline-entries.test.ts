/// <reference types="jest" />
import fc from 'fast-check';
import { entriesOf } from './timeline-entries';
import type { AuditLine, Note, Writer } from './timeline-entries';

const howard: Writer = { id: 2, name: 'Howard' };
const at = (second: number): string => new Date(Date.UTC(2026, 2, 1) + second * 1_000).toISOString();
const note = (id: number, second: number, person: Writer | null = howard): Note => ({
  id,
  text: `note ${id}`,
  internal: false,
  attachments: [],
  person,
  created_at: at(second),
});
const line = (id: number, second: number, person: Writer | null = howard): AuditLine => ({
  id,
  action: 'update',
  changes: [],
  person,
  created_at: at(second),
});

test('a note and changes of one person at one moment are one entry, those of others are not', () => {
  const grace = { id: 4, name: 'Grace' };
  const entries = entriesOf(
    { events: [note(3, 20), note(2, 10, grace), note(1, 10)], hasMore: false },
    { events: [line(9, 10), line(8, 5, null)], hasMore: false },
  );
  expect(
    entries.map(({ person, notes, lines }) => [person?.name, notes.map(({ id }) => id), lines.map(({ id }) => id)]),
  ).toEqual([
    ['Howard', [3], []],
    ['Howard', [1], [9]],
    ['Grace', [2], []],
    [undefined, [], [8]],
  ]);
});

test('what has been read of both lists is shown as an end of the whole history without holes', () => {
  const seconds = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 });
  fc.assert(
    fc.property(seconds, seconds, fc.integer({ min: 1, max: 12 }), (ofNotes, ofLines, size) => {
      const newest = (all: readonly number[]) => all.toSorted((one, other) => other - one);
      const notes = newest(ofNotes).map((second, index) => note(1_000 - index, second));
      const lines = newest(ofLines).map((second, index) => line(1_000 - index, second));
      const read = <T>(all: readonly T[]) => ({ events: all.slice(0, size), hasMore: all.length > size });
      const entries = entriesOf(read(notes), read(lines));
      const shown = entries.flatMap((entry) => [...entry.notes, ...entry.lines]);
      const oldest = Math.min(...shown.map(({ created_at: time }) => Date.parse(time)));
      const newer = [...notes, ...lines].filter(({ created_at: time }) => Date.parse(time) > oldest);
      expect(shown).toEqual(expect.arrayContaining(newer));
      expect(entries.map(({ at: time }) => time)).toEqual(
        entries
          .map(({ at: time }) => time)
          .toSorted()
          .reverse(),
      );
      if (notes.length <= size && lines.length <= size) expect(shown).toHaveLength(notes.length + lines.length);
      if (notes.length + lines.length > 0) expect(shown.length).toBeGreaterThan(0);
    }),
    { numRuns: 1_000 },
  );
});
