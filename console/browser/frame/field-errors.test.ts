/// <reference types="jest" />
import { fieldErrors } from './field-errors';

const labels = {
  jwtAudience: 'Audience',
  jwksUri: 'Address of the keys',
  mailExceptionsTo: 'Recipients of failure mails',
  ssoConfigurationId: 'Identity provider',
  sourceID: 'ID in the source',
};

test.each([
  ['jwtAudience', "Jwt audience can't be blank", "Audience can't be blank"],
  ['mailExceptionsTo', 'Mail exceptions to must be text', 'Recipients of failure mails must be text'],
  ['jwksUri', 'JWKS URI is not a valid https address', 'Address of the keys is not a valid https address'],
  ['ssoConfigurationId', 'SSO configuration was not found', 'Identity provider was not found'],
  // The API's own label is the one of the form.
  ['ssoConfigurationId', 'Identity provider was not found', 'Identity provider was not found'],
  ['sourceID', 'Source ID is too long', 'ID in the source is too long'],
  // What does not begin with the name, or only with letters of it, stays.
  ['jwtAudience', 'The Jwt audience is new', 'The Jwt audience is new'],
  ['jwtAudience', 'Jwt audiences are new', 'Jwt audiences are new'],
  // A field without a label of its own stays.
  ['subject', 'Subject is too long', 'Subject is too long'],
])('a message at %s: %s', (name, message, shown) => {
  expect(fieldErrors([{ path: [name], message }], labels)).toEqual([{ path: name, message: shown }]);
});

test('a label is taken as it is, and a refusal without a path belongs to no field', () => {
  expect(fieldErrors([{ path: ['name'], message: 'Name is taken' }], { name: '$& of it' })[0]?.message).toBe(
    '$& of it is taken',
  );
  expect(fieldErrors([{ path: null, message: 'Too many' }], labels)).toEqual([{ path: '', message: 'Too many' }]);
});
