/** Export columns of the project lists. The first screen shows such a list, so they have a module of their own. */
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

/** Orders an export's column ids: the list's visible columns first, then the rest unless `only` is set. */
export function exportColumns(named: Readonly<Record<string, string>>, listed: readonly string[], only = false): string[] {
  const all = Object.keys(named)
  const shown = [...new Set(listed)].filter((id) => all.includes(id))
  return only ? shown : [...shown, ...all.filter((id) => !shown.includes(id))]
}
