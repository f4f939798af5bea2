import { formTokenIn, openBrowser, openSignedIn } from '../testing/browser';
import { call } from '../testing/caller';
import { createPeopleClient } from '../testing/people';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

const { answerOffer, colleague, offerRoles, stored, update } = createPeopleClient(() => auth);

const trust = (from: SeededPerson, to: SeededPerson, as: string) =>
  call(auth, from, 'mutation ($input: AccountUpdateInput!) { accountUpdate(input: $input) { errors { message } } }', {
    input: { trusts: [{ accountID: to.accountId, as }] },
  });

async function seedPartners() {
  const [acme, wdc] = [await seedPerson(auth), await seedPerson(auth)];
  await trust(acme, wdc, 'provider');
  await trust(wdc, acme, 'customer');
  return { acme, wdc, person: await colleague(wdc, { name: 'Grace Lin' }) };
}

type Offered = { roleOfferCreate: { roleOffer: Record<string, unknown> | null; errors: { path: string[] }[] } };
const offeredIn = ({ data }: { data?: unknown }) => (data as Offered).roleOfferCreate;
const peopleOf = async (person: SeededPerson) =>
  JSON.stringify((await call(auth, person, '{ people(first: 50) { nodes { name primaryEmail } } }')).data);
const written = (accountId: string) =>
  auth.connection
    .collection('security_log')
    .find({ event: /^roles/, accountIds: accountId })
    .sort({ _id: 1 })
    .toArray();

test('a person of a partner is visible once they have accepted the roles, and both logs record it', async () => {
  const { acme, wdc, person } = await seedPartners();
  expect(offeredIn(await offerRoles(acme, person, ['specialist']))).toMatchObject({ errors: [] });
  expect(await peopleOf(acme)).not.toContain('Grace Lin');
  const browser = await openSignedIn(auth, person);
  expect((await browser.get('/oauth/profile')).text).toContain(`Account ${acme.accountId}`);
  expect((await answerOffer(browser, 'accept')).status).toBe(303);
  expect(await peopleOf(acme)).toContain('Grace Lin');
  expect((await stored(person.id))?.['roles']).toMatchObject({ [acme.accountId]: ['specialist'] });
  expect((await browser.get('/oauth/profile')).text).not.toContain('Roles offered to you');

  const whom = { accountId: wdc.accountId, id: person.id, name: 'Grace Lin' };
  const [accepted, offered] = await written(acme.accountId);
  expect(accepted).toMatchObject({ event: 'roles.accepted', person: whom, ip: null, userAgent: null });
  expect(offered).toMatchObject({
    event: 'roles.offered',
    person: null,
    facts: { to: person.email, of: wdc.accountId },
  });
  const [acceptedAtHome, offeredAtHome] = await written(wdc.accountId);
  expect(acceptedAtHome).toMatchObject({ event: 'roles.accepted', person: whom, facts: { in: acme.accountId } });
  expect(offeredAtHome).toMatchObject({
    event: 'roles.offered',
    person: whom,
    ip: null,
    facts: { roles: ['specialist'] },
  });
});

test('offers for existing and unknown people get the same answer and the same writes', async () => {
  const { acme, wdc, person } = await seedPartners();
  const nobody = { accountId: wdc.accountId, email: 'nobody@nowhere.example' };
  const answers = [await offerRoles(acme, person, ['auditor']), await offerRoles(acme, nobody, ['auditor'])].map(
    offeredIn,
  );
  const alike = { accountID: wdc.accountId, roles: ['auditor'], expiresAt: expect.any(String) as string };
  expect(answers).toEqual([
    { roleOffer: { ...alike, primaryEmail: person.email }, errors: [] },
    { roleOffer: { ...alike, primaryEmail: nobody.email }, errors: [] },
  ]);
  for (const entry of await written(acme.accountId))
    expect(entry).toMatchObject({ event: 'roles.offered', person: null });
});

test('an offer that is declined, taken back or a month old gives nothing, and neither does one between accounts that no longer trust each other', async () => {
  const { acme, wdc, person } = await seedPartners();
  const browser = await openSignedIn(auth, person);
  const offer = () => offerRoles(acme, person, ['specialist']);
  const isOffered = async () => (await browser.get('/oauth/profile')).text.includes('Roles offered to you');

  await offer();
  expect((await answerOffer(browser, 'decline')).status).toBe(303);
  expect(await isOffered()).toBe(false);
  expect(await written(acme.accountId)).toHaveLength(1);
  expect((await written(wdc.accountId))[0]).toMatchObject({ event: 'roles.declined' });

  await offer();
  await offerRoles(acme, person, []);
  expect(await isOffered()).toBe(false);

  await offer();
  await trust(wdc, acme, 'provider');
  expect((await answerOffer(browser, 'accept')).status).toBe(400);
  await trust(wdc, acme, 'customer');
  await offer();
  auth.clock.offset = 30 * 86_400_000;
  const later = await openSignedIn(auth, person);
  expect((await later.get('/oauth/profile')).text).not.toContain('Roles offered to you');
  expect((await stored(person.id))?.['roles']).not.toHaveProperty(acme.accountId);
});

