import { randomBytes } from 'node:crypto';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { unzip } from '@itsm/shared/testing/unzip';
import { neededTexts, shownAs, textsFor } from './given-texts';
import type { Texts, World } from './given-texts';
import { httpClientOf } from './http-client';
import type { Access, Answer, Body, HttpClient } from './http-client';

const idIn = ({ body }: Answer): number => body['id'] as number;
const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? '';

/** The name of the title in bodies, answers and files. */
function titleOf({ title, fields }: TypeDescription): string {
  const field = fields.find(({ name }) => name === title);
  if (field?.restInput === undefined) throw new Error('A type without a title');
  return field.restInput;
}

const kinds = Object.entries(recordKinds).flatMap(([name, { service }]) => (service === 'graph' ? [name] : []));
let sources = 0;
const newSource = (): { readonly source: string; readonly sourceID: string } => ({
  source: 'independent',
  sourceID: `No. ${(sources += 1)}`,
});

/**
 * Tests of a client of records as others write them: it reads `GET /v1/types` and `/v1/enums`, sends every value as text, by
 * JSON and by forms, and takes nothing from the sources. `open` says where the platform is, and by which token; `files` is
 * false where no storage for files was started.
 */
export function independentClient(open: () => Promise<Access>, { files: takesFiles = true } = {}): void {
  let baseUrl: string;
  let client: HttpClient;
  let types: readonly TypeDescription[];
  let world: World;

  beforeAll(async () => {
    const access = await open();
    baseUrl = access.baseUrl ?? access.origin;
    client = httpClientOf(access);
    const described = (await client.get('/v1/types')).list as unknown as readonly TypeDescription[];
    types = described.filter(({ views }) => views.some(({ name }) => name === 'trash'));
    const referred = new Map<string, Promise<number | undefined>>();
    const make = async (graphqlType: string): Promise<number | undefined> => {
      const type = types.find(({ graphqlName }) => graphqlName === graphqlType);
      return type && idIn(await create(type, await neededTexts(type, world, { [titleOf(type)]: 'Referred to' })));
    };
    world = {
      enums: (await client.get('/v1/enums')).body as World['enums'],
      me: idIn(await client.get('/v1/me')),
      account: String((await client.get('/v1/account')).body['id']),
      referred: (graphqlType) => {
        const made = referred.get(graphqlType) ?? make(graphqlType);
        referred.set(graphqlType, made);
        return made;
      },
    };
  });

  const create = (type: TypeDescription, texts: Texts): Promise<Answer> =>
    client.call('POST', type.path, 201, { json: texts });

  const typeOf = (name: string): TypeDescription => {
    const found = types.find((type) => type.name === name);
    if (!found) throw new Error(`/v1/types has no ${name}`);
    return found;
  };

  /** A record with its type, made with what it needs alone. */
  async function made(name: string) {
    const type = typeOf(name);
    const source = newSource();
    const answer = await create(
      type,
      await neededTexts(type, world, { [titleOf(type)]: `A ${type.label}`, ...source }),
    );
    return { type, source, answer, id: idIn(answer), path: `${type.path}/${idIn(answer)}`, title: titleOf(type) };
  }

  test('the types with a trash are the records of the platform', () => {
    expect(types.map(({ name }) => name).sort()).toEqual([...kinds].sort());
  });

  describe.each(kinds)('%s', (name) => {
    test.each(['json', 'form'] as const)(
      'is made by %s of texts for every field, and shows what they mean',
      async (by) => {
        const type = typeOf(name);
        const texts = await textsFor(type, world, { [titleOf(type)]: `A ${type.label}, “ü” & all`, ...newSource() });
        const answer = await client.call('POST', type.path, 201, { [by]: texts });
        expect(answer.headers.get('location')).toBe(`${baseUrl}${type.path}/${idIn(answer)}`);
        expect(answer.body).toMatchObject(shownAs(type, texts));
        const read = await client.get(answer.headers.get('location') ?? '');
        expect(read.body).toEqual(answer.body);
        expect(tagOf(read)).toBe(tagOf(answer));
      },
    );

    test('is changed by its version, and a lost update is refused', async () => {
      const { type, title, path, answer } = await made(name);
      const changed = await client.call('PATCH', path, 200, {
        json: { [title]: 'Changed by JSON' },
        headers: { 'If-Match': tagOf(answer) },
      });
      const lost = { form: { [title]: 'Lost' }, headers: { 'If-Match': tagOf(answer) } };
      await client.call('PATCH', path, 412, lost);
      const again = { form: { [title]: 'Changed by a form' }, headers: { 'If-Match': tagOf(changed) } };
      expect((await client.call('PATCH', path, 200, again)).body).toMatchObject({ [title]: 'Changed by a form' });
      // Everything at once, as a client that copies does.
      const all = await textsFor(type, world, { [title]: 'All of it', ...newSource() });
      await client.call('PUT', path, 200, { form: all });
      expect((await client.get(path)).body).toMatchObject(shownAs(type, all));
      await client.call('PATCH', path, 200, { json: { source: '', sourceID: '' } });
      expect((await client.get(path)).body).toMatchObject({ source: null, sourceID: null });
      expect((await client.call('PATCH', path, 422, { form: { [title]: '' } })).body['errors']).toEqual([
        [title, expect.stringMatching(/is required$/)],
      ]);
    });

    test('has notes for everybody and for the inside', async () => {
      const { type, path } = await made(name);
      if (!type.hasNotes) return void (await client.get(`${path}/notes`, 404));
      await client.call('POST', `${path}/notes`, 201, { form: { text: 'For everybody', internal: 'false' } });
      await client.call('POST', `${path}/notes`, 201, { json: { text: 'For us', internal: 'true' } });
      await client.call('PATCH', path, 200, { form: { note: 'With a change' } });
      const notes = (await client.get(`${path}/notes`)).list;
      const inOrder = [...notes].sort((one, other) => Number(one['id']) - Number(other['id']));
      expect(inOrder.map(({ text, internal }) => [text, internal])).toEqual([
        ['For everybody', false],
        ['For us', true],
        ['With a change', false],
      ]);
    });

    if (takesFiles)
      test('has files in notes, which come back byte for byte', async () => {
        const { type, path } = await made(name);
        if (!type.hasNotes) return;
        const content = randomBytes(100_003);
        const key = await upload(client, content, 'Ein Bild – ä.bin');
        const attachments = [{ key, inline: 'false', filesize: String(content.length) }];
        const noted = await client.call('POST', `${path}/notes`, 201, { json: { text: 'With a file', attachments } });
        const again = await client.get(noted.headers.get('location') ?? '');
        expect(again.body).toEqual(noted.body);
        const [file] = again.body['attachments'] as readonly Body[];
        expect(file).toMatchObject({ key, name: 'Ein Bild – ä.bin', size: content.length, inline: false });
        const download = await fetch(String(file?.['uri']));
        expect(Buffer.compare(Buffer.from(await download.arrayBuffer()), content)).toBe(0);
      });

    test('is found by its views, number, times and source', async () => {
      const { type, id, source, answer } = await made(name);
      const { created_at, updated_at } = answer.body as Record<'created_at' | 'updated_at', string>;
      const query = (of: Texts) => `${type.path}?${new URLSearchParams({ ...of, per_page: '100' }).toString()}`;
      const own: Texts = { ...source };
      for (const filter of [
        own,
        { id: String(id) },
        { ...own, created_at: `>=${created_at}` },
        { ...own, updated_at: `<=${updated_at}` },
        { ...own, created_at: `>=${created_at}<2100-01-01`, sort: '-updated_at,id', fields: 'id' },
      ])
        expect(await client.ids(query(filter))).toEqual([id]);
      for (const filter of [
        { ...own, created_at: '<2000-01-01' },
        { ...own, id: `!${id}` },
      ])
        expect(await client.ids(query(filter))).toEqual([]);
      const found = await Promise.all(
        type.views.map(async ({ name: view }) => [view, await client.ids(`${type.path}/${view}?id=${id}`)] as const),
      );
      for (const [, ids] of found) expect([[], [id]]).toContainEqual(ids);
      const always = { all: [id], current_account: [id], archive: [], trash: [] };
      expect(Object.fromEntries(found)).toMatchObject(always);
      await client.get(`${type.path}/no_such_view`, 404);
    });

    test('is imported from a file, made and changed', async () => {
      const { type, title, source: known, path } = await made(name);
      const source = newSource();
      const rows = [
        { ...(await neededTexts(type, world, { [title]: 'Imported, "quoted"\nin two lines' })), ...source },
        { ...(await neededTexts(type, world, { [title]: 'Changed by a file' })), ...known },
      ];
      expect(await importing(client, type, fileOf(rows))).toMatchObject({
        state: 'done',
        results: { created: 1, updated: 1, unchanged: 0, failures: 0 },
      });
      expect((await client.get(path)).body).toMatchObject({ [title]: 'Changed by a file', ...known });
      const [found] = (await client.get(`${type.path}?${new URLSearchParams(source).toString()}`)).list;
      expect((await client.get(`${type.path}/${String(found?.['id'])}`)).body).toMatchObject(
        shownAs(type, { ...rows[0] }),
      );
    });

    test('is exported, and the file is imported as it is', async () => {
      const { type, id } = await made(name);
      const { body: begun } = await client.call('POST', '/v1/export', 200, { form: { type: type.plural } });
      const { body: ready } = await client.get(`/v1/export/${String(begun['token'])}`);
      const files = [...unzip((await client.get(String(ready['url']))).bytes)];
      expect(files.map(([file]) => file)).toEqual([expect.stringMatching(new RegExp(`-${type.plural}\\.csv$`))]);
      const [[, text = ''] = []] = files;
      expect(text).toMatch(new RegExp(`^"?${id}"?,`, 'm'));
      expect(await importing(client, type, text)).toMatchObject({
        state: 'done',
        results: { created: 0, updated: 0, failures: 0 },
      });
    });

    test('is archived, trashed and restored', async () => {
      const { type, id, path } = await made(name);
      const stateOf = async () => (await client.get(path)).body['life_cycle_state'];
      const entries = async (list: string) =>
        (await client.get(`/v1/${list}`)).list.map((entry) => (entry[type.name] as Body | null)?.['id']);
      const listed = () => client.ids(`${type.path}?id=${id}`);
      await client.call('POST', `${path}/archive`, 200);
      expect([await stateOf(), await listed()]).toEqual(['archived', []]);
      expect(await client.ids(`${type.path}/archive?id=${id}`)).toEqual([id]);
      expect((await entries('archive'))[0]).toBe(id);
      await client.call('POST', `${path}/restore`, 200);
      await client.call('POST', `${path}/trash`, 200);
      await client.get(path, 404);
      expect(await client.ids(`${type.path}/trash?id=${id}`)).toEqual([id]);
      expect((await entries('trash'))[0]).toBe(id);
      await client.call('POST', `${path}/restore`, 200);
      expect([await stateOf(), await listed()]).toEqual(['active', [id]]);
    });
  });
}

