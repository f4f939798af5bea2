import { randomBytes } from 'node:crypto';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { attempt, openBrowser, openSignedIn } from '../testing/browser';
import { call, headersOf, nodeId } from '../testing/caller';
import { bodyIn } from '../testing/client';
import { claimsFor, exchange, refusedGrant, seedExchange } from '../testing/exchange';
import { makeKey, sign, startLocalProvider } from '../testing/local-provider';
import {
  choosePassword,
  followLink,
  forgotPassword,
  linkIn,
  mailsTo,
  mailTo,
  settled,
  withMails,
} from '../testing/mailed';
import { createPeopleClient, idIn, payloadIn } from '../testing/people';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ smtp, auth } = started), { settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });

const { create, update, colleague, stored } = createPeopleClient(() => auth);
const newEmail = () => `new.${randomBytes(6).toString('hex')}@new.example`;
const statusOfSignIn = async ({ email, password }: Pick<SeededPerson, 'email' | 'password'>): Promise<number> =>
  (await attempt(auth, { email, password }, `2001:db8:${randomBytes(2).toString('hex')}::1`)).status;

test('an address changed by an administrator cannot be used to sign in until its owner has verified it', async () => {
  const administrator = await seedPerson(auth);
  const person = await colleague(administrator);
  const browser = await openSignedIn(auth, person);
  const email = newEmail();
  expect(payloadIn(await update(administrator, person.id, { primaryEmail: email })).errors).toEqual([]);

  expect(await statusOfSignIn(person)).toBe(401);
  expect(await statusOfSignIn({ ...person, email })).toBe(401);
  // The session continues, and its profile shows why the next sign-in would fail.
  expect((await browser.get('/oauth/profile').expect(200)).text).toContain('<span class="badge">Not verified</span>');

  const notice = await mailTo(smtp, person.email);
  expect(notice.email.subject).toBe('Your e-mail address is being changed');
  expect(notice.raw).not.toContain(email);
  const link = linkIn(await mailTo(smtp, email));
  expect((await openBrowser(auth).get(link).expect(200)).text).toContain('Verify your e-mail address');
  expect(await stored(person.id)).toMatchObject({ verified: false });
  expect((await followLink(auth, link)).text).toContain('Your address is verified');
  expect(await stored(person.id)).toMatchObject({ verified: true, primaryEmail: email });
  expect(await statusOfSignIn({ ...person, email })).toBe(303);
  expect(await statusOfSignIn(person)).toBe(401);
  await openBrowser(auth).get(link).expect(404);
  expect((await browser.get('/oauth/profile').expect(200)).text).not.toContain('Not verified');
});

test('callers who may read people see whether an address is verified, in GraphQL and REST', async () => {
  const administrator = await seedPerson(auth);
  const email = newEmail();
  const id = idIn(payloadIn(await create(administrator, { name: 'Ada New', primaryEmail: email })));
  const reader = await colleague(administrator);
  const seen = async () => {
    const text = 'query ($id: ID!) { person(id: $id) { verified } }';
    const { data } = await call(auth, reader, text, { id: nodeId('Person', id) });
    const answer = await auth.http.get(`/v1/people/${id}`).set(await headersOf(auth, reader));
    return { graphql: data?.['person'], rest: (bodyIn(answer) as { verified: unknown }).verified };
  };
  expect(await seen()).toEqual({ graphql: { verified: false }, rest: false });
  await choosePassword(auth, linkIn(await mailTo(smtp, email)), 'three green tall trees');
  expect(await seen()).toEqual({ graphql: { verified: true }, rest: true });
  const scopes = [{ effect: 'allow' as const, actions: ['request:Read'] }];
  await auth.http
    .get(`/v1/people/${id}`)
    .set(await headersOf(auth, reader, { scopes }))
    .expect(403);
  await auth.http
    .get(`/v1/people/${id}`)
    .set(await headersOf(auth, await seedPerson(auth)))
    .expect(404);
});

test('addresses that an earlier release folded beyond ASCII get ASCII-folded keys after the next start', async () => {
  const administrator = await seedPerson(auth);
  const people = auth.connection.collection<{ _id: number }>('people');
  const indexes = async () => (await people.indexes()).map(({ name }) => name ?? '').sort();
  const before = await indexes();
  const as = async (primaryEmail: string, emailKey: string) => {
    const person = await colleague(administrator);
    await people.updateOne({ _id: person.id }, { $set: { primaryEmail, emailKey } });
    return { ...person, email: primaryEmail };
  };
  const domain = `${administrator.accountId}.example`;
  const capital = await as(`JOS\u00c9@${domain}`, `jos\u00e9@${domain}`);
  const wide = await as(`\uff45llen@${domain}`, `ellen@${domain}`);
  const latecomer = await as(`\u00c9VA@${domain}`, `\u00e9va@${domain}`);
  const taken = await as(`\u00c9va@${domain}`, `\u00c9va@${domain}`);
  expect(await statusOfSignIn(capital)).toBe(401);

  for (let times = 0; times < 2; times += 1) {
    await auth.app.prepareStore();
    expect(await stored(capital.id)).toMatchObject({ emailKey: `jos\u00c9@${domain}`, version: 1 });
    expect(await stored(wide.id)).toMatchObject({ emailKey: `\uff45llen@${domain}` });
    expect(await stored(taken.id)).toMatchObject({ emailKey: `\u00c9va@${domain}` });
    // Another person of the account has this address.
    expect(await stored(latecomer.id)).toMatchObject({ emailKey: `\u00e9va@${domain}` });
  }
  expect(await statusOfSignIn(capital)).toBe(303);
  expect(await statusOfSignIn({ ...capital, email: `jOS\u00c9@${domain}` })).toBe(303);
  expect(await indexes()).toEqual(before);
});

