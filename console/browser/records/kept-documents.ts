import { graphql } from '../api/graphql';

/** The saved lists of a type: one's own, and those of one's teams. */
export const savedLists = graphql(`
  query SavedLists($type: String!) {
    savedLists(first: 100, filter: { type: { values: [$type] } }, order: [{ field: name }]) {
      nodes {
        id
        name
        search
        isOwn
        team {
          id
          name
        }
      }
    }
  }
`);

export const savedListCreate = graphql(`
  mutation SaveList($input: SavedListCreateInput!) {
    savedListCreate(input: $input) {
      savedList {
        id
      }
      errors {
        message
        path
      }
    }
  }
`);

export const savedListUpdate = graphql(`
  mutation ChangeSavedList($input: SavedListUpdateInput!) {
    savedListUpdate(input: $input) {
      savedList {
        id
      }
      errors {
        message
        path
      }
    }
  }
`);

export const savedListDelete = graphql(`
  mutation DeleteSavedList($input: SavedListDeleteInput!) {
    savedListDelete(input: $input) {
      errors {
        message
      }
    }
  }
`);

/** Texts for notes: one's own, and those of one's teams. */
export const textTemplates = graphql(`
  query TextTemplates {
    textTemplates(first: 100, order: [{ field: name }]) {
      nodes {
        id
        name
        text
        isOwn
        team {
          id
          name
        }
      }
    }
  }
`);

export const textTemplateCreate = graphql(`
  mutation KeepText($input: TextTemplateCreateInput!) {
    textTemplateCreate(input: $input) {
      textTemplate {
        id
      }
      errors {
        message
        path
      }
    }
  }
`);

export const textTemplateUpdate = graphql(`
  mutation ChangeText($input: TextTemplateUpdateInput!) {
    textTemplateUpdate(input: $input) {
      textTemplate {
        id
      }
      errors {
        message
        path
      }
    }
  }
`);

export const textTemplateDelete = graphql(`
  mutation DeleteText($input: TextTemplateDeleteInput!) {
    textTemplateDelete(input: $input) {
      errors {
        message
      }
    }
  }
`);

/** The teams with which one can share. */
export const myTeams = graphql(`
  query MyTeams {
    teams(first: 100, view: my_teams, order: [{ field: name }]) {
      nodes {
        id
        name
      }
    }
  }
`);
