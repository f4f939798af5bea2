import type { Response } from 'express';
import { createPages } from '@itsm/shared/api/pages/page';
import type { Page } from '@itsm/shared/api/pages/page';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { formTokenOf } from './form-token';
import type { Visitor } from './session';
import { stylesheetPath } from './stylesheet';

interface SentPage<Data extends object> extends Page<Data> {
  /** Whether a form of the page leads on to an application. */
  readonly leadsAway?: boolean;
}

/** What is around all pages: the name, who is signed in, and the way out. */
const layout = /* html */ `<header class="bar"><div>
<a class="brand" href="/oauth/profile"><svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true"><rect x="1" y="1" width="22" height="22" rx="6" stroke="currentColor" stroke-width="2"/><path d="M7 12.5l3.2 3.2L17 9" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>Service Management</a>
<% if (it.person) { %>
<span class="who"><%= it.person.name %> · <%= it.person.accountId %></span>
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

export const strictHeaders = pageHeaders({ 'style-src': "'self'", 'form-action': "'self'" });

/**
 * Browsers hold `form-action` against every redirect that follows a form, and an application may redirect on from its
 * callback to whatever origin it likes. A page that leads there can therefore not name them; every other page is strict.
 */
const leadingAway = pageHeaders({ 'style-src': "'self'", 'form-action': undefined });

/** Answers with the page. It runs no script, is never framed and never stored. */
export function sendPage<Data extends object>(
  res: Response,
  status: number,
  { leadsAway = false, data, ...page }: SentPage<Data>,
  visitor: Visitor,
): void {
  const person = visitor.signedIn?.person;
  const formToken = visitor.cookie === undefined ? '' : formTokenOf(visitor.cookie);
  const html = render({ ...page, data: { ...data, show, person, formToken } });
  res
    .status(status)
    .set(leadsAway ? leadingAway : strictHeaders)
    .type('html')
    .send(html);
}
