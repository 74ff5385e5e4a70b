import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Input, Output } from '../../../../contract/calls.ts'
import { listed } from '../../../../contract/lists.ts'
import { PAGE } from '../../../../contract/pages.ts'
import { REWARD_STATUSES } from '../../../../contract/vocabulary.ts'
import { addressRepeats, emailRepeats, isFlagged } from '../../../commands/entryTotals.ts'
import type { Subject } from '../../../commands/subject.ts'
import type { CommandId } from '../../../commands/table.ts'
import { useCall } from '../../../data/useCall.ts'
import { ListScreen } from '../../../list/ListScreen.tsx'
import { useListView } from '../../../list/listView.ts'
import { rowSource } from '../../../list/rowSource.ts'
import { useLinkedRow } from '../../../list/useLinkedRow.ts'
import { href } from '../../../routing/routes.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { entryColumns } from './entryColumns.tsx'
import { FLAG_OPTIONS, flagNamed } from './entryFilters.ts'
import { type Entry, entrySubject, sumNote } from './entrySubject.ts'
import { StatusChoice, type StatusFilter } from './StatusChoice.tsx'

const FILTERS = { status: 'pending', like: '', flag: '', import: '' } as const
const FLAG_CHOICE = [{ name: 'flag', label: 'Flag', options: FLAG_OPTIONS }] as const
const idIn = (text: string) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined)
const BULK: Record<StatusFilter, readonly CommandId[]> = {
  pending: ['entry.reject', 'entry.redeem'],
  processing: [],
  sent: [],
  rejected: ['entry.secondChance'],
  all: ['entry.secondChance', 'entry.reject', 'entry.redeem'],
}
const EMPTY: Record<StatusFilter, string> = {
  pending: 'No rewards are waiting to be paid.',
  processing: 'No rewards are being sent right now.',
  sent: 'No rewards of this project have been sent yet.',
  rejected: 'No rewards of this project were rejected.',
  all: 'This project has no rewards yet. They arrive with results or from a file.',
}
type Totals = NonNullable<Output<'entry.list'>['totals']>
type Column = NonNullable<Input<'entry.list'>['column']>

/** A row of the list; `line` is the row's own number below another reward of its cluster. */
type Line = Entry & { line?: number }
const NO_LINES: readonly Line[] = []
const lineId = ({ id, line }: Line) => line ?? id
const repeats = (entry: Line) => entry.line === undefined && (emailRepeats(entry) || addressRepeats(entry))
/** The most rewards of a cluster expanded in place; more open as a list of their own. */
const MOST_IN_PLACE = 100

/** The expanded clusters' rewards, by the reward they are listed under. */
function useClusters() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [lines, setLines] = useState<ReadonlyMap<number, readonly Line[]>>(new Map())
  const ids = useRef(0)
  const onExpand = useCallback(({ id, line }: Line, is: boolean) => {
    if (line !== undefined) return
    setOpen((before) => (is ? new Set([...before, id]) : new Set([...before].filter((one) => one !== id))))
  }, [])
  const onRead = useCallback((id: number, found: readonly Entry[]) => {
    // A reward may be listed under several others, so each row has its own number.
    const others = found.flatMap((entry) => (entry.id === id ? [] : [{ ...entry, line: --ids.current }]))
    setLines((before) => new Map([...before, [id, others]]))
  }, [])
  const childrenOf = useCallback(({ id, line }: Line) => (line === undefined && lines.get(id)) || NO_LINES, [lines])
  return { open, onExpand, onRead, childrenOf }
}

/** Loads an expanded cluster, and reloads it when one of its rewards changes. */
function Cluster({
  projectId,
  id,
  onRead,
}: {
  projectId: number
  id: number
  onRead: (id: number, found: readonly Entry[]) => void
}) {
  const { data } = useCall('entry.list', { id: projectId, like: id, status: 'all', counts: false, per_page: MOST_IN_PLACE })
  useEffect(() => {
    if (data) onRead(id, data.data)
  }, [data, id, onRead])
  return null
}

