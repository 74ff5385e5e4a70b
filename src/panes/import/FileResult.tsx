import { useMemo } from 'react'
import { count, counted } from '../../../contract/format.ts'
import { IMPORT_ROW_KINDS, type ImportRowKind } from '../../../contract/importWords.ts'
import type { Subject } from '../../commands/subject.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { loadable } from '../../ui/loadable.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { EmptyState, Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { Figures } from './Figures.tsx'
import type { LocationFile } from './locationFile.ts'

const PointMap = loadable(() => import('../../ui/charts/PointMap.tsx').then((module) => module.PointMap), <Skeleton rows={6} />)
const TABS: Readonly<Record<ImportRowKind, readonly [tab: string, title: string, none: string]>> = {
  error: ['errors', 'Errors', 'Every line could be read.'],
  repeat: ['repeats', 'Repeats', 'No address repeats.'],
  approximate: ['approximate', 'Approximate', 'Every position is exact.'],
}
/** Lines a page. */
const PAGE = 50

/** Step 3: what became of the file, on the map and line by line. */
export function FileResult({ file, subject }: { file: LocationFile; subject: Subject }) {
  const { query, setQuery } = usePane()
  const usual = IMPORT_ROW_KINDS.find((kind) => file.counts[kind]) ?? 'error'
  const kind = IMPORT_ROW_KINDS.find((one) => TABS[one][0] === query.tab) ?? usual
  const page = Math.max(1, Number(query.page) || 1)
  const isThere = file.status === 'done' || file.status === 'failed'
  return (
    <section aria-label="Result" className="px-4 pt-4 pb-10">
      {file.status === 'undone' && (
        <p role="status" className="mb-3 text-muted">
          This file was undone. Its locations left the group.
        </p>
      )}
      {file.status === 'failed' && (
        <p role="alert" className="mb-3 text-red-ink">
          {file.error || 'It stopped half way.'}
        </p>
      )}
      <div className="flex flex-wrap items-start gap-x-8 gap-y-3">
        <Figures
          label="Totals"
          figures={[
            ['Rows', file.rows],
            ['New', file.created],
            ['Known already', file.reused],
            ['Repeats', file.repeated],
            ['Errors', file.failed, file.failed > 0 ? 'bad' : undefined],
            ['Approximate', file.counts.approximate ?? 0, file.counts.approximate ? 'near' : undefined],
          ]}
        />
        <span className="ml-auto flex flex-wrap gap-1.5">
          {file.failed > 0 && <CommandButton id="import.errors" subjects={[subject]} />}
          {file.status !== 'done' && <CommandButton id="import.run" subjects={[subject]} variant="primary" />}
          {isThere && <CommandButton id="import.undo" subjects={[subject]} />}
        </span>
      </div>
      {isThere && file.group_id !== null && <Found group_id={file.group_id} name={file.name} />}
      <Tabs
        label="Lines of the file"
        className="mt-5"
        items={IMPORT_ROW_KINDS.map((one) => ({
          id: one,
          label: TABS[one][1],
          badge: <span className="text-meta font-normal text-faint tabular-nums">{count(file.counts[one] ?? 0)}</span>,
        }))}
        selected={kind}
        onSelect={(next) => setQuery({ tab: TABS[next as ImportRowKind][0], page: null })}
      />
      <Lines
        file={file}
        kind={kind}
        page={page}
        onPage={(next) => setQuery({ page: next === 1 ? null : String(next) }, { push: true })}
      />
    </section>
  )
}

/** The group's points; the lists below name those that are only near. */
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

function Lines({
  file,
  kind,
  page,
  onPage,
}: {
  file: LocationFile
  kind: ImportRowKind
  page: number
  onPage(page: number): void
}) {
  const answer = useCall('import.rows', { id: file.id, kind, page, per_page: PAGE })
  const rows = answer.data?.data ?? []
  const [, title, none] = TABS[kind]
  if (!answer.data || !rows.length)
    return <AnswerState answer={answer} what={title} rows={4} empty={<EmptyState className="py-8">{none}</EmptyState>} />
  return (
    <>
      <div className="overflow-x-auto">
        <table className="w-full border-collapse text-left">
          <caption className="sr-only">{`${title}: ${counted(answer.data.count, 'line')}`}</caption>
          <thead>
            <tr className="border-b border-line text-meta text-muted">
              <th scope="col" className="w-20 py-1.5 pr-3 font-medium">
                Line
              </th>
              <th scope="col" className="w-40 py-1.5 pr-3 font-medium">
                Column
              </th>
              <th scope="col" className="py-1.5 pr-3 font-medium">
                Value
              </th>
              <th scope="col" className="py-1.5 font-medium">
                {kind === 'error' ? 'What is wrong' : kind === 'repeat' ? 'Same as' : 'Placed by'}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} className="border-b border-line align-top">
                <td className="py-1 pr-3 text-muted tabular-nums">{count(row.line)}</td>
                <td className="py-1 pr-3 text-muted">{row.column}</td>
                <td className="max-w-80 truncate py-1 pr-3" title={row.value}>
                  {row.place_id && file.group_id ? (
                    <PaneLink
                      to={href('group', { id: file.group_id }, { tab: 'locations', query: { search: row.value } })}
                      className="rounded-sm hover:text-accent-ink hover:underline"
                    >
                      <bdi>{row.value}</bdi>
                    </PaneLink>
                  ) : (
                    <bdi>{row.value || <span className="text-faint">–</span>}</bdi>
                  )}
                </td>
                <td className={kind === 'error' ? 'py-1 text-red-ink' : 'py-1'}>{row.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} size={PAGE} total={answer.data.count} onPage={onPage} most={5} noun="lines" />
    </>
  )
}
