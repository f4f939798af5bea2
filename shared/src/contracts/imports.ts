import { z } from 'zod';
import type { Contract } from './contract';
import { roles } from './directory';

/** The number of rows per result. */
export const importResultsSchema = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  failures: z.int(),
});
export type ImportResults = Readonly<z.infer<typeof importResultsSchema>>;

/** A line that failed; `column` as the file names it, when one column is the reason. */
export const importFailureSchema = z.object({
  line: z.int(),
  column: z.string().nullable(),
  message: z.string(),
});
export type ImportFailure = Readonly<z.infer<typeof importFailureSchema>>;

/** One record of a CSV file that is not blank: its last line, and its cells or the reason why it is malformed. */
export const fileRowSchema = z.union([
  z.object({ line: z.int(), cells: z.array(z.string()).readonly() }),
  z.object({ line: z.int(), problem: z.string() }),
]);
export type FileRow = Readonly<z.infer<typeof fileRowSchema>>;

/** Rows of a file with people. The same import and `line` are the same rows, however often they are sent. */
export const peopleRowsReadSchema = z.object({
  importId: z.string(),
  accountId: z.string(),
  /** The last line of these rows. */
  line: z.int(),
  /** The first row of the file. */
  headers: z.array(z.string()),
  rows: z.array(fileRowSchema),
  /** Nothing is written: the results are those that it would have. */
  isDryRun: z.boolean(),
  /** New people are mailed a link for choosing a password. */
  invites: z.boolean(),
  /** Who has sent the file, with their roles in the account at that time. */
  importer: z.object({
    personId: z.int(),
    name: z.string(),
    homeAccountId: z.string(),
    roles: z.array(z.enum(roles)),
    timeZone: z.string(),
    kind: z.enum(['access', 'exchange', 'personal']),
    /** When they authenticated; null without a sign-in, or when unknown. */
    authenticatedAt: z.iso.datetime().nullable(),
  }),
  /** When the file was sent. */
  queuedAt: z.iso.datetime(),
});
export type PeopleRowsRead = z.infer<typeof peopleRowsReadSchema>;

/** What became of these rows; `problem` is why the file as a whole cannot be imported. */
export const peopleRowsImportedSchema = z.object({
  importId: z.string(),
  line: z.int(),
  outcome: z.union([
    z.object({ results: importResultsSchema, failures: z.array(importFailureSchema) }),
    z.object({ problem: z.string() }),
  ]),
});
export type PeopleRowsImported = z.infer<typeof peopleRowsImportedSchema>;

/** Published by `graph`, which reads files. */
export const peopleRowsRead: Contract<PeopleRowsRead> = {
  name: 'graph.people-rows.read.v1',
  schema: peopleRowsReadSchema,
};

/** Published by `auth`, which has the people. */
export const peopleRowsImported: Contract<PeopleRowsImported> = {
  name: 'auth.people-rows.imported.v1',
  schema: peopleRowsImportedSchema,
};
