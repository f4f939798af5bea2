import type { RecordType } from './record-type';
import * as fields from './fields';
import { kind } from './kind';
import { checkTaskStatus, deriveTask, finished, taskStatuses, taskTransitions } from './task';

export const projectTask: RecordType = {
  ...kind('project_task'),
  description: 'A step of a project.',
  fields: [
    fields.subject,
    fields.category('ProjectTaskCategory', ['activity', 'approval', 'milestone']),
    fields.status('ProjectTaskStatus', taskStatuses),
    {
      name: 'project',
      label: 'Project',
      kind: 'record',
      to: kind('project'),
      inverse: 'tasks',
      required: true,
      filterable: true,
    },
    fields.team('projectTasks'),
    fields.member,
    { name: 'targetDate', label: 'Target date', kind: 'date', filterable: true, audience: 'everybody' },
    ...fields.custom,
    ...fields.ending('finishedAt', 'Finished at'),
  ],
  closed: finished,
  partOf: 'project',
  takenUpAs: 'accepted',
  columns: ['status', 'project', 'team', 'member'],
  views: ['open', 'finished', 'assigned_to_me', 'assigned_to_my_team', 'managed_by_me', 'open_to_me'],
  endUsersSee: ['member'],
  ofPerson: 'projectTasks',
  hasNotes: true,
  indexedTogether: [['status', 'updatedAt']],
  mutations: { create: fields.editors, update: fields.editors },
  transitions: taskTransitions,
  check: checkTaskStatus,
  derive: deriveTask('activity'),
};