/** Uploads a file as the storage says; returns its key. */
async function upload(client: HttpClient, content: Buffer, name: string): Promise<string> {
  const { body: storage } = await client.get('/v1/attachments/storage');
  const parts = new FormData();
  for (const [part, value] of Object.entries(storage[String(storage['provider'])] as Texts)) parts.set(part, value);
  parts.set('file', new Blob([new Uint8Array(content)]), name);
  const { body } = await client.call('POST', String(storage['upload_uri']), 200, { parts });
  return String(body['key']);
}

/** A CSV file of rows, with the columns of the first. */
function fileOf(rows: readonly Texts[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cell = (text = ''): string => `"${text.replaceAll('"', '""')}"`;
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((line) => line.map(cell).join(',')).join('\r\n');
}

/** Imports a file; resolves with the finished import. */
async function importing(client: HttpClient, { name }: TypeDescription, file: string): Promise<Body> {
  const parts = new FormData();
  parts.set('type', name);
  parts.set('file', new Blob([file]), `${name}.csv`);
  const { body } = await client.call('POST', '/v1/import', 202, { parts });
  return waitUntil('the end of the import', async () => {
    const { body: now } = await client.get(`/v1/import/${String(body['token'])}`);
    return ['done', 'failed'].includes(String(now['state'])) ? now : undefined;
  });
}
