import { kindsWithAdded, workedValue } from '@itsm/shared/testing/worked-changes';
import { recordTypes } from '../record-types/all';
import * as fields from '../record-types/fields';
import { kind } from '../record-types/kind';
import type { Field } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';

const added = (name: 'risk' | 'ci') => kind(name as never, kindsWithAdded);

/** The type of record that CONTRIBUTING adds. */
const risk = workedValue<RecordType>(/export const risk: RecordType = ({[^]*?\n});/, { fields, kind: added });

/** A type whose names no rule derives from each other. */
const ci: RecordType = {
  ...added('ci'),
  description: 'Something that a service is made of.',
  fields: [
    { name: 'name', label: 'Name', kind: 'text', maxLength: 255, required: true, filterable: true, sortable: true },
    fields.status('ConfigurationItemStatus', ['registered', 'in_production']),
    fields.manager,
    ...fields.sourceFields,
  ],
  columns: ['status', 'manager'],
  views: ['managed_by_me'],
  endUsersSee: 'none',
  hasNotes: true,
  mutations: { create: fields.editors, update: fields.editors },
  derive: (values) => ({ ...values, status: values['status'] ?? 'registered' }),
};

export const addedTypes = { risk, ci };

/** By which requests refer to the irregular type. */
const configurationItem: Field = {
  name: 'configurationItem',
  label: 'Configuration item',
  kind: 'record',
  to: added('ci'),
  inverse: 'requests',
  filterable: true,
};

const withReference = (type: RecordType): RecordType => ({ ...type, fields: [...type.fields, configurationItem] });

/** All types with the added ones, which replace declared ones of the same name. */
export const typesWithAdded: readonly RecordType[] = [
  ...recordTypes
    .filter(({ name }) => !Object.hasOwn(addedTypes, name))
    .map((type) => (type.name === 'request' ? withReference(type) : type)),
  risk,
  ci,
];
