import type { Response } from 'express';
import { createPages } from '@itsm/shared/api/pages/page';
import type { Page } from '@itsm/shared/api/pages/page';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { formTokenOf, newFormId } from './form-token';
import type { Visitor } from './session';
import { stylesheetPath } from './stylesheet';

interface SentPage<Data extends object> extends Page<Data> {
  /** Whether a form of the page leads on to an application. */
  readonly leadsAway?: boolean;
  /** Whether it loads a script of this service. */
  readonly runsScript?: boolean;
}

/**
 * The frame of all pages: the product name, which links to the console (without one, to the profile), the person who is signed in,
 * which links to the profile, and the button to sign out.
 */
const layout = /* html */ `<header class="bar"><div>
<a class="brand" href="/"><svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true"><rect x="1" y="1" width="22" height="22" rx="6" stroke="currentColor" stroke-width="2"/><path d="M7 12.5l3.2 3.2L17 9" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>Service Management</a>
<% if (it.person) { %>
<a class="who" href="/oauth/profile"><%= it.person.name %> · <%= it.person.accountId %></a>
<form class="inline" method="post" action="/oauth/sign-out">
<input type="hidden" name="form_token" value="<%= it.formToken %>">
<% if (it.returnTo) { %><input type="hidden" name="next" value="<%= it.returnTo %>"><% } %>
<button class="plain">Sign out</button></form>
<% } %>
</div></header>
<%~ it.body %>`;

const render = createPages({ stylesheet: { stylesheetPath }, layout });

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const show = { date: (date: Date): string => dates.format(date) };

const styled = { 'style-src': "'self'" } as const;
const scripted = { ...styled, 'script-src': "'self'" } as const;
const strict = { 'form-action': "'self'" } as const;
export const strictHeaders = pageHeaders({ ...styled, ...strict });

/**
 * Browsers hold `form-action` against every redirect that follows a form, and an application may redirect on from its
 * callback to whatever origin it likes. A page that leads there can therefore not name them; every other page is strict.
 */
const leadingAway = { 'form-action': undefined } as const;

/** Answers with the page. It may load scripts of its own origin only when it says so, and is never framed or cached. */
export function sendPage<Data extends object>(
  res: Response,
  status: number,
  { leadsAway = false, runsScript = false, data, ...page }: SentPage<Data>,
  visitor: Visitor,
): void {
  const person = visitor.signedIn?.person;
  const formToken = visitor.cookie === undefined ? '' : formTokenOf(visitor.cookie);
  const html = render({ ...page, data: { ...data, show, person, formToken, formId: newFormId() } });
  res
    .status(status)
    .set(pageHeaders({ ...(runsScript ? scripted : styled), ...(leadsAway ? leadingAway : strict) }))
    .type('html')
    .send(html);
}
