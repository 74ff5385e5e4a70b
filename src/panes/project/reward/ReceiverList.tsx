import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { count as figure, roundDollars } from '../../../../contract/format.ts'
import { PAGE } from '../../../../contract/pages.ts'
import { PROVIDERS, REWARD_STATUSES } from '../../../../contract/vocabulary.ts'
import type { CommandId } from '../../../commands/table.ts'
import { useCall } from '../../../data/useCall.ts'
import { ListScreen } from '../../../list/ListScreen.tsx'
import { rowSource } from '../../../list/rowSource.ts'
import { useNounList } from '../../../list/useNounList.ts'
import { href } from '../../../routing/routes.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { DayRange, daysOf } from '../../shared/DayRange.tsx'
import { FLAG_OPTIONS, flagNamed } from './entryFilters.ts'
import { entrySubject, sumNote } from './entrySubject.ts'
import { type Receiver, receiverColumns } from './receiverColumns.tsx'
import { StatusChoice, type StatusFilter } from './StatusChoice.tsx'

const FILTERS = {
  status: 'all',
  flag: '',
  provider: '',
  client: '',
  amount: '',
  from: '',
  to: '',
  project: '',
  like: '',
  person: '',
  import: '',
} as const
const NEWEST = { column: 'created_at', direction: 'desc' } as const
const AMOUNTS = [5, 10, 15, 20, 25, 50]
const ANY = { value: '', label: 'all' } as const
const AMOUNT_OPTIONS = [
  ANY,
  ...AMOUNTS.map((amount) => ({ value: String(amount), label: roundDollars(amount * 100) })),
  { value: 'other', label: 'above $50' },
]
const PROVIDER_OPTIONS = [ANY, ...PROVIDERS.map(({ value, label }) => ({ value: String(value), label }))]
const BULK: readonly CommandId[] = ['entry.secondChance', 'entry.reject', 'entry.redeem']
const idIn = (text: string) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined)
const amountIn = (text: string) =>
  text === 'other' ? { min: 50.01 } : AMOUNTS.includes(Number(text)) ? { min: Number(text), max: Number(text) } : {}
const statusNamed = (text: string): StatusFilter => REWARD_STATUSES.find(({ value }) => value === text)?.value ?? 'all'
/** Links to the entry in its project's Reward Center, among those sharing its email or address. */
const hrefOf = (row: Receiver) =>
  href('project', { id: row.project_id }, { tab: 'rewardCenter', query: { status: 'all', like: row.id, at: row.id } })

type Answer = Output<'receiver.list'>

/** Lists reward entries of all projects, or of one. */
export function ReceiverList({ project, children }: { project: number | null; children?: ReactNode }) {
  const { setQuery } = usePane()
  const clients = useCall('client.dropdown', project ? null : {}).data?.data ?? []
  const list = useNounList('receiver', {
    filters: FILTERS,
    sort: NEWEST,
    discreet: true,
    where: (filters) => ({
      status: statusNamed(filters.status),
      flag: flagNamed(filters.flag),
      provider: idIn(filters.provider),
      client_id: idIn(filters.client),
      project_id: project ?? idIn(filters.project),
      like: idIn(filters.like),
      person: idIn(filters.person),
      import_id: idIn(filters.import),
      ...amountIn(filters.amount),
      ...daysOf(filters),
    }),
    pageSize: PAGE.rewards,
  })
  const { view } = list
  const { filters } = view
  const [exact, setExact] = useState<string | null>(null)
  const isExact = exact === view.key
  // Deep pages continue from the previous page's cursor, if known.
  const cursors = useRef({ key: '', next: new Map<number, string>() })
  if (cursors.current.key !== view.key) cursors.current = { key: view.key, next: new Map() }
  const input = { ...list.exportable!.filter, ...(isExact ? { exact: true } : {}) }
  const rows = rowSource({
    call: 'receiver.list',
    chunk: PAGE.rewards,
    input: (page, per_page) => {
      const after = page > 1 ? cursors.current.next.get(page - 1) : undefined
      return { ...(input as object), page, per_page, ...(after ? { after } : {}) }
    },
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
    rowsAlone: { counts: false },
  })
  const [counted, setCounted] = useState<Pick<Answer, 'totals' | 'more'>>({})
  const onAnswer = useCallback((answer: Answer) => {
    if (answer.next) cursors.current.next.set(answer.page, answer.next)
    if (answer.totals) setCounted({ totals: answer.totals, more: answer.more })
  }, [])
  const columns = useMemo(() => receiverColumns(project === null), [project])
  const narrowed = (['like', 'person', 'import', 'project'] as const).find(
    (name) => filters[name] && !(project && name === 'project'),
  )
  return (
    <div className="@container flex h-full min-h-0 flex-col">
      <ListScreen<Receiver>
        {...list}
        source={rows}
        noun="rewards"
        title={project ? 'Reward receivers of a project' : 'Reward receivers'}
        more={counted.more}
        columns={columns}
        subjectOf={entrySubject}
        hrefOf={hrefOf}
        selectionKind={`${filters.status}`}
        noteOf={sumNote}
        lead={
          <span className="flex flex-wrap items-center gap-1.5">
            <StatusChoice
              shown={statusNamed(filters.status)}
              totals={counted.totals}
              onShow={(status) => view.setFilter('status', status)}
            />
            {narrowed && (
              <Chip label="Only" value={NARROWED[narrowed]} on onClear={() => setQuery({ [narrowed]: null, page: null })} />
            )}
          </span>
        }
        filters={[
          { name: 'flag', label: 'Flag', options: FLAG_OPTIONS },
          { name: 'provider', label: 'Provider', options: PROVIDER_OPTIONS },
          { name: 'amount', label: 'Amount', options: AMOUNT_OPTIONS },
          ...(project
            ? []
            : [
                {
                  name: 'client',
                  label: 'Client',
                  options: [ANY, ...clients.map(({ id, name }) => ({ value: String(id), label: name }))],
                },
              ]),
        ]}
        onAnswer={onAnswer as (answer: never) => void}
        actions={['list.export']}
        bulk={BULK}
        primary="entry.redeem"
        empty={{
          sentence: project
            ? 'This project has no rewards yet. They arrive with results or from a file.'
            : 'No rewards have been earned yet. They arrive with a project’s results.',
          command: project ? 'receivers.chooseProject' : 'go.allProjects',
        }}
      >
        {children}
        <div data-view="" className="flex shrink-0 flex-wrap items-center gap-3 border-b border-line px-4 py-1.5 text-meta">
          <span className="text-muted">Earned</span>
          <DayRange view={view} />
          {counted.more && (
            <Button variant="ghost" className="ml-auto" onClick={() => setExact(view.key)}>
              Count beyond {figure(10_000)}
            </Button>
          )}
        </div>
      </ListScreen>
    </div>
  )
}

const NARROWED = { like: 'one address or IP', person: 'one person', import: 'one upload', project: 'one project' } as const
