/** A project of either generation. */
const PROJECT = {
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
 * The lists that can be exported, each with its columns in their order: the id that the list itself has for them, and what they are called in the file.
 * The server has the cells of each in server/exports/exports.ts. Responses have the columns of their own questions.
 */
export const EXPORT_COLUMNS = {
  projects: PROJECT,
  campaigns: PROJECT,
  clients: {
    id: 'ID',
    name: 'Name',
    users_count: 'Users',
    projects_count: 'Projects',
    campaigns_count: 'Survey projects',
    teams_count: 'Teams',
    created_at: 'Created',
  },
  users: {
    id: 'ID',
    first_name: 'First name',
    last_name: 'Last name',
    email: 'E-mail',
    phone: 'Phone',
    company: 'Company',
    role: 'Role',
    status: 'Status',
    company_name: 'Clients',
    last_seen_at: 'Last seen',
    created_at: 'Created',
  },
  teams: { id: 'ID', name: 'Name', client: 'Client', users_count: 'Users', projects_count: 'Projects', created_at: 'Created' },
  groups: { id: 'ID', name: 'Name', client: 'Client', locations_count: 'Places', created_at: 'Created' },
  entries: {
    id: 'ID',
    project: 'Project',
    email: 'E-mail',
    ip: 'IP',
    reward: 'Reward',
    amount: 'Amount',
    provider: 'Provider',
    status: 'Status',
    note: 'Reason',
    second_chances: 'Second chances',
    created_at: 'Created',
    sent_at: 'Sent',
  },
  jobs: {
    id: 'ID',
    title: 'Job',
    status: 'Status',
    progress: 'Done',
    total: 'Of',
    result: 'Result',
    by: 'Started by',
    created_at: 'Started',
    ended_at: 'Ended',
  },
  mails: {
    id: 'ID',
    subject: 'Mail',
    to_address: 'To',
    status: 'Status',
    about: 'About',
    attempts: 'Tried',
    error: 'Error',
    created_at: 'Written',
    sent_at: 'Sent',
  },
  responses: {},
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type ExportName = keyof typeof EXPORT_COLUMNS
/** A column of an export by its id. */
export type ExportColumn<N extends ExportName> = keyof (typeof EXPORT_COLUMNS)[N] & string

/** An export's columns as ids: those of the list first and in its order, then what the list does not show; `only` leaves those out. */
export function exportColumns(name: ExportName, listed: readonly string[], only = false): string[] {
  const all = Object.keys(EXPORT_COLUMNS[name])
  const shown = [...new Set(listed)].filter((id) => all.includes(id))
  return only ? shown : [...shown, ...all.filter((id) => !shown.includes(id))]
}
