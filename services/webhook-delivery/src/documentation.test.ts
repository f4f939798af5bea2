import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliveryResource } from './deliveries/delivery.resource';
import { deliveryTypeDefs } from './deliveries/delivery.sdl';
import { redeliveryTypeDefs } from './redeliveries/redelivery.resolvers';
import { errorClasses } from './deliveries/delivery';

const page = readFileSync(join(__dirname, '../../../docs/api/deliveries.md'), 'utf8');

/** The code spans in the first column of the table whose header begins with `header`. */
function firstColumn(header: string): string[] {
  const [, table = ''] = page.split(`| ${header} |`);
  const [rows = ''] = table.split('\n\n');
  return rows
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

test('the page lists every field of a delivery', () => {
  expect(firstColumn('Field')).toEqual(expect.arrayContaining(Object.keys(deliveryResource.fields)));
  expect(firstColumn('Field')).toHaveLength(Object.keys(deliveryResource.fields).length);
});

test('the page and the schema list every class of error', () => {
  expect(firstColumn('Error class')).toEqual(Object.keys(errorClasses));
  for (const name of Object.keys(errorClasses)) expect(deliveryTypeDefs).toContain(`\n${name}`);
});

test('the page names every query and mutation', () => {
  const named = [...(deliveryTypeDefs + redeliveryTypeDefs).matchAll(/^ {4}(webhookDeliver\w+)\(/gm)].map(
    ([, name = '']) => name,
  );
  expect(named).toHaveLength(6);
  for (const name of named) expect(page).toContain(`\`${name}\``);
});