test('an offer is only for a person who has verified the address', async () => {
  const { acme, wdc, person } = await seedPartners();
  const email = `somebody.elses@${wdc.accountId}.example`;
  const browser = await openSignedIn(auth, person);
  await offerRoles(acme, person, ['specialist']);
  const page = await browser.get('/oauth/profile');
  const [action = ''] = /\/oauth\/profile\/role-offers\/[\w-]+\/accept/.exec(page.text) ?? [];
  // The person has the address of the offer, but has not verified it.
  await update(wdc, person.id, { primaryEmail: email });
  await update(wdc, person.id, { primaryEmail: person.email });
  expect(await stored(person.id)).toMatchObject({ primaryEmail: person.email, verified: false });
  expect((await browser.get('/oauth/profile').expect(200)).text).not.toContain('Roles offered to you');
  await browser
    .post(action)
    .type('form')
    .send({ form_token: formTokenIn(page) })
    .expect(404);
  expect((await stored(person.id))?.['roles']).not.toHaveProperty(acme.accountId);
});

const page = '/oauth/administration/people';
const withdrawalIn = (text: string): string => /action="([^"]+\/withdraw)"/.exec(text)?.[1] ?? '';
async function withdraw(browser: ReturnType<typeof openBrowser>, action: string) {
  const form_token = formTokenIn(await browser.get(page));
  return (await browser.post(action).type('form').send({ form_token })).status;
}

test('administrators see offers with recipient, author and expiry, and withdraw them', async () => {
  const { acme, wdc, person } = await seedPartners();
  const [browser, own] = [await openSignedIn(auth, acme), await openSignedIn(auth, person)];
  expect((await browser.get(page)).text).not.toContain('Roles offered');
  await offerRoles(acme, person, ['specialist', 'key_contact']);
  const { text } = await browser.get(page).expect(200);
  expect(text).toContain(`<h3>${person.email}</h3>`);
  expect(text).toContain(`specialist, key contact · of Account ${wdc.accountId}`);
  const day = '<time datetime="[^"]+"[^>]*>[^<]+ \\d{4}[^<]*</time>';
  expect(text).toMatch(new RegExp(`Offered ${day} by Ellen Brown · open until ${day}`));
  expect(text).not.toContain('Grace Lin');

  const action = withdrawalIn(text);
  const answers = await Promise.all([withdraw(browser, action), withdraw(browser, action), withdraw(browser, action)]);
  expect(answers.sort()).toEqual([303, 404, 404]);
  expect((await browser.get(page)).text).not.toContain('Roles offered');
  expect((await own.get('/oauth/profile')).text).not.toContain('Roles offered to you');
  expect((await written(acme.accountId)).map(({ event }) => event as string)).toEqual([
    'roles.withdrawn',
    'roles.offered',
  ]);
  expect((await written(wdc.accountId))[0]).toMatchObject({ event: 'roles.withdrawn', ip: null });
});

test('a declined offer looks unanswered to its account, and can be made again', async () => {
  const { acme, wdc, person } = await seedPartners();
  const [browser, own] = [await openSignedIn(auth, acme), await openSignedIn(auth, person)];
  await offerRoles(acme, person, ['specialist']);
  const rows = async () => /<h2 id="offers">[^]*?<\/section>/.exec((await browser.get(page)).text)?.[0];
  const offersIn = async () => (await rows())?.replaceAll(/name="form_token" value="[^"]+"/g, '');
  const before = await offersIn();
  expect(before).toBeDefined();
  expect((await answerOffer(own, 'decline')).status).toBe(303);
  expect(await offersIn()).toBe(before);
  expect((await own.get('/oauth/profile')).text).not.toContain('Roles offered to you');

  await offerRoles(acme, person, ['auditor']);
  expect((await own.get('/oauth/profile')).text).toContain('Roles offered to you');
  await trust(wdc, acme, 'provider');
  expect(await offersIn()).toContain('Cannot be accepted');
  expect(await offersIn()).not.toContain(`Account ${wdc.accountId}`);
});

