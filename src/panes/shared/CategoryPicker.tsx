import { type ReactNode, useMemo, useRef } from 'react'
import type { CategoryOfProject } from '../../../contract/category.ts'
import { count } from '../../../contract/format.ts'
import type { Subject } from '../../commands/subject.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import type { Answer } from '../../data/useCall.ts'
import { type ShortColumn, ShortList } from '../../list/ShortList.tsx'
import { start } from '../../runner/lazyRunner.ts'
import { Chip } from '../../ui/Chip.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { COLUMN, RowColumns } from './RowColumns.tsx'

/** The project or brand the categories belong to. */
type Owner = { project_id: number } | { brand_id: number }
type Row = CategoryOfProject & Partial<{ project_id: number; brand_id: number }>

const columns: readonly ShortColumn<Row>[] = [
  { id: 'name', header: 'Category', min: 180, by: (row) => row.name, render: (row) => row.name },
]
const subjectOf = (row: Row): Subject => ({ kind: 'category', id: row.id, name: row.name, record: row })
const textOf = (row: Row): string => `${row.name} ${row.sic_code}`
const toggle = (row: Row) => void start('category.check', { subjects: [subjectOf(row)], via: 'button' })

/** Keeps the initial order, so that a toggled row stays under the cursor. */
function useFirstOrder(rows: readonly CategoryOfProject[] | undefined): readonly CategoryOfProject[] {
  const order = useRef<Map<number, number> | null>(null)
  return useMemo(() => {
    if (!rows) return []
    order.current ??= new Map(rows.map(({ id }, at) => [id, at]))
    const at = (row: CategoryOfProject) => order.current!.get(row.id) ?? rows.length
    return rows.toSorted((a, b) => at(a) - at(b))
  }, [rows])
}

/** Industry categories of a project or brand in columns of 15; each is saved as it is toggled. */
export function CategoryPicker({
  answer,
  of,
  kept,
  empty,
}: {
  answer: Answer<{ data: readonly CategoryOfProject[] }>
  of: Owner
  /** Where they are stored: "kept with P-12". */
  kept?: string
  empty?: ReactNode
}) {
  const { query, setQuery } = usePane()
  const all = useFirstOrder(answer.data?.data)
  const only = query.selected === '1'
  const owner = JSON.stringify(of)
  const rows = useMemo<readonly Row[]>(
    () => all.filter((row) => !only || row.selected).map((row) => ({ ...row, ...(JSON.parse(owner) as Owner) })),
    [all, only, owner],
  )
  const chosen = all.filter(({ selected }) => selected).length
  return (
    <section aria-label="Categories" className="pt-3 pb-6">
      <AnswerState answer={answer} what="The categories" rows={8} />
      {answer.data && (
        <ShortList
          title="Categories"
          nouns={['category', 'categories']}
          rows={rows}
          columns={columns}
          subjectOf={subjectOf}
          textOf={textOf}
          onOpen={toggle}
          lead={
            <>
              <Chip
                label="Show"
                value={only ? 'selected' : 'all'}
                data-view=""
                aria-pressed={only}
                on={only}
                onClick={() => setQuery({ selected: only ? undefined : '1' })}
              />
              <span className="text-meta text-muted" aria-live="polite" aria-atomic="true">
                {chosen === 0
                  ? 'No category yet.'
                  : `${count(chosen)} of ${count(all.length)} selected${kept ? `, ${kept}` : ''}`}
              </span>
            </>
          }
          compact={{
            step: COLUMN,
            draw: (grid) => (
              <RowColumns<Row> grid={grid} box={(row) => row.selected}>
                {(row) => <Category row={row} />}
              </RowColumns>
            ),
          }}
          empty={<EmptyState action={empty}>No category yet.</EmptyState>}
        />
      )}
    </section>
  )
}

function Category({ row }: { row: Row }) {
  const inUse = row.services_count ?? 0
  return (
    <>
      <span className="min-w-0 flex-1 truncate" title={row.name}>
        {row.name}
      </span>
      {inUse > 0 && <span className="text-meta text-muted">{`${count(inUse)} ${inUse === 1 ? 'service' : 'services'}`}</span>}
      <span className="font-mono text-meta text-muted">{row.sic_code}</span>
    </>
  )
}
