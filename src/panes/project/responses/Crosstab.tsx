import { X } from 'lucide-react'
import { type RefObject, useEffect } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { count } from '../../../../contract/format.ts'
import { SMALL_BASE } from '../../../../contract/vocabulary.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { figureText, shareOf, shareText } from './answerShares.ts'
import { inOrder } from './bars.ts'
import type { Question } from './chart.ts'
import { type FigureSource, useCrosstab } from './figureSource.ts'

export type CrosstabData = Output<'runtime.crosstab'>['data']

interface Props {
  question: Question
  source: FigureSource
  by: string
  unit: 'share' | 'count'
  sort: 'asked' | 'largest'
  /** The answer whose row is highlighted. */
  at: string | null
  onClose(): void
  /** Receives the table, for commands that copy it. */
  table: RefObject<CrosstabData | null>
}

/** A question's answers by another question or a demographic: shares of each column, with bases. */
export function Crosstab({ question, source, by, unit, sort, at, onClose, table: published }: Props) {
  const answer = useCrosstab(source, question.question_id, by)
  const table = answer.data?.data
  useEffect(() => {
    published.current = table ?? null
    return () => {
      published.current = null
    }
  }, [published, table])
  return (
    <section aria-label={`Crosstab of ${question.code}`} data-crosstab="" className="mt-2 rounded-md border border-edge">
      <header className="flex h-8 items-center gap-2 border-b border-line pr-1 pl-3 text-meta">
        <h3 className="min-w-0 truncate">
          <span className="text-muted">By</span> <b className="font-medium">{table ? headOf(table) : '…'}</b>
        </h3>
        <span className="shrink-0 text-faint tabular-nums">
          {table ? `${unit === 'share' ? 'column shares' : 'counts'}, n\u00a0=\u00a0${count(table.base)}` : ''}
        </span>
        <span className="ml-auto">
          <IconButton
            label="Close the crosstab"
            title="Close the crosstab (Esc)"
            data-command="responses.close"
            onClick={onClose}
          >
            <X size={14} aria-hidden="true" />
          </IconButton>
        </span>
      </header>
      {!table ? (
        <AnswerState answer={answer} what="The crosstab" rows={4} slim className="p-3 text-meta" />
      ) : table.base === 0 ? (
        <p className="p-3 text-meta text-muted">Nobody answered both.</p>
      ) : (
        <Table table={table} unit={unit} sort={sort} at={at} label={`${question.code} ${question.title}`} />
      )}
    </section>
  )
}

const headOf = ({ by_label, by_question }: CrosstabData): string =>
  by_question?.number ? `Q${by_question.number} ${by_label}` : by_label

/** The background of a share, from none to a third of the accent colour. */
const heatOf = (share: number): string =>
  `color-mix(in oklch, var(--accent) ${Math.round(Math.min(100, share) * 0.34)}%, transparent)`

function Table({ table, unit, sort, at, label }: { table: CrosstabData; label: string } & Pick<Props, 'unit' | 'sort' | 'at'>) {
  const rows = inOrder(
    table.rows.map((row) => ({ ...row, value: row.count })),
    sort,
  )
  const small = (base: number) => base < SMALL_BASE
  const anySmall = table.columns.some(({ base }) => small(base))
  const means = table.columns.some(({ mean }) => mean !== null)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div role="group" aria-label={`Crosstab of ${label}`} tabIndex={0} className="overflow-x-auto -outline-offset-2">
      <table aria-label={`${label} by ${table.by_label}`} className="w-full border-collapse text-meta tabular-nums">
        <thead>
          <tr className="align-bottom">
            <th scope="col" className="sticky left-0 z-1 min-w-32 bg-surface px-3 py-1.5 text-left font-medium text-muted">
              Answer
            </th>
            <th scope="col" className="px-2 py-1.5 text-right font-medium">
              Total
              <span className="block font-normal text-faint">{count(table.base)}</span>
            </th>
            {table.columns.map((column) => (
              <th
                key={column.value}
                scope="col"
                className={cx('max-w-28 px-2 py-1.5 text-right font-medium', small(column.base) && 'text-faint')}
              >
                <span className="line-clamp-2" title={column.label}>
                  {column.label}
                </span>
                <span className="block font-normal text-faint whitespace-nowrap">
                  {count(column.base)}
                  {small(column.base) && <span className="block">small base</span>}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {means && (
            <tr className="border-t border-line">
              <th scope="row" className="sticky left-0 z-1 bg-surface px-3 text-left font-normal">
                Mean
              </th>
              <td />
              {table.columns.map(({ value, mean, base }) => (
                <td key={value} className={cx('h-6 px-2 text-right', small(base) && 'text-faint')}>
                  {mean === null ? '–' : figureText(mean)}
                </td>
              ))}
            </tr>
          )}
          {rows.map((row) => (
            <tr
              key={row.label}
              data-row={row.label}
              aria-current={row.label === at || undefined}
              className="border-t border-line"
            >
              <th
                scope="row"
                className={cx(
                  'sticky left-0 z-1 max-w-64 px-3 py-1 text-left font-normal',
                  row.label === at ? 'bg-cursor shadow-[inset_2px_0_var(--accent)]' : 'bg-surface',
                )}
              >
                {row.label}
              </th>
              <td
                className={cx(
                  'h-6 px-2 text-right whitespace-nowrap',
                  row.label === at && 'shadow-[inset_0_1px_var(--accent),inset_0_-1px_var(--accent)]',
                )}
              >
                {unit === 'share' ? shareText(row, table.base) : count(row.count)}
              </td>
              {row.cells.map((cell, nth) => {
                const { value, base } = table.columns[nth]!
                return (
                  <td
                    key={value}
                    className={cx(
                      'h-6 px-2 text-right whitespace-nowrap',
                      small(base) && 'text-faint',
                      row.label === at && 'shadow-[inset_0_1px_var(--accent),inset_0_-1px_var(--accent)]',
                    )}
                    // Larger shares are darker; cells with a small base aren't shaded.
                    style={small(base) ? undefined : { background: heatOf(shareOf(cell.count, base)) }}
                  >
                    {unit === 'share' ? shareText(cell, base) : count(cell.count)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {(anySmall || table.more.columns > 0 || table.more.rows > 0) && (
        <p className="border-t border-line px-3 py-1.5 text-meta text-faint">
          {[
            anySmall ? `Small base: fewer than ${SMALL_BASE} completes.` : '',
            table.more.columns ? `${count(table.more.columns)} more columns aren’t shown.` : '',
            table.more.rows ? `${count(table.more.rows)} more answers aren’t shown.` : '',
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </div>
  )
}
