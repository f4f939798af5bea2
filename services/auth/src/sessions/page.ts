import type { Response } from 'express';
import { createPages } from '@itsm/shared/api/pages/page';
import type { Page } from '@itsm/shared/api/pages/page';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { formTokenOf } from './form-token';
import type { Visitor } from './session';
import { layout } from './layout.page';
import { stylesheetPath } from './stylesheet';

interface SentPage<Data extends object> extends Page<Data> {
  /** Whether a form of the page leads on to an application. */
  readonly leadsAway?: boolean;
}

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
