/** The form by which Tom ordered the laptop, as the last version of the demo's UI extension has it. */
export const laptopForm = JSON.stringify({
  sections: [
    {
      name: 'The laptop',
      fields: [
        { id: 'model', type: 'radio', label: 'Model', required: true, options: ['14 inch', '16 inch'] },
        {
          id: 'why',
          type: 'textarea',
          label: 'Why a large one?',
          required: true,
          visible_when: { field: 'model', equals: '16 inch' },
        },
        { id: 'dock', type: 'checkbox', label: 'With a dock' },
      ],
    },
  ],
});
