/**
 * The export columns of a project list, of either generation. A module of its own because the first screen shows such a
 * list.
 */
export const PROJECT_COLUMNS = {
  id: 'ID',
  name: 'Name',
  parent: 'Parent',
  client: 'Client',
  status: 'Status',
  ordered: 'Ordered',
  delivered: 'Delivered',
  pacing: 'Pacing %',
  start_dt: 'Start',
  end_dt: 'End',
  cost: 'Cost',
  own_cost: 'Own cost',
  created_at: 'Created',
} as const

/**
 * An export's columns as ids, of what they are called: those of the list first and in its order, then what the list does not show; `only` leaves those out.
 */
export function exportColumns(named: Readonly<Record<string, string>>, listed: readonly string[], only = false): string[] {
  const all = Object.keys(named)
  const shown = [...new Set(listed)].filter((id) => all.includes(id))
  return only ? shown : [...shown, ...all.filter((id) => !shown.includes(id))]
}