const isFlaggedSubject = (subject: Subject) => isFlagged(subject.record as unknown as Entry)

/** Lists the rewards of a project or family: earners, flags and payment (decisions.md 5; people-area 2 and 4). */
export function RewardCenter({ projectId, family }: { projectId: number; family: boolean }) {
  const { query, setQuery } = usePane()
  const view = useListView(FILTERS, undefined, { discreet: true })
  const shown: StatusFilter =
    REWARD_STATUSES.find((one) => one.value === view.filters.status)?.value ?? (view.filters.status === 'all' ? 'all' : 'pending')
  const like = idIn(view.filters.like)
  const upload = idIn(view.filters.import)
  const flag = flagNamed(view.filters.flag)
  const filter = {
    status: shown,
    search: view.search,
    ...(like ? { like } : {}),
    ...(upload ? { import_id: upload } : {}),
    ...(flag ? { flag } : {}),
    ...(view.sort ? { column: view.sort.column as Column, order: view.sort.direction } : {}),
  }
  const rows = rowSource({
    call: 'entry.list',
    chunk: PAGE.rewards,
    input: (page, per_page) => ({ id: projectId, ...filter, page, per_page }),
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
    rowsAlone: { counts: false },
  })
  // Totals come with the list's count: on the first page, and after each change.
  const [totals, setTotals] = useState<Totals>()
  const onAnswer = useCallback((answer: Output<'entry.list'>) => answer.totals && setTotals(answer.totals), [])
  const columns = useMemo(() => entryColumns(shown, family), [shown, family])
  const clusters = useClusters()
  useLinkedRow({
    gone: 'This reward no longer exists in this project.',
    widen() {
      if (shown === 'all' && !view.search && !like && !upload && !flag) return false
      view.show('status=all')
      return true
    },
  })
  return (
    <div className="@container flex h-full min-h-0 flex-col">
      {[...clusters.open].map((id) => (
        <Cluster key={id} projectId={projectId} id={id} onRead={clusters.onRead} />
      ))}
      <ListScreen<Line>
        selectionKind={`${shown} ${like ?? ''} ${upload ?? ''}`}
        title="Reward Center"
        noun="rewards"
        embedded
        view={view}
        source={rows}
        pageSize={PAGE.rewards}
        columns={columns}
        subjectOf={entrySubject}
        rowId={lineId}
        childrenOf={clusters.childrenOf}
        hasChildren={repeats}
        onExpand={clusters.onExpand}
        lead={
          <span className="flex flex-wrap items-center gap-1.5">
            <StatusChoice
              shown={shown}
              totals={totals}
              onShow={(status) => setQuery({ status: status === 'pending' ? null : status, like: null, page: null })}
            />
            {like && <Chip label="Only" value="one cluster" on onClear={() => setQuery({ like: null, page: null })} />}
            {upload && <Chip label="Only" value="one upload" on onClear={() => setQuery({ import: null, page: null })} />}
          </span>
        }
        filters={FLAG_CHOICE}
        at={idIn(query.at ?? '') ?? null}
        noteOf={sumNote}
        leavesOut={shown === 'rejected' || (flag && flag !== 'none') ? undefined : isFlaggedSubject}
        onAnswer={onAnswer}
        actions={['entry.clear', 'list.export']}
        bulk={BULK[shown]}
        primary={shown === 'rejected' ? 'entry.secondChance' : 'entry.redeem'}
        exportable={{
          ...listed('entry'),
          filter: { project_id: projectId, ...filter },
        }}
        empty={{
          sentence: EMPTY[shown],
          next:
            shown === 'all' ? (
              <PaneLink to={href('project', { id: projectId }, { tab: 'rewardUpload' })} className="text-accent-ink underline">
                Upload rewards from a file
              </PaneLink>
            ) : (
              <Button data-view="" onClick={() => setQuery({ status: 'all', like: null, page: null })}>
                Show all rewards
              </Button>
            ),
        }}
      />
    </div>
  )
}
