import { unusedMilliseconds } from '../attachments/attachment.service';
import { writeMilliseconds } from '../attachments/placed-files';
import { shownIn, startFiles, uploaded } from '../testing/attachment-kit';
import { intercepted } from '../testing/intercepted';

type End = 'before' | 'after';
/** The account whose process ends, and at which of its updates, counted from 0; undefined while none does. */
let death: { readonly account: string; readonly last: number; readonly end: End } | undefined;
let sent = 0;

let files: Awaited<ReturnType<typeof startFiles>>;
beforeAll(async () => {
  files = await startFiles({
    around: (connection) =>
      intercepted(
        connection,
        async (parameters, send) => {
          const [filter] = parameters as readonly { readonly accountId?: string }[];
          if (!death || filter?.accountId !== death.account) return send(...parameters);
          sent += 1;
          if (sent <= death.last) return send(...parameters);
          if (sent === death.last + 1 && death.end === 'after') await send(...parameters);
          throw new Error('The process has ended');
        },
        ['updateOne', 'updateMany'],
      ),
  });
});
afterAll(() => files.stop());

/** A write that adds one file and takes another away, in a process that ends at a write. */
async function writeAndEnd(last: number, end: End) {
  const { account, specialist } = await files.openAccount();
  const [old, young] = [await uploaded(specialist, 'old'), await uploaded(specialist, 'young')];
  const given = { subject: 'Disks', workaround_attachments: [{ key: old }] };
  const { body: made } = await specialist.rest('post', '/v1/problems', given).expect(201);
  const path = `/v1/problems/${(made as { readonly id: number }).id}`;
  await files.graph.settled();
  const body = { workaround_attachments: [{ key: young }, { key: old, _destroy: true }] };
  [death, sent] = [{ account, last, end }, 0];
  const { status } = await specialist.rest('patch', path, body);
  death = undefined;
  return { account, specialist, old, young, path, body, status };
}

test.each([0, 1, 2, 3, 4, 5].flatMap((last) => (['before', 'after'] as const).map((end) => [end, last] as const)))(
  'a process that ends %s its write %d loses no file, and leaves none behind',
  async (end, last) => {
    const { account, specialist, old, young, path, body, status } = await writeAndEnd(last, end);
    // Taking, watching, the record, keeping and letting go are all its writes.
    expect(status).toBe(last < 5 ? 500 : 200);
    const keys = async () => shownIn((await specialist.get(path).expect(200)).body).map(({ key }) => key);
    const isWritten = (await keys()).includes(young);
    expect(await keys()).toEqual(isWritten ? [young] : [old]);
    // Soon after, the file is free for another try, or the record has it.
    files.graph.clock.pass(writeMilliseconds);
    await files.graph.settled();
    const other = await specialist.rest('post', '/v1/problems', { subject: 'Disks' }).expect(201);
    const otherPath = `/v1/problems/${(other.body as { readonly id: number }).id}`;
    if (isWritten) await specialist.rest('patch', otherPath, { workaround_attachments: [{ key: young }] }).expect(422);
    await specialist.rest('patch', path, body).expect(isWritten ? 422 : 200);
    await files.graph.settled();
    for (const day of [1, 2, 3]) await files.sweep(day * unusedMilliseconds);
    expect(await keys()).toEqual([young]);
    expect(files.objects(account)).toEqual([young.split('/')[3]]);
    expect(await files.usage(account)).toMatchObject({ bytes: 5 });
    const due = { accountId: account, dueAt: { $exists: true } };
    expect(await files.graph.connection.collection('attachments').countDocuments(due)).toBe(0);
  },
);

test('what a process has watched and not taken away stays', async () => {
  const { account, specialist, old, young, path } = await writeAndEnd(1, 'after');
  expect(shownIn((await specialist.get(path).expect(200)).body).map(({ key }) => key)).toEqual([old]);
  await files.graph.settled();
  for (const day of [1, 2]) await files.sweep(day * unusedMilliseconds);
  expect(files.objects(account)).toEqual([old.split('/')[3]]);
  expect(young).not.toBe(old);
});
