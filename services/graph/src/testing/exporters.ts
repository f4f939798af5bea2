import type { createImporters } from './importers';
import { cellsOf, unzip } from './unzip';

/** A caller who exports. */
export type Somebody = Pick<ReturnType<ReturnType<typeof createImporters>>, 'get' | 'post'>;

/** The token of an export. */
export async function ask({ post }: Somebody, body: object): Promise<string> {
  const answer = await post('/v1/export').send(body).expect(200);
  return (answer.body as { token: string }).token;
}

/** The files of an export, by name. */
export async function download({ get }: Somebody, token: string): Promise<ReadonlyMap<string, string>> {
  const answer = await get(`/v1/export/${token}/file`).responseType('blob').expect(200);
  return unzip(answer.body as Buffer);
}

/** The rows of the one file of an export, by header. */
export async function rowsOf(who: Somebody, body: object): Promise<Record<string, string>[]> {
  const [text = ''] = [...(await download(who, await ask(who, body))).values()];
  const [head = [], ...rows] = cellsOf(text);
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])));
}