test('changing only the case of letters leaves the address verified', async () => {
  const administrator = await seedPerson(auth);
  const person = await colleague(administrator);
  await update(administrator, person.id, { primaryEmail: person.email.toUpperCase(), name: 'Other' });
  expect(await stored(person.id)).toMatchObject({ verified: true, name: 'Other' });
  expect(await statusOfSignIn(person)).toBe(303);
  await settled(auth);
  expect(mailsTo(smtp, person.email)).toEqual([]);
});

test("no shadowing: an older person who is given another person's address cannot sign in, nor prevent the other's sign-in", async () => {
  const attacker = await seedPerson(auth);
  const puppet = await colleague(attacker);
  const victim = await seedPerson(auth);
  expect(puppet.id).toBeLessThan(victim.id);
  await update(attacker, puppet.id, { primaryEmail: victim.email });
  expect(await statusOfSignIn(victim)).toBe(303);
  expect(await statusOfSignIn({ ...puppet, email: victim.email })).toBe(401);
  const failures = { people: puppet.id, event: 'sign_in.failed' };
  expect(await auth.connection.collection('security_log').countDocuments(failures)).toBe(0);
  // Only the owner of the address can verify it, and gets the mail.
  expect((await mailTo(smtp, victim.email)).email.subject).toBe('Please verify your e-mail address');
  // A reset goes to the victim, too.
  await forgotPassword(auth, victim.email);
  await settled(auth);
  const resets = mailsTo(smtp, victim.email).filter(({ email }) => email.subject === 'Choose a new password');
  expect(resets).toHaveLength(1);
  expect(resets[0]?.email.text).toContain(victim.accountId);
});

test('a link cannot take an address that another person has meanwhile', async () => {
  const administrator = await seedPerson(auth);
  const [one, other] = [await colleague(administrator), await colleague(administrator)];
  const email = newEmail();
  await update(administrator, one.id, { primaryEmail: email });
  const link = linkIn(await mailTo(smtp, email));
  await update(administrator, one.id, { primaryEmail: newEmail() });
  await update(administrator, other.id, { primaryEmail: email });
  await openBrowser(auth).get(link).expect(404);
  expect(await stored(other.id)).toMatchObject({ primaryEmail: email, verified: false });
  expect((await followLink(auth, linkIn(await mailTo(smtp, email, 2)))).status).toBe(200);
  expect(await statusOfSignIn({ ...other, email })).toBe(303);
});

test('of two concurrent uses of a link one succeeds', async () => {
  const administrator = await seedPerson(auth);
  const person = await colleague(administrator);
  const email = newEmail();
  await update(administrator, person.id, { primaryEmail: email });
  const link = linkIn(await mailTo(smtp, email));
  const answers = await Promise.all([followLink(auth, link), followLink(auth, link)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test('an identity token with an unverified address matches nobody', async () => {
  const key = await makeKey();
  const provider = await startLocalProvider([key]);
  try {
    const { person, application, accountId } = await seedExchange(auth, { issuer: provider.issuer });
    const email = newEmail();
    const id = idIn(payloadIn(await create({ ...person, accountId }, { name: 'Grace Lin', primaryEmail: email })));
    const present = async () =>
      exchange(auth, application, await sign(key, claimsFor(auth, provider.issuer, { email })));
    const refused = await present();
    expect([refused.status, refused.body]).toEqual([400, refusedGrant(/matches no person/)]);
    await choosePassword(auth, linkIn(await mailTo(smtp, email)), 'three green tall trees');
    expect((await present()).status).toBe(200);
    await update({ ...person, accountId }, id, { primaryEmail: newEmail() });
    expect((await present()).status).toBe(400);
  } finally {
    await provider.close();
  }
});

test('people stored by an earlier release count as verified', async () => {
  const person = await seedPerson(auth);
  await auth.connection
    .collection<{ _id: number }>('people')
    .updateOne({ _id: person.id }, { $unset: { verified: '' } });
  expect(await statusOfSignIn(person)).toBe(303);
});

test('no link is sent when the change of the address was not written', async () => {
  const administrator = await seedPerson(auth);
  const [one, other] = [await colleague(administrator), await colleague(administrator)];
  const refused = payloadIn(await update(administrator, one.id, { primaryEmail: other.email }));
  expect(refused.errors).toHaveLength(1);
  const many = await Promise.all(
    Array.from({ length: 5 }, (_none, n) => update(administrator, one.id, { primaryEmail: `race-${n}-${newEmail()}` })),
  );
  expect(many.flatMap((answer) => payloadIn(answer).errors)).toEqual([]);
  await settled(auth);
  expect(mailsTo(smtp, other.email)).toEqual([]);
  const { primaryEmail } = (await stored(one.id)) as unknown as { primaryEmail: string };
  expect(mailsTo(smtp, primaryEmail)).toHaveLength(1);
});
