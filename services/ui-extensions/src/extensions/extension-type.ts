import { uiExtensionKind } from '@itsm/shared/contracts/ui-extensions';
import type { Declaration } from '@itsm/shared/declared/language';
import { maxTextBytes } from '../contents/content';

/** What is edited of a UI extension: its description, which has no versions, and the content of the prepared version. */
export const extensionType = {
  ...uiExtensionKind,
  label: 'UI extension',
  labelPlural: 'UI extensions',
  description: 'A customization with HTML, CSS, JavaScript and a form definition, kept as versions.',
  writes: {
    create: 'Creates the extension with version 1 being prepared.',
    update: 'Edits the version that is being prepared; activate: true activates it.',
  },
  nullIs: 'refused',
  fields: [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      maxLength: 128,
      required: true,
      mustBeGiven: true,
      filterable: true,
      sortable: true,
    },
    { name: 'title', label: 'Title', kind: 'text', maxLength: 128, filterable: true },
    { name: 'category', label: 'Category', kind: 'text', maxLength: 128, filterable: true },
    { name: 'description', label: 'Description', kind: 'text', maxLength: 10_000, lines: 'many', shown: 'on request' },
    { name: 'disabled', label: 'Disabled', kind: 'flag', default: false, filterable: true },
    { name: 'source', label: 'Source', kind: 'text', maxLength: 128, filterable: true, audience: 'machine' },
    { name: 'sourceID', label: 'Source ID', kind: 'text', maxLength: 128, filterable: true, audience: 'machine' },
    { name: 'css', label: 'CSS', kind: 'text', isCode: true, maxLength: maxTextBytes, isInputOnly: true },
    { name: 'html', label: 'HTML', kind: 'text', isCode: true, maxLength: maxTextBytes, isInputOnly: true },
    { name: 'javascript', label: 'JavaScript', kind: 'text', isCode: true, maxLength: maxTextBytes, isInputOnly: true },
    {
      name: 'formDefinition',
      label: 'Form definition',
      kind: 'text',
      isCode: true,
      maxLength: maxTextBytes,
      isInputOnly: true,
    },
    { name: 'darkModeSafe', label: 'Dark mode safe', kind: 'flag', required: true, isInputOnly: true },
    {
      name: 'activate',
      label: 'Activate',
      kind: 'flag',
      required: true,
      isInputOnly: true,
      help: 'Whether the prepared version becomes the active one.',
    },
  ],
} as const satisfies Declaration;
