/// <reference types="jest" />
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import { isAbout, parseRecord, recordName, shownRecord } from './named-record';

test.each([
  ['103', { number: '103', kind: undefined }],
  [' #103 ', { number: '103', kind: undefined }],
  ['https://service.example/accounts/wdc/requests/103', { number: '103', kind: 'request' }],
  ['https://service.example/v1/project_tasks/7?fields=id', { number: '7', kind: 'project_task' }],
  ['requests/103', { number: '103', kind: 'request' }],
  ['slas/3', { number: '3', kind: 'sla' }],
  ['/accounts/wdc/people/4#notes', { number: '4', kind: 'person' }],
  [btoa('service.example/Request/103').replace(/=+$/, ''), { number: '103', kind: undefined }],
])('%s is parsed', (text, record) => expect(parseRecord(text)).toEqual(record));

test.each(['', 'printer', '12a', '-4', 'https://service.example/accounts/wdc', 'abcdefghijklmnopqrstuvwx'])(
  '%s is not',
  (text) => expect(parseRecord(text)).toBeUndefined(),
);

test('events of another kind with the same number are left out when the kind is known', () => {
  expect(isAbout('project_task.update', { number: '7', kind: 'project_task' })).toBe(true);
  expect(isAbout('task.update', { number: '7', kind: 'project_task' })).toBe(false);
  expect(isAbout('task.update', { number: '7', kind: undefined })).toBe(true);
});

test.each([
  ['request.update', 'requests/7', 'request'],
  ['project_task.create', 'project_tasks/7', 'project_task'],
  ['person.create', 'people/7', 'person'],
])('the record of %s is named %s, which can be parsed again', (event, name, kind) => {
  expect(recordName(event, 7)).toBe(name);
  expect(parseRecord(name)).toEqual({ number: '7', kind });
});

test.each(Object.values(recordKinds))('the address of a $graphqlName is in $plural', ({ graphqlName, plural }) => {
  expect(shownRecord(graphqlName, 3)).toMatchObject({ plural });
});

test('the words of a record are those of its type; other types are not shown', () => {
  expect(shownRecord('ServiceLevelAgreement', 3)).toEqual({
    words: 'Service level agreement 3',
    name: 'sla',
    plural: 'slas',
  });
  expect(shownRecord('Account', 3)).toBeUndefined();
});
