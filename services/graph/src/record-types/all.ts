import type { RecordKindName, recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordType } from './record-type';
import { problem } from './problem';
import { project } from './project';
import { projectTask } from './project-task';
import { request } from './request';
import { sla } from './sla';
import { task } from './task';
import { team } from './team';
import { workflow } from './workflow';

type Kinds = typeof recordKinds;
type DeclaredHere = { [K in RecordKindName]: Kinds[K]['service'] extends 'graph' ? K : never }[RecordKindName];

const declarations: Readonly<Record<DeclaredHere, RecordType>> = {
  request,
  problem,
  task,
  workflow,
  project,
  project_task: projectTask,
  sla,
  team,
};

/** All record types; a kind of this service without a declaration is a compile error. */
export const recordTypes: readonly RecordType[] = Object.values(declarations);
