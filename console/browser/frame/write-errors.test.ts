import { ApiError } from '../api/errors';
import { writeErrors } from './write-errors';

const fieldOf = (member: string | undefined) => (member === 'note' ? 'text' : undefined);

test('refusals are at the fields of their members, and others at the form', () => {
  const refusals = [
    { path: ['note'], message: 'Note is too long' },
    { path: ['team_id'], message: 'Team is disabled' },
    { path: null, message: 'Nothing fits' },
  ];
  expect(writeErrors(new ApiError({ kind: 'invalid', message: 'no', refusals }), fieldOf)).toEqual([
    { path: 'text', message: 'Note is too long' },
    { path: '', message: 'Team is disabled' },
    { path: '', message: 'Nothing fits' },
  ]);
});

test('what is no refusal is said with what becomes of the input', () => {
  expect(writeErrors(new ApiError({ kind: 'conflict', message: 'It is disabled.' }), fieldOf)).toEqual([
    { path: '', message: 'It is disabled. Your input is kept.' },
  ]);
});
