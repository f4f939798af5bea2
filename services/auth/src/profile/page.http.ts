import { AppError, badRequest, notFound } from '@itsm/shared/base/errors/app-error';
import { parseNumber } from '@itsm/shared/base/ids/node-id';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';

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
  saved: 'Your changes are saved.',
  'sent-before':
    'This form was sent before, and nothing was created a second time. Secrets are shown once: create another if you need one.',
};

/** The notice of what was done, after a redirect with `?done=`. */
export function noticeIn({ query: { done } }: Request): string | undefined {
  return typeof done === 'string' && Object.hasOwn(notices, done) ? notices[done] : undefined;
}
