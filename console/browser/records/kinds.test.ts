/// <reference types="jest" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, getNamedType, isObjectType } from 'graphql';
import { kindOfField, kinds } from './kinds';

const schema = buildSchema(readFileSync(join(__dirname, '../../schema.graphql'), 'utf8'));
const plurals = new Map(kinds.map(({ type, plural }) => [type, plural]));

/** The fields of a type that refer to records or people; other connections lead back from them and are not in REST. */
const references = (typeName: string) => {
  const type = schema.getType(typeName);
  return isObjectType(type)
    ? Object.values(type.getFields()).flatMap(({ name, type: given }) => {
        const plural = plurals.get(getNamedType(given).name.replace(/^PersonConnection$/, 'Person'));
        return plural === undefined ? [] : { name, plural };
      })
    : [];
};

const restName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test.each(kinds)('each reference of a $noun is a link', ({ type }) => {
  const unlinked = references(type).filter(({ name, plural }) => kindOfField[restName(name)] !== plural);
  expect(unlinked).toEqual([]);
});

test('references are found', () => {
  expect(references('Team')).toEqual([
    { name: 'manager', plural: 'people' },
    { name: 'members', plural: 'people' },
  ]);
  expect(references('Problem')).toContainEqual({ name: 'workflow', plural: 'workflows' });
});

test('a field that has the name of a kind or of its type refers to it', () => {
  expect(kindOfField).toMatchObject({ project_task: 'project_tasks', sla: 'slas', service_level_agreement: 'slas' });
});
