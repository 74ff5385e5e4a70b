import { pick, shortLabelsOf } from './fieldKinds.ts'
import { projectFields } from './projectFields.ts'

/**
 * Columns of the project lists and their exports, in an export's order: fields by their labels, and others.
 * The first screen shows such a list, so a build has their headings without the table (scripts/virtual-calls.ts).
 */
export const PROJECT_COLUMNS = {
  id: 'ID',
  name: 'Name',
  parent: 'Parent',
  client: 'Client',
  owner: 'Owner',
  ...shortLabelsOf(pick(projectFields, 'status')),
  ordered: 'Ordered',
  delivered: 'Delivered',
  pacing: 'Pacing %',
  ...shortLabelsOf(pick(projectFields, 'start_dt', 'end_dt')),
  cost: 'Cost',
  own_cost: 'Own cost',
  created_at: 'Created',
}
