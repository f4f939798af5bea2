import { cellsOf, unzip } from '@itsm/shared/testing/unzip';
import type { Field } from '@itsm/shared/declared/language';
import { recordTypes } from '../record-types/all';
import type { RecordType } from '../record-types/record-type';
import { startImporting } from '../testing/importers';
import type { Importing } from '../testing/importers';
import { fileColumns } from '@itsm/shared/declared/file-columns';
import type { FileColumn } from '@itsm/shared/declared/file-columns';

let importing: Importing;
let graph: Importing['graph'];
type Importer = ReturnType<Importing['somebody']>;
let home: Importer;
let abroad: Importer;
beforeAll(async () => {
  importing = await startImporting();
  ({ graph } = importing);
  const { somebody } = importing;
  [home, abroad] = [somebody('account_administrator'), somebody('account_administrator')];
  for (const [index, { account }] of [home, abroad].entries()) {
    await graph.publishAccount({ id: account });
    await graph.publishForm({ id: index + 1, accountId: account });
  }
  const roles = { [home.account]: ['specialist' as const], [abroad.account]: ['specialist' as const] };
  for (const id of [2, 3]) await graph.publishPerson({ id, accountId: home.account, roles });
});
afterAll(async () => {
  await importing.close();
});

const hostile = [
  'plain',
  '=1+1',
  '+cmd|" /C calc"!A0',
  '-2',
  '@SUM(A1)',
  '"quoted"',
  '""',
  'a,b;c\td',
  'one\r\ntwo\nthree\rfour',
  'one\rtwo',
  'one\ttwo',
  '\uFEFFin front',
  'in\uFEFFside \u200b?',
  '👩‍👩‍👧 é e\u0301 \u202eRTL',
  'null',
  'TRUE',
  '007',
  "'=1",
  '\u2028 and \u2029',
  '{"a": [1, "b"]}',
  'ID,Subject\r\n1,x',
];

/** Each type after those that it refers to. */
const order = ['team', 'workflow', 'project', 'problem', 'request', 'task', 'project_task', 'sla'];
const inOrder = [...recordTypes].sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));

/** The ids of what was made in each account, by type. */
const made = new Map<string, readonly string[]>();
const madeAbroad = new Map<string, readonly string[]>();

function cellFor(field: Field, text: string, index: number, ids: (type: string) => readonly string[]): string {
  switch (field.kind) {
    case 'text':
      return field.name === 'sourceID' ? `${index} ${text}` : field.name === 'source' ? text.slice(0, 30) : text;
    case 'flag':
      return index % 2 === 0 ? 'true' : 'false';
    case 'integer':
      return String(index);
    case 'timestamp':
      return index % 2 === 0 ? '2026-03-18T19:04:06.789Z' : '2026-03-18T19:04:06Z';
    case 'date':
      return '2026-03-18';
    case 'choice':
      return field.name === 'category' ? (field.choices[0] ?? '') : '';
    case 'person':
      return '2';
    case 'people':
      return index % 2 === 0 ? '2\n3' : '';
    case 'record':
      return ids(field.to.name)[0] ?? '';
    case 'account':
      return home.account;
    case 'reference':
      return '1';
    case 'custom':
      return JSON.stringify([
        { id: 'floor', value: index },
        { id: 'a.b', value: text.slice(0, 100) },
        { id: 'agreed', value: true },
      ]);
  }
}

const written = (type: RecordType): readonly FileColumn<Field>[] =>
  fileColumns(type).filter(({ field, isShownOnly }) => field && !isShownOnly);

const fileOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('');

async function exported({ get, post }: Importer, type: RecordType): Promise<{ text: string; rows: string[][] }> {
  const { body } = await post('/v1/export').send({ type: type.name }).expect(200);
  const { token } = body as { token: string };
  const { body: archive } = await get(`/v1/export/${token}/file`).responseType('blob').expect(200);
  const [text = ''] = [...unzip(archive as Buffer).values()];
  return { text, rows: cellsOf(text) };
}

/** The cells as they are in the other account, where references have other ids. */
function translated(type: RecordType, [head = [], ...rows]: readonly (readonly string[])[]): string[][] {
  const columns = fileColumns(type);
  const translate = (cell: string, index: number): string => {
    const field = columns[index]?.field;
    if (cell === '' || !field) return cell;
    if (field.kind === 'account') return abroad.account;
    if (field.kind === 'reference') return '2';
    if (field.kind !== 'record') return cell;
    return madeAbroad.get(field.to.name)?.[made.get(field.to.name)?.indexOf(cell) ?? -1] ?? 'nothing';
  };
  return [[...head], ...rows.map((cells) => cells.map(translate))];
}

const without = (rows: readonly (readonly string[])[], ...headers: readonly string[]): string[][] => {
  const [head = []] = rows;
  return rows.map((cells) => cells.filter((_cell, index) => !headers.includes(head[index] ?? '')));
};

test.each(inOrder)(
  '$plural come back by import as they were exported, at home and in another account',
  async (type) => {
    const columns = written(type);
    const idsOf = (name: string): readonly string[] => made.get(name) ?? [];
    const given = hostile.map((text, index) =>
      columns.map(({ field }) => (field ? cellFor(field, text, index, idsOf) : '')),
    );
    const file = fileOf([columns.map(({ header }) => header), ...given]);
    expect(await home.run(type.name, file)).toMatchObject({ results: { created: hostile.length, failures: 0 } });

    const { text, rows } = await exported(home, type);
    expect(rows).toHaveLength(hostile.length + 1);
    expect(rows[0]).toEqual(fileColumns(type).map(({ header }) => header));
    const titles = rows.slice(1).map((cells) => cells[1]);
    expect(titles).toEqual(hostile.map((title) => title.trim()));
    const again = await home.run(type.plural, text);
    expect(again).toMatchObject({ results: { unchanged: hostile.length, created: 0, updated: 0, failures: 0 } });

    made.set(
      type.name,
      rows.slice(1).map(([id]) => id ?? ''),
    );
    const foreign = without(translated(type, rows), 'ID');
    const there = await abroad.run(type.name, fileOf(foreign));
    expect(there).toMatchObject({ results: { created: hostile.length, failures: 0 } });
    const back = (await exported(abroad, type)).rows;
    madeAbroad.set(
      type.name,
      back.slice(1).map(([id]) => id ?? ''),
    );
    const times = ['Created at', 'Updated at', 'Completed at', 'Solved at', 'Finished at'];
    expect(without(back, 'ID', ...times)).toEqual(without(foreign, ...times));
  },
);
