import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { IMPORT_ROW_KINDS, type ImportRowKind } from '../../../contract/importWords.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { type ShortColumn, ShortList } from '../../list/ShortList.tsx'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { cx } from '../../ui/cx.ts'
import { loadable } from '../../ui/loadable.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { FileResult, type LineKind, useFileLines } from '../shared/FileResult.tsx'
import type { LocationFile } from './fileSubject.ts'

const PointMap = loadable(() => import('../../ui/charts/PointMap.tsx').then((module) => module.PointMap), <Skeleton rows={6} />)
const KINDS: Readonly<Record<ImportRowKind, LineKind>> = {
  error: { slug: 'errors', title: 'Errors', messageHeading: 'Problem', none: 'No errors.' },
  repeat: { slug: 'repeats', title: 'Repeats', messageHeading: 'Same as', none: 'No repeated addresses.' },
  approximate: { slug: 'approximate', title: 'Approximate', messageHeading: 'Placed by', none: 'All positions are exact.' },
}
/** Lines a page. */
const PAGE = 50

/** Step 3: the result, on a map and line by line. */
export function LocationResult({ file, subject }: { file: LocationFile; subject: Subject }) {
  const kinds = IMPORT_ROW_KINDS.map((kind) => ({ ...KINDS[kind], count: file.counts[kind] ?? 0 }))
  const usual = IMPORT_ROW_KINDS.find((kind) => file.counts[kind]) ?? 'error'
  const at = useFileLines(kinds, KINDS[usual].slug, 'tab')
  const kind = IMPORT_ROW_KINDS.find((one) => KINDS[one].slug === at.kind)!
  const answer = useCall('import.rows', { id: file.id, kind, page: at.page, per_page: PAGE })
  const may = (id: string) => file.allowed_actions.includes(id)
  const isThere = file.status === 'done' || file.status === 'failed'
  return (
    <section aria-label="Result" className="px-4 pt-4 pb-10">
      <FileResult
        note={file.status === 'undone' ? 'This import was undone. Its locations are no longer in the group.' : null}
        problem={file.status === 'failed' ? file.error || 'The import stopped halfway.' : null}
        figures={[
          ['Rows', file.rows],
          ['New', file.created],
          ['Already known', file.reused],
          ['Repeats', file.repeated],
          ['Errors', file.failed, file.failed > 0 ? 'bad' : undefined],
          ['Approximate', file.counts.approximate ?? 0, file.counts.approximate ? 'near' : undefined],
        ]}
        actions={
          <>
            {may('import.errors') && <CommandButton id="import.errors" subjects={[subject]} />}
            {may('import.again') && <CommandButton id="import.run" subjects={[subject]} variant="primary" />}
            {may('import.undo') && <CommandButton id="import.undo" subjects={[subject]} />}
          </>
        }
        kinds={kinds}
        at={at}
        answer={answer}
        pageSize={PAGE}
        drawLines={(lines) => (
          <Lines key={`${kind} ${at.page}`} file={file} kind={kind} title={KINDS[kind].title} lines={lines} />
        )}
      >
        {isThere && file.group_id !== null && <Found group_id={file.group_id} name={file.name} />}
      </FileResult>
    </section>
  )
}

type Line = Output<'import.rows'>['data'][number]
const NOUNS = ['line', 'lines'] as const
const asLine = subjectAs<Line & { import_id: number }>('fileLine', ({ line, column, value }) =>
  [`line ${count(line)}`, column, value].filter(Boolean).join(' '),
)

const lineColumns = (file_id: number, kind: ImportRowKind): readonly ShortColumn<Line>[] => [
  { id: 'line', header: 'Line', width: 72, align: 'right', priority: 9, render: ({ line }) => count(line) },
  { id: 'column', header: 'Column', width: 140, priority: 6, narrow: 'meta', render: ({ column }) => <bdi>{column}</bdi> },
  {
    id: 'value',
    header: 'Value',
    min: 160,
    flex: 2,
    priority: 8,
    narrow: 'meta',
    render: ({ value }) => (value ? <bdi className="truncate">{value}</bdi> : <span className="text-faint">–</span>),
    ...(kind === 'error'
      ? {
          edit: {
            value: ({ value }) => value,
            save: ({ id: row_id }, value) => api.write('import.correct', { id: file_id, row_id, value }),
          },
        }
      : {}),
  },
  {
    id: 'message',
    header: KINDS[kind].messageHeading,
    min: 200,
    flex: 3,
    priority: 7,
    narrow: 'aside',
    render: ({ message }) => <bdi className={cx('truncate', kind === 'error' && 'text-red-ink')}>{message}</bdi>,
  },
]

/** Lists lines of one kind: errors are corrected in place, other lines open their location. */
function Lines({ file, kind, title, lines }: { file: LocationFile; kind: ImportRowKind; title: string; lines: readonly Line[] }) {
  const { go } = usePane()
  const columns = useMemo(() => lineColumns(file.id, kind), [file.id, kind])
  const { group_id } = file
  return (
    <ShortList<Line>
      title={title}
      nouns={NOUNS}
      rows={lines}
      columns={columns}
      subjectOf={(line) => asLine({ ...line, import_id: file.id })}
      // An error is corrected; other lines have a location.
      {...(kind !== 'error' && group_id !== null
        ? { onOpen: ({ value }) => go(href('group', { id: group_id }, { tab: 'locations', query: { search: value } })) }
        : {})}
      empty=""
    />
  )
}

/** Maps the group's points; the lists below name those with an approximate position. */
function Found({ group_id, name }: { group_id: number; name: string }) {
  const answer = useCall('location.points', { group_id })
  const found = answer.data
  const points = useMemo(
    () => [
      ...(found?.data.map(([, lat, lng]) => ({ lat, lng })) ?? []),
      ...(found?.squares.map((square) => ({ lat: square.latitude, lng: square.longitude, weight: square.count })) ?? []),
    ],
    [found],
  )
  if (answer.error) return null
  return (
    <div className="mt-4">
      <PointMap
        label={`Locations of “${name}”`}
        points={points}
        loading={answer.loading}
        height={300}
        empty="No location has a position."
      />
    </div>
  )
}
