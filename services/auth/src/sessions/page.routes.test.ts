import express from 'express';
import type { RequestHandler } from 'express';
import request from 'supertest';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { checkForm, formTokenOf } from './form-token';
import { dateOf, momentOf, showTo } from './moments';
import { sendPage } from './page';
import { createPageRoutes } from './page.routes';
import type { SignedIn } from './session';
import { requireSignIn, setVisitor, visitorOf } from './visitor';

const address = '/oauth/administration/risks';
const person = {
  name: 'Ada <Administrator>',
  accountId: 'wdc',
  roles: { wdc: ['account_administrator'] },
  locale: 'nl-NL',
  timeZone: 'Europe/Amsterdam',
} as Partial<SignedIn['person']> as SignedIn['person'];

/** Serves a page as a new feature would add it; a `Cookie` header stands for the person's session. */
function serveAddedPage() {
  const saved: unknown[] = [];
  const identify: RequestHandler = (req, _res, next) => {
    const { cookie } = req.headers;
    if (cookie !== undefined) setVisitor(req, { cookie, signedIn: { person } as SignedIn });
    next();
  };
  const router = express.Router();
  router
    .route('/administration/risks')
    .all(requireSignIn(address))
    .get((req, res) => {
      const template = `<main><h1><%= it.title %></h1><p><%= it.risk %></p>${momentOf('it.at')} ${dateOf('it.at')}</main>`;
      const data = { risk: '<script>alert(1)</script>', at: new Date('2026-03-28T23:30:00Z') };
      sendPage(res, 200, { title: 'Risks', template, data }, visitorOf(req));
    })
    .post(checkForm, (req, res) => {
      saved.push(req.body);
      res.redirect(303, address);
    });
  const http = express().use('/oauth', createPageRoutes(express.Router(), identify, [router], silentLogger));
  return { saved, visit: request(http) };
}

test('an added page escapes its data, and has the headers and layout of all pages', async () => {
  const { visit } = serveAddedPage();
  const page = await visit.get(address).set('Cookie', 'one').expect(200);
  expect(page.text).toContain('<h1>Risks</h1><p>&lt;script&gt;alert(1)&lt;/script&gt;</p>');
  expect(page.text).toContain('Ada &lt;Administrator&gt; · wdc');
  expect(page.text).toMatch(
    /<nav class="places"[^]*href="\/accounts\/wdc">Console<[^]*href="\/oauth\/profile">Profile</,
  );
  expect(page.text).toContain('href="/oauth/administration/people" aria-current="page">Administration<');
  expect(page.headers).toMatchObject({
    'content-security-policy': expect.stringMatching(/default-src 'none'.*form-action 'self'$/) as string,
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
  });
});

test('it requires sign-in, and accepts only forms of the same session', async () => {
  const { visit, saved } = serveAddedPage();
  const next = `/oauth/sign-in?next=${encodeURIComponent(address)}`;
  await visit.get(address).expect(303).expect('Location', next);
  await visit.post(address).expect(303).expect('Location', next);
  const send = (fields: object) => visit.post(address).set('Cookie', 'one').type('form').send(fields);
  await send({ risk: 'none' }).expect(403);
  await send({ risk: 'foreign', form_token: formTokenOf('another') }).expect(403);
  await send({ risk: 'own', form_token: formTokenOf('one') }).expect(303);
  expect(saved).toMatchObject([{ risk: 'own' }]);
});

test("dates and times are in the person's language and time zone, and machine-readable", async () => {
  const { visit } = serveAddedPage();
  const { text } = await visit.get(address).set('Cookie', 'one').expect(200);
  // 23:30 UTC is 00:30 on the next day in that time zone.
  const exact = /29 mrt 2026.* 00:30 (CET|GMT\+1)/.source;
  const machine = '2026-03-28T23:30:00.000Z';
  expect(text).toMatch(new RegExp(`<time datetime="${machine}">${exact}</time>`));
  expect(text).toMatch(new RegExp(`<time datetime="${machine}" title="${exact}">29 mrt 2026</time>`));
});

// How a language joins date and time depends on the version of the locale data.
test.each([
  [undefined, /^Mar 28, 2026.* 11:30\sPM UTC$/],
  [{ locale: 'en', timeZone: 'Mars/Olympus' }, /^Mar 28, 2026.* 11:30\sPM UTC$/],
  [{ locale: 'de-DE', timeZone: 'Asia/Kathmandu' }, /^29\. März 2026.* 05:15 GMT\+5:45$/],
])('for %j a moment is %s', (reader, written) => {
  expect(showTo(reader).moment(new Date('2026-03-28T23:30:00Z'))).toMatch(written);
});
