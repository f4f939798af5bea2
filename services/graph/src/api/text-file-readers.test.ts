import type { TextField } from '@itsm/shared/declared/language';
import { recordTypes } from '../record-types/all';
import { shownIn, startFiles, uploaded } from '../testing/attachment-kit';

/** A long text of requests that is for those who do the work. */
const summary: TextField = { name: 'summary', label: 'Summary', kind: 'text', maxLength: 65_535 };
const types = recordTypes.map((type) =>
  type.name === 'request' ? { ...type, fields: [...type.fields, summary] } : type,
);

let files: Awaited<ReturnType<typeof startFiles>>;
beforeAll(async () => {
  files = await startFiles({ types });
});
afterAll(() => files.stop());

const keysIn = (body: unknown) => shownIn(body).map(({ key }) => key);

test('files of a text that is not for everybody are for those who work with the records', async () => {
  const { account, specialist, user, auditor, id, nodeID } = await files.openAccount();
  const form = Number(account.split('-')[1]);
  await files.graph.publishForm({ id: form, accountId: account });
  const [inner, open] = [await uploaded(specialist, 'inner'), await uploaded(specialist, 'open')];
  const path = `/v1/requests/${id}`;
  const given = {
    ui_extension_id: form,
    summary_attachments: [{ key: inner }],
    custom_fields_attachments: [{ key: open }],
  };
  expect(keysIn((await specialist.rest('patch', path, given).expect(200)).body)).toEqual([open, inner]);
  expect(keysIn((await auditor.get(path).expect(200)).body)).toEqual([open, inner]);
  expect(keysIn((await user.get(path).expect(200)).body)).toEqual([open]);
  const query = `{ request(id: "${nodeID}") { summaryAttachments { key url } customFieldsAttachments { key } } }`;
  expect(await user.ask('request', query)).toEqual({
    summaryAttachments: [],
    customFieldsAttachments: [{ key: open }],
  });
  const { body: list } = await user.get('/v1/requests?fields=*').expect(200);
  expect(JSON.stringify(list)).not.toContain(inner);
});

test('requesters give no files to a text that they may not fill in', async () => {
  const { user } = await files.openAccount();
  const key = await uploaded(user, 'mine');
  const { body } = await user
    .rest('post', '/v1/requests', { subject: 'Printer', summary_attachments: [{ key }] })
    .expect(422);
  expect((body as { readonly errors: unknown }).errors).toEqual([
    ['summary_attachments', 'Summary attachments are not for you to set'],
  ]);
});

test('a partner sees the text of a shared record and not its files', async () => {
  const [provider, customer] = [await files.openAccount(), await files.openAccount()];
  const trusting = (id: string, other: string, as: 'provider' | 'customer') =>
    files.graph.publishAccount({ id, trusts: [{ accountId: other, as }] });
  await trusting(provider.account, customer.account, 'customer');
  await trusting(customer.account, provider.account, 'provider');
  const key = await uploaded(provider.specialist, 'terms');
  const given = { name: 'Printing', customer_id: customer.account, remarks: 'See', remarks_attachments: [{ key }] };
  const { body } = await provider.specialist.rest('post', '/v1/slas', given).expect(201);
  const { id, nodeID } = body as { readonly id: number; readonly nodeID: string };
  expect(keysIn(body)).toEqual([key]);
  const { body: seen } = await customer.specialist.get(`/v1/slas/${id}`).expect(200);
  expect(seen).toMatchObject({ remarks: 'See', attachments: [] });
  const query = `{ serviceLevelAgreement(id: "${nodeID}") { remarks remarksAttachments { key } } }`;
  expect(await customer.specialist.ask('serviceLevelAgreement', query)).toEqual({
    remarks: 'See',
    remarksAttachments: [],
  });
  const { body: list } = await customer.specialist.get('/v1/slas?fields=*').expect(200);
  expect(JSON.stringify(list)).not.toContain(key);
});
