import { badRequest } from '@itsm/shared/base/errors/app-error';
import type { Request } from 'express';
import { z } from 'zod';
import { longestNext } from '../sessions/own-path';
import type { Recognized } from './early-refusals';
import type { KnownBrowser } from './known-browser';
import { nextPageOf } from './next-page';

/** What the form of `sign-in.page` sends. */
export const signInForm = z.object({
  email: z.string().trim().max(254),
  password: z.string().max(1024),
  account: z.string().max(64).default(''),
  next: z.string().max(longestNext).default(''),
});
export type SignInForm = z.infer<typeof signInForm>;

/** Of the client, behind trusted proxies. */
export const addressOf = (req: Request): string => req.ip ?? 'unknown';

/** By what an attempt is counted. */
export const recognize = ({ email, account }: SignInForm, req: Request, knownBrowser: KnownBrowser): Recognized => ({
  email,
  accountId: account.trim().toLowerCase() || undefined,
  ip: addressOf(req),
  knownBrowser: knownBrowser.nameOf(req),
});

/** Throws 400 for a form that no browser sends. */
export function parseForm(body: unknown): SignInForm {
  const result = signInForm.safeParse(body);
  if (!result.success) throw badRequest('The sign-in form is incomplete.');
  return { ...result.data, next: nextPageOf(result.data.next) };
}
