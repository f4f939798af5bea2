import type { TypeDescription } from '@itsm/shared/declared/description';
import { updated } from './chosen-columns';
import type { ColumnField } from './chosen-columns';
import { csvOf } from './list-csv';

const fields = [
  { name: 'subject', label: 'Subject', kind: 'text' },
  { name: 'status', label: 'Status', kind: 'choice', words: [{ value: 'rfi', label: 'Request for information' }] },
  { name: 'team', label: 'Team', kind: 'reference' },
  { name: 'urgent', label: 'Urgent', kind: 'flag' },
  { name: 'dueAt', label: 'Due', kind: 'timestamp' },
];
const type = { label: 'Request', title: 'subject', fields } as unknown as TypeDescription;
const columns = [...fields.slice(1), updated] as readonly ColumnField[];
const record = { id: 'x', number: 103, title: 'Wi-Fi', updatedAt: '2026-11-24T05:47:12Z' };
const csv = (...records: object[]): string =>
  csvOf(
    type,
    records.map((one) => ({ ...record, ...one })),
    columns,
  );

test('a list is a file with its columns, in words', () => {
  expect(
    csv({ status: 'rfi', team: { number: 2, title: 'Network' }, urgent: true, dueAt: '2026-11-25T00:00:00Z' }, {}),
  ).toBe(
    [
      '\ufeffNumber,Subject,Status,Team,Urgent,Due,Updated',
      '103,Wi-Fi,Request for information,Network,Yes,2026-11-25T00:00:00Z,2026-11-24T05:47:12Z',
      '103,Wi-Fi,,,,,2026-11-24T05:47:12Z',
      '',
    ].join('\r\n'),
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-x', "'-x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "\t'=1"],
  [' =1', " '=1"],
  ['\u00a0=1', "\u00a0'=1"],
  ['\n=1', '"\n\'=1"'],
  ['＝1+1', "'＝1+1"],
  ['＠x', "'＠x"],
  // In countries with a decimal comma, spreadsheets part cells at semicolons, whatever is quoted.
  ['a;=1+1;b', "a;'=1+1;b"],
  ['a;"=1+1";b', '"a;""\'=1+1"";b"'],
  ['a\t@b; -c', "a\t'@b; '-c"],
  ['two\n=1', '"two\n\'=1"'],
  ['a-b; c+d', 'a-b; c+d'],
  ['a, "b"', '"a, ""b"""'],
  ['=a,b', '"\'=a,b"'],
  ['two\nlines', '"two\nlines"'],
  ['1=1', '1=1'],
])('a cell with %j is written as %s', (title, cell) => {
  expect(csv({ title })).toContain(`\r\n103,${cell},`);
});
