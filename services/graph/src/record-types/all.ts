import type { RecordType } from './record-type';
import { problem } from './problem';
import { project } from './project';
import { projectTask } from './project-task';
import { request } from './request';
import { sla } from './sla';
import { task } from './task';
import { team } from './team';
import { workflow } from './workflow';

/** Every type of record there is. */
export const recordTypes: readonly RecordType[] = [request, problem, task, workflow, project, projectTask, sla, team];
