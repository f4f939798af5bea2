/** The statuses of requests that are neither completed nor declined. */
export const openStatuses = [
  'on_backlog',
  'assigned',
  'accepted',
  'in_progress',
  'waiting_for',
  'waiting_for_customer',
  'workflow_pending',
  'project_pending',
];
