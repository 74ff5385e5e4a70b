import { useMemo, useRef } from 'react'
import type { CategoryOfProject } from '../../../contract/category.ts'
import { count } from '../../../contract/format.ts'
import type { Subject } from '../../commands/subject.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { type ShortColumn, ShortList } from '../../list/ShortList.tsx'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { start } from '../../runner/start.ts'
import { Chip } from '../../ui/Chip.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { usePane } from '../../workspace/pane.tsx'

type Row = CategoryOfProject & { project_id: number }

const columns: readonly ShortColumn<Row>[] = [
  {
    id: 'selected',
    header: 'Selected',
    width: 88,
    priority: 10,
    by: (row) => (row.selected ? 0 : 1),
    render: (row) => (
      <span className="flex min-w-4 items-center">
        {row.selected && (
          <>
            <Mark shape="tick" className="text-accent-ink" />
            <span className="sr-only">selected</span>
          </>
        )}
      </span>
    ),
  },
  {
    id: 'name',
    header: 'Category',
    min: 180,
    flex: 3,
    priority: 9,
    narrow: 'lead',
    by: (row) => row.name,
    render: (row) => row.name,
  },
  {
    id: 'sic_code',
    header: 'SIC code',
    width: 100,
    priority: 6,
    narrow: 'meta',
    by: (row) => row.sic_code,
    render: (row) => (
      <>
        <span className="hidden in-data-narrow:inline">SIC </span>
        {row.sic_code}
      </>
    ),
  },
  {
    id: 'projects',
    header: 'Projects',
    width: 100,
    align: 'right',
    priority: 5,
    narrow: 'meta',
    by: (row) => row.projects_count,
    render: (row) => (
      <>
        {count(row.projects_count)}
        <span className="hidden in-data-narrow:inline"> {row.projects_count === 1 ? 'project' : 'projects'}</span>
      </>
    ),
  },
]
const subjectOf = (row: Row): Subject => ({ kind: 'category', id: row.id, name: row.name, record: row })
const textOf = (row: Row): string => `${row.name} ${row.sic_code}`

/** The order that rows first had: one that is ticked stays under the cursor. */
function useFirstOrder(rows: readonly CategoryOfProject[] | undefined): readonly CategoryOfProject[] {
  const order = useRef<Map<number, number> | null>(null)
  return useMemo(() => {
    if (!rows) return []
    order.current ??= new Map(rows.map(({ id }, at) => [id, at]))
    const at = (row: CategoryOfProject) => order.current!.get(row.id) ?? rows.length
    return rows.toSorted((a, b) => at(a) - at(b))
  }, [rows])
}

/** The industry categories of a survey's project, ticked by Space (screens-projects, Categories). */
export function CategoriesTab({ project }: { project: Subject }) {
  const { query, setQuery } = usePane()
  const answer = useCall('category.ofProject', { project: project.id })
  const all = useFirstOrder(answer.data?.data)
  const only = query.selected === '1'
  const rows = useMemo(
    () => all.filter((row) => !only || row.selected).map((row) => ({ ...row, project_id: project.id })),
    [all, only, project.id],
  )
  const chosen = all.filter(({ selected }) => selected).length
  return (
    <section aria-label="Categories" className="pt-3 pb-6">
      <AnswerState answer={answer} what="The categories" rows={8} />
      {answer.data && (
        <>
          <div className="flex flex-wrap items-center gap-2 px-4">
            <p className="text-meta text-muted" aria-live="polite">
              {chosen === 0
                ? 'No category yet.'
                : `${count(chosen)} of ${count(all.length)} categories, kept with P-${project.id}`}
            </p>
            <Chip
              label="Show"
              value={only ? 'selected' : 'all'}
              data-view=""
              aria-pressed={only}
              on={only}
              onClick={() => setQuery({ selected: only ? undefined : '1' })}
            />
          </div>
          <ShortList
            title="Categories"
            nouns={['category', 'categories']}
            rows={rows}
            columns={columns}
            subjectOf={subjectOf}
            textOf={textOf}
            onOpen={(row) => start('category.check', { subjects: [subjectOf(row)], via: 'button' })}
            empty={
              <EmptyState action={<CommandButton id="category.set" subjects={[project]} variant="primary" />}>
                No category yet.
              </EmptyState>
            }
          />
        </>
      )}
    </section>
  )
}
