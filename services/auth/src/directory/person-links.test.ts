import { randomBytes } from 'node:crypto';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { attempt } from '../testing/browser';
import { call, headersOf, nodeId } from '../testing/caller';
import { choosePassword, linkIn, mailTo, mailsTo, settled, withMails } from '../testing/mailed';
import { createPeopleClient } from '../testing/people';
import type { Auth, SeededPerson, Store } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let store: Store;
let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ store, smtp, auth } = started));

const { colleague } = createPeopleClient(() => auth);
const mutations = ['Invite', 'ResetPassword'] as const;
const network = '203.0.113.78';
type Mutation = (typeof mutations)[number];

const ask = (caller: SeededPerson, mutation: Mutation, id: number | string, options = {}, of: Auth = auth) =>
  call(
    of,
    caller,
    `mutation ($input: Person${mutation}Input!) { answer: person${mutation}(input: $input) {
      person { name } errors { message path } clientMutationId } }`,
    { input: { id: typeof id === 'number' ? nodeId('Person', id) : id, clientMutationId: 'one' } },
    options,
  );

async function invited(administrator: SeededPerson) {
  const email = `grace.${randomBytes(6).toString('hex')}@new.example`;
  const headers = await headersOf(auth, administrator);
  const { body } = await auth.http.post('/v1/people').set(headers).send({ name: 'Grace', primary_email: email });
  await mailTo(smtp, email);
  return { id: (body as { id: number }).id, email };
}
const done = (name: string) => ({ data: { answer: { person: { name }, errors: [], clientMutationId: 'one' } } });
const refused = (message: string) => ({ answer: { person: null, errors: [{ message, path: ['id'] }] } });
const entries = (id: number) =>
  auth.connection.collection('security_log').find({ people: id, event: 'person.link_asked' }).toArray();

test('an administrator mails an invitation again, and its link sets a password', async () => {
  const administrator = await seedPerson(auth);
  const { id, email } = await invited(administrator);
  expect(await ask(administrator, 'Invite', id)).toEqual(done('Grace'));
  const link = linkIn(await mailTo(smtp, email, 2));
  expect(await entries(id)).toMatchObject([{ actor: { id: administrator.id } }]);
  const password = 'three green tall trees';
  expect((await choosePassword(auth, link, password)).status).toBe(200);
  expect((await attempt(auth, { email, password }, network)).status).toBe(303);
  expect((await ask(administrator, 'Invite', id)).data).toMatchObject(refused('Grace needs no link'));
});

test('an administrator mails a reset, and the present password works until its link is followed', async () => {
  const administrator = await seedPerson(auth);
  const person = await colleague(administrator, { name: 'Howard' });
  expect(await ask(administrator, 'ResetPassword', person.id)).toEqual(done('Howard'));
  const link = linkIn(await mailTo(smtp, person.email));
  expect(await entries(person.id)).toMatchObject([{ actor: { id: administrator.id } }]);
  expect((await attempt(auth, person, network)).status).toBe(303);
  const password = 'three green tall trees';
  expect((await choosePassword(auth, link, password)).status).toBe(200);
  expect((await attempt(auth, person, network)).status).not.toBe(303);
  expect((await attempt(auth, { email: person.email, password }, network)).status).toBe(303);
});

test('a reset is refused for a person without a password, and for a disabled one', async () => {
  const administrator = await seedPerson(auth);
  const { id, email } = await invited(administrator);
  const howard = await colleague(administrator, { name: 'Howard' });
  await auth.app.services.persons.disable(howard.accountId, howard.id);
  const why = 'has no password to reset, or a disabled or unverified address';
  expect((await ask(administrator, 'ResetPassword', id)).data).toMatchObject(refused(`Grace ${why}`));
  expect((await ask(administrator, 'ResetPassword', howard.id)).data).toMatchObject(refused(`Howard ${why}`));
  expect((await ask(administrator, 'Invite', howard.id)).data).toMatchObject(refused('Howard needs no link'));
  await settled(auth);
  expect([mailsTo(smtp, email).length, mailsTo(smtp, howard.email).length]).toEqual([1, 0]);
});

test.each(mutations)(
  'person%s is for account and directory administrators, and for people of their account',
  async (mutation) => {
    const administrator = await seedPerson(auth);
    const stranger = await seedPerson(auth);
    const target = mutation === 'Invite' ? (await invited(administrator)).id : (await colleague(administrator)).id;
    for (const role of ['end_user', 'key_contact', 'specialist', 'auditor'] as const) {
      const { errors } = await ask(await colleague(administrator, { roles: [role] }), mutation, target);
      expect(errors).toMatchObject([{ message: 'Forbidden' }]);
    }
    const scopes = [{ effect: 'allow' as const, actions: ['person:Read', 'person:Create'] }];
    expect((await ask(administrator, mutation, target, { scopes })).errors).toMatchObject([
      { message: 'Missing required scope(s): person:Update', extensions: { code: 'FORBIDDEN' } },
    ]);
    await auth.app.operator.ensureAccount({
      id: stranger.accountId,
      name: 'Child',
      directoryAccountId: administrator.accountId,
    });
    for (const id of [target, 999_999, 'nonsense'])
      expect((await ask(stranger, mutation, id)).errors).toMatchObject([{ message: 'Not Found' }]);
    expect(await entries(target)).toEqual([]);
    const keeper = await colleague(administrator, { roles: ['directory_administrator'] });
    expect((await ask(keeper, mutation, administrator.id)).errors).toMatchObject([
      { message: 'Only an account administrator can do this for an administrator' },
    ]);
    expect((await ask(keeper, mutation, target)).data).toMatchObject({ answer: { errors: [] } });
  },
);

test('one person gets at most three at a time, also of calls at once', async () => {
  const administrator = await seedPerson(auth);
  const { id } = await colleague(administrator);
  const all = await Promise.all(Array.from({ length: 5 }, () => ask(administrator, 'ResetPassword', id)));
  const tooMany = { message: expect.stringContaining('Several links were sent') as string };
  expect(all.filter(({ errors }) => !errors)).toHaveLength(3);
  expect(all.filter(({ errors }) => errors).map(({ errors }) => errors?.[0])).toEqual(
    Array(2).fill(expect.objectContaining(tooMany)),
  );
});

test('an installation without a mail server says so', async () => {
  const quiet = await store.start();
  const administrator = await seedPerson(quiet);
  for (const mutation of mutations)
    expect((await ask(administrator, mutation, administrator.id, {}, quiet)).data).toMatchObject(
      refused('This installation sends no mails: its operator makes links'),
    );
});