test('only administrators of the offering account see and withdraw offers', async () => {
  const { acme, wdc, person } = await seedPartners();
  await offerRoles(acme, person, ['specialist']);
  const browser = await openSignedIn(auth, acme);
  const action = withdrawalIn((await browser.get(page)).text);
  const partner = await openSignedIn(auth, wdc);
  expect((await partner.get(page)).text).not.toContain('Roles offered');
  expect(await withdraw(partner, action)).toBe(404);
  const specialist = await openSignedIn(auth, await colleague(acme, { roles: ['specialist'] }));
  const form_token = formTokenIn(await specialist.get('/oauth/profile'));
  await specialist.post(action).type('form').send({ form_token }).expect(403);
  await browser.post(action).type('form').send({}).expect(403);
  await openBrowser(auth).post(action).type('form').send({}).expect(303);
  expect(await withdraw(browser, `${page}/role-offers/${'x'.repeat(300)}/withdraw`)).toBe(404);
  expect(withdrawalIn((await browser.get(page)).text)).toBe(action);
});

test('an offer is answered once, only by the person', async () => {
  const { acme, person, wdc } = await seedPartners();
  await offerRoles(acme, person, ['auditor']);
  const page = await (await openSignedIn(auth, person)).get('/oauth/profile');
  const [action = ''] = /\/oauth\/profile\/role-offers\/[\w-]+\/accept/.exec(page.text) ?? [];
  const post = async (browser: ReturnType<typeof openBrowser>) =>
    (
      await browser
        .post(action)
        .type('form')
        .send({ form_token: formTokenIn(await browser.get('/oauth/profile')) })
    ).status;
  expect(await post(openBrowser(auth))).toBe(303);
  expect(await post(await openSignedIn(auth, wdc))).toBe(404);
  expect(await post(await openSignedIn(auth, acme))).toBe(404);
  const own = await openSignedIn(auth, person);
  await own.post(action).type('form').send({}).expect(403);
  expect((await Promise.all([post(own), post(own), post(own)])).sort()).toEqual([303, 404, 404]);
});

test('roles are offered by account administrators, to addresses of accounts in mutual trust', async () => {
  const { acme, wdc, person } = await seedPartners();
  const stranger = await seedPerson(auth);
  const keeper = await colleague(acme, { roles: ['directory_administrator'] });
  expect((await offerRoles(keeper, person, ['auditor'])).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  for (const [to, roles, member] of [
    [stranger, ['auditor'], 'accountID'],
    [{ accountId: 'nobody-there', email: person.email }, ['auditor'], 'accountID'],
    [{ accountId: acme.accountId, email: acme.email }, ['auditor'], 'accountID'],
    [{ accountId: wdc.accountId, email: 'nobody' }, ['auditor'], 'primaryEmail'],
    [{ accountId: wdc.accountId, email: `${'a'.repeat(260)}@x.example` }, ['auditor'], 'primaryEmail'],
  ] as const) {
    expect(offeredIn(await offerRoles(acme, to, roles))).toMatchObject({
      roleOffer: null,
      errors: [{ path: [member] }],
    });
  }
  const scopes = [{ effect: 'allow' as const, actions: ['person:Read'] }];
  const text =
    'mutation { roleOfferCreate(input: { accountID: "x", primaryEmail: "a@b.c", roles: [] }) { clientMutationId } }';
  expect((await call(auth, acme, text, {}, { scopes })).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

test('offers to an internationalized domain, stored by an earlier release under its other key, are shown again after the next start', async () => {
  const { acme, wdc } = await seedPartners();
  const domain = `${wdc.accountId}-b\u00fccher.example`;
  async function seedAt(email: string) {
    return { ...(await colleague(wdc, { primaryEmail: email })), email };
  }
  const [person, other] = [await seedAt(`grace@${domain}`), await seedAt(`ada@${domain}`)];
  const offers = auth.connection.collection<{ _id: string; roles: string[] }>('role_offers');
  /** Moves the present offer to the key of the earlier release. */
  const outdate = (email: string) =>
    offers.updateOne({ accountId: acme.accountId, primaryEmail: email }, { $set: { emailKey: email } });
  await offerRoles(acme, person, ['specialist']);
  await offerRoles(acme, other, ['auditor']);
  await outdate(person.email);
  await outdate(other.email);
  await offerRoles(acme, other, ['key_contact']);
  const browser = await openSignedIn(auth, person);
  expect((await browser.get('/oauth/profile').expect(200)).text).not.toContain('Roles offered to you');

  for (let times = 0; times < 2; times += 1) {
    await auth.app.prepareStore();
    const kept = await offers.find({ accountId: acme.accountId }).sort({ roles: 1 }).toArray();
    expect(kept.map(({ roles }) => roles)).toEqual([['key_contact'], ['specialist']]);
  }
  expect((await answerOffer(browser, 'accept')).status).toBe(303);
  expect((await stored(person.id))?.['roles']).toMatchObject({ [acme.accountId]: ['specialist'] });
});
