import type { ReactNode } from 'react'
import { count, counted } from '../../../../contract/format.ts'
import type { Quota, QuotaCell } from '../../../../contract/quota.ts'
import { ceilingOf } from '../../../../contract/quotaRules.ts'
import { isStarving } from '../../../../contract/quotaWhy.ts'
import { FigureDifference } from '../../../compare/FigureDifference.tsx'
import { cx } from '../../../ui/cx.ts'
import { Pill } from '../../../ui/Pill.tsx'
import type { Section } from './quotaLines.ts'
import { TargetEdit } from './TargetEdit.tsx'
import type { useQuotaCursor } from './useQuotaCursor.ts'

type Cursor = ReturnType<typeof useQuotaCursor>
interface Props {
  plan: Quota
  cursor: Cursor
}

/** A cell’s figures in words, for screen readers. */
function spoken(cell: QuotaCell, plan: Quota): string {
  const { name, target, completes, held = 0, free = 0, closed, refused_24h = 0 } = cell
  const ceiling = ceilingOf(target, plan.overage_percent ?? 0)
  return [
    `${name || 'Total'}: target ${count(target)}`,
    counted(completes, 'complete'),
    `${count(held)} held`,
    `${count(free)} free`,
    ceiling === target ? '' : `ceiling ${count(ceiling)}`,
    refused_24h ? `${count(refused_24h)} refused in 24 hours` : '',
    closed ? 'closed' : isStarving(cell, plan) ? 'starving' : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** Completes, then held places, of a cell's ceiling; the target is marked if the ceiling is above it. */
function Bar({ cell, plan }: { cell: QuotaCell; plan: Quota }) {
  const { target, completes, held = 0 } = cell
  const ceiling = Math.max(1, ceilingOf(target, plan.overage_percent ?? 0))
  const width = (part: number) => `${Math.min(100, (100 * part) / ceiling)}%`
  return (
    <span aria-hidden="true" className="relative flex h-2 min-w-8 overflow-hidden rounded-full bg-track forced-colors:border">
      <span className="bg-accent forced-colors:bg-[Highlight]" style={{ width: width(completes) }} />
      <span
        className="bg-[repeating-linear-gradient(90deg,var(--accent)_0_2px,var(--track)_2px_4px)]"
        style={{ width: width(held) }}
      />
      {ceiling > target && target > 0 && <span className="absolute inset-y-0 w-0.5 bg-ink" style={{ left: width(target) }} />}
    </span>
  )
}

const state = (cell: QuotaCell, plan: Quota): ReactNode =>
  cell.closed ? (
    <Pill tone="grey">Closed</Pill>
  ) : isStarving(cell, plan) ? (
    <Pill tone="amber">Starving</Pill>
  ) : (cell.free ?? 0) < 1 ? (
    <Pill tone="green">Full</Pill>
  ) : null

/** The cell that takes the cursor: its target, or the editor of it. */
function Target({
  cell,
  plan,
  cursor,
  children,
  className,
}: Props & { cell: QuotaCell; children: (editor: ReactNode) => ReactNode; className?: string }) {
  const { at, editing, focus, edit, done } = cursor
  const isEdited = editing?.id === cell.id
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keymap has its keys
    // biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through
    <div
      role="gridcell"
      data-cell={cell.id}
      data-cursor={at === cell.id ? '' : undefined}
      data-view=""
      tabIndex={at === cell.id ? 0 : -1}
      aria-selected={at === cell.id}
      onFocus={(event) => event.target === event.currentTarget && at !== cell.id && focus(cell.id)}
      onClick={() => focus(cell.id)}
      onDoubleClick={() => edit(cell.id)}
      className={cx('min-w-0 scroll-my-12 rounded-md px-2 py-1 outline-offset-[-2px] data-[cursor]:bg-accent-wash', className)}
    >
      {!isEdited && <span className="sr-only">{spoken(cell, plan)}</span>}
      {children(isEdited && <TargetEdit plan={editing.plan} now={plan} cell={cell} onDone={(step) => done(cell.id, step)} />)}
    </div>
  )
}

const taken = ({ completes, held = 0 }: QuotaCell): string =>
  held ? `${count(completes)} + ${count(held)} held` : count(completes)

/** A cell as a line: its name, bar and figures. */
function CellLine({ cell, plan, cursor, topic }: Props & { cell: QuotaCell; topic: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through
    // biome-ignore lint/a11y/useFocusableInteractive: its cell takes the focus
    <div role="row" className="border-b border-line last:border-b-0">
      <Target {...{ cell, plan, cursor }}>
        {(editor) => (
          <span className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 @2xl:grid-cols-[minmax(0,16rem)_minmax(0,1fr)_22rem]">
            <span aria-hidden="true" className="flex min-w-0 items-center gap-2">
              <bdi className="truncate" title={cell.name}>
                {cell.name || 'Total'}
              </bdi>
              {state(cell, plan)}
            </span>
            <span className="order-last col-span-2 @2xl:order-none @2xl:col-span-1">
              <Bar {...{ cell, plan }} />
            </span>
            {editor || (
              <span className="grid grid-cols-[auto_auto] justify-end gap-x-3 text-meta whitespace-nowrap text-muted tabular-nums @2xl:grid-cols-[1fr_4.5rem_5rem]">
                <span className="text-right">
                  <span aria-hidden="true">
                    <span className="text-ink">{taken(cell)}</span> of <span className="text-ink">{count(cell.target)}</span>
                  </span>
                  <FigureDifference topic={`quota ${topic}`} value={cell.target} />
                </span>
                <span aria-hidden="true" className="text-right">
                  {count(cell.free ?? 0)} free
                </span>
                <span aria-hidden="true" className="hidden text-right @2xl:inline">
                  {cell.refused_24h ? `${count(cell.refused_24h)} refused` : ''}
                </span>
              </span>
            )}
          </span>
        )}
      </Target>
    </div>
  )
}

/** Two fields crossed: a row for each code of the first, a column for each of the second. */
function Matrix({ plan, cursor, section }: Props & { section: Section }) {
  const columns = section.columns!
  return (
    <div className="overflow-x-auto rounded-lg">
      <div className="min-w-max @3xl:min-w-0">
        {/* biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: headings take no focus */}
        <div role="row" className="flex py-1 text-meta text-muted">
          {/* biome-ignore lint/a11y/useFocusableInteractive: headings take no focus */}
          {/* biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through */}
          <span role="columnheader" className="sticky left-0 z-10 w-24 shrink-0 bg-surface px-2 @3xl:w-36">
            <span className="sr-only">{section.dimension.name}</span>
          </span>
          {columns.map((column) => (
            // biome-ignore lint/a11y/useFocusableInteractive: headings take no focus
            // biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through
            <span
              key={column}
              role="columnheader"
              title={column}
              className="w-28 min-w-0 shrink-0 truncate px-2 text-right @3xl:flex-1"
            >
              {column}
            </span>
          ))}
        </div>
        {section.lines.map(({ head, cells }) => (
          // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus
          // biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through
          <div key={head} role="row" className="flex items-stretch border-t border-line">
            {/* biome-ignore lint/a11y/useFocusableInteractive: headings take no focus */}
            {/* biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through */}
            <span
              role="rowheader"
              title={head}
              className="sticky left-0 z-10 w-24 shrink-0 truncate border-r border-line bg-surface px-2 py-1 @3xl:w-36 @3xl:border-r-0"
            >
              {head}
            </span>
            {cells.map((cell, at) =>
              cell ? (
                <Target key={cell.id} {...{ cell, plan, cursor }} className="w-28 shrink-0 scroll-ml-24 @3xl:flex-1">
                  {(editor) => (
                    <>
                      {editor || (
                        <span className="block text-right tabular-nums">
                          <span aria-hidden="true">
                            {count(cell.completes + (cell.held ?? 0))}
                            <span className="text-muted">/{count(cell.target)}</span>
                          </span>
                          <FigureDifference topic={`quota ${section.dimension.name} ${cell.name}`} value={cell.target} />
                        </span>
                      )}
                      <Bar {...{ cell, plan }} />
                      <span aria-hidden="true" className="mt-0.5 flex min-h-4 justify-end text-meta">
                        {state(cell, plan)}
                      </span>
                    </>
                  )}
                </Target>
              ) : (
                // biome-ignore lint/a11y/useFocusableInteractive: there is no cell here
                // biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through
                <span key={columns[at]} role="gridcell" className="w-28 shrink-0 px-2 text-right text-faint @3xl:flex-1">
                  –
                </span>
              ),
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

/** The cells of a plan, by dimension; arrows move through all of them. */
export function QuotaGrid({ plan, cursor, sections }: Props & { sections: readonly Section[] }) {
  return (
    <div ref={cursor.whole} className="mt-2 space-y-4">
      {/* biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through */}
      <div role="grid" aria-label="Total" className="rounded-lg border border-line">
        <CellLine {...{ plan, cursor }} cell={plan.all} topic="total" />
      </div>
      {sections.map((section) => {
        const { dimension } = section
        const short = dimension.deff && dimension.deff > 1 && plan.state === 'ended'
        return (
          <section key={dimension.id} aria-labelledby={`dimension-${dimension.id}`}>
            <div className="flex flex-wrap items-baseline gap-x-3">
              <h2 id={`dimension-${dimension.id}`} className="font-medium">
                <bdi>{dimension.name}</bdi>
              </h2>
              {short && (
                <span className="text-meta text-muted">
                  Weighted, its completes work like {count(Math.round(dimension.effective ?? 0))} (design effect {dimension.deff}
                  ).
                </span>
              )}
            </div>
            {/* biome-ignore lint/a11y/useSemanticElements: a grid of cells that arrows move through */}
            <div role="grid" aria-label={dimension.name} className="mt-1 rounded-lg border border-line">
              {section.columns ? (
                <Matrix {...{ plan, cursor, section }} />
              ) : (
                dimension.cells.map((cell) => (
                  <CellLine key={cell.id} {...{ cell, plan, cursor }} topic={`${dimension.name} ${cell.name}`} />
                ))
              )}
            </div>
          </section>
        )
      })}
    </div>
  )
}
