import { AppError, badRequest, notFound } from '@itsm/shared/base/errors/app-error';
import { parseNumber } from '@itsm/shared/base/ids/node-id';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';

/** The scopes of people on the pages: all, because no token limits them, only their roles. */
export const signedInScopes: readonly Scope[] = [{ effect: 'allow', actions: ['*:*'] }];

/** The integer id in a path; a 404 for anything else. */
export function idIn(text: unknown): number {
  const id = typeof text === 'string' ? parseNumber(text) : undefined;
  if (id === undefined) throw notFound();
  return id;
}

/** Parses a form; a 400 for anything that its page does not send. */
export function parseForm<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (!result.success) throw badRequest('The form is incomplete.');
  return result.data;
}

/** Guards a form that is carried out once; a repeated one is redirected to `page`. */
export type SentOnce = (page: (req: Request) => string) => RequestHandler;

/** The result of a use case, or its field errors with paths such as `redirectUris.1`. */
export type Outcome<T> = { readonly done: T } | { readonly errors: readonly FieldError[] };

export async function outcomeOf<T>(running: Promise<T>): Promise<Outcome<T>> {
  try {
    return { done: await running };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    return { errors: error.details.errors ?? [] };
  }
}

const notices: Readonly<Record<string, string>> = {
  created: 'The application is ready. Add a client token to use it.',
  saved: 'Your changes are saved.',
  disabled: 'The application is disabled. Its tokens and all authorizations are revoked.',
  enabled: 'The application is enabled. People have to authorize it again.',
  'sent-before':
    'This form was sent before, and nothing was created a second time. Secrets are shown once: create another if you need one.',
  'token-disabled': 'The client token is disabled. Tokens that were issued to it are revoked.',
  'token-enabled': 'The client token is enabled. Tokens that were issued to it before stay revoked.',
  'token-deleted': 'The client token is deleted. Tokens that were issued to it are revoked.',
};

/** The notice of what was done, after a redirect with `?done=`. */
export function noticeIn({ query: { done } }: Request): string | undefined {
  return typeof done === 'string' && Object.hasOwn(notices, done) ? notices[done] : undefined;
}
