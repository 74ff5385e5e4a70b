import { MESSAGES } from '../../../contract/messages.ts'
import { api } from '../../data/client.ts'
import { PaceBar } from '../../ui/charts/PaceBar.tsx'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import type { Column } from '../../ui/grid/columns.ts'
import { Pill } from '../../ui/Pill.tsx'
import { count, dollars, longDate, shortDate } from '../../workspace/format.ts'
import { paceTone, type ProjectRow, toneOf } from './subject.ts'

const PACES: Record<string, string> = { not_started: 'not started yet', no_dates: 'no dates', over: 'field time is over', running: 'in the field' }

/** The columns of every list of projects (projects-area 2). */
export const projectColumns: readonly Column<ProjectRow>[] = [
  {
    id: 'name', header: 'Project', min: 180, flex: 3, sortable: true, priority: 9,
    render: (row) => <span className="truncate font-medium">{row.name}</span>,
    edit: {
      value: (row) => row.name,
      async save(row, name) {
        if (!name.trim()) throw new Error(MESSAGES.projectName)
        await api.write('project.edit', { id: row.id, name, lock_version: row.lock_version })
      },
    },
  },
  { id: 'id', header: 'Id', width: 72, sortable: true, priority: 1, narrow: 'meta', render: (row) => <span className="font-mono text-meta text-muted">P-{row.id}</span> },
  { id: 'client', header: 'Client', min: 110, flex: 2, sortable: true, priority: 5, narrow: 'meta', render: (row) => <span className="truncate text-muted">{row.client_name}</span> },
  { id: 'status', header: 'Status', width: 148, sortable: true, priority: 8, narrow: 'aside', render: (row) => <Pill tone={toneOf(row.stored_status)}>{row.status_shown}</Pill> },
  { id: 'pacing', header: 'Pacing', width: 120, sortable: true, priority: 7, narrow: 'meta', render: (row) => <PaceBar value={row.pacing} tone={paceTone(row.pacing_color)} title={PACES[row.pacing_state] ?? ''} /> },
  { id: 'delivered', header: 'Delivered', width: 88, align: 'right', sortable: true, priority: 6, render: (row) => count(row.delivered) },
  { id: 'ordered', header: 'Ordered', width: 80, align: 'right', sortable: true, priority: 4, render: (row) => <span className="text-muted">{count(row.ordered)}</span> },
  { id: 'cost', header: 'Cost', width: 104, align: 'right', sortable: true, priority: 0, render: (row) => <span className="text-muted">{row.cost_cents === null ? '–' : dollars(row.cost_cents)}</span> },
  { id: 'end_dt', header: 'Ends', width: 92, sortable: true, priority: 3, render: (row) => <time dateTime={row.end_dt ?? ''} title={longDate(row.end_dt)} className="text-muted">{shortDate(row.end_dt)}</time> },
  { id: 'trend', header: 'Last 14 days', width: 112, priority: 2, narrow: 'hidden', render: (row) => <Sparkline values={row.trend} label={`${row.trend.reduce((sum, value) => sum + value, 0)} completes in the last 14 days`} /> },
]
