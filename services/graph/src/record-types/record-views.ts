/** Named selections of a root connection; each is a question that an index answers. */
export const views = {
  all: 'Everything that the caller may see, of other accounts as well.',
  current_account: 'Everything in the current account that the caller may see.',
  assigned_to_me: 'Of these, what is assigned to the caller.',
  assigned_to_my_team: 'Of these, what is assigned to a team of the caller.',
  requested_by_or_for_me: 'Of these, what was requested by or for the caller.',
  managed_by_me: 'Of these, what the caller manages.',
  my_teams: 'Of these, the teams that the caller is a member of.',
} as const;

export type View = keyof typeof views;

export const viewsOf = (type: { readonly views: readonly View[] }): readonly View[] => [
  'all',
  'current_account',
  ...type.views,
];
