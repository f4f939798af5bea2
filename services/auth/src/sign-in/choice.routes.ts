import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Router } from 'express';
import { z } from 'zod';
import { checkForm } from '../sessions/form-token';
import { longestNext } from '../sessions/own-path';
import { visitorOf } from '../sessions/visitor';
import type { Choices } from './choices';
import { nextPageOf } from './next-page';
import type { SignInPages } from './sign-in.http';
import type { SignInService } from './sign-in.service';

interface Dependencies {
  readonly signIn: Pick<SignInService, 'choose'>;
  readonly pages: SignInPages;
  readonly choices: Choices;
}

const choiceForm = z.object({
  choice: z.string().max(4096),
  person: z.string().max(16),
  next: z.string().max(longestNext).default(''),
});

/** `POST /oauth/sign-in/choice`: one of several people whose password was right. */
export function createChoiceRoutes({ signIn, pages, choices }: Dependencies): Router {
  const router = express.Router();
  router
    .route('/sign-in/choice')
    .post(checkForm, async (req, res) => {
      const parsed = choiceForm.safeParse(req.body);
      if (!parsed.success) throw badRequest('Please choose an account.');
      const { choice, person } = parsed.data;
      const next = nextPageOf(parsed.data.next);
      const { cookie: id = '' } = visitorOf(req);
      const chosen = choices.open(choice, id).find((candidate) => String(candidate.id) === person);
      const form = { email: '', account: '', next };
      if (chosen) await pages.answer(req, res, await signIn.choose(chosen, id), form);
      else
        await pages.show(req, res, form, { status: 400, problem: 'This sign-in has expired. Please sign in again.' });
    })
    .all(methodNotAllowed('POST'));
  return router;
}
