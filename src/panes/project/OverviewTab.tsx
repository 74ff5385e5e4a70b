import { useMemo, useRef } from 'react'
import { stripBidi } from '../../../contract/bidi.ts'
import { count } from '../../../contract/format.ts'
import { SELECTABLE } from '../../../contract/status.ts'
import { registerOverview } from '../../commands/overviewController.ts'
import { useShared } from '../../compare/shared.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { start } from '../../runner/lazyRunner.ts'
import { Chip } from '../../ui/Chip.tsx'
import { axisFor } from '../../ui/charts/trendDays.ts'
import { loadable } from '../../ui/loadable.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useTables } from '../../workspace/chartTables.ts'
import { useFailed, useShowsDays } from '../../workspace/compareRole.ts'
import { usePane } from '../../workspace/pane.tsx'
import { useController } from '../../workspace/useController.ts'
import { type ProjectRow, projectSubject } from '../shared/projectSubject.ts'
import { filterInput } from './demographicFilters.ts'
import { FilterBar } from './FilterBar.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { isEmpty, type Published, scalesOf, trendOf } from './overviewFigures.ts'
import type { Project } from './ProjectHead.tsx'
import { FunnelDialog, WidgetGrid } from './WidgetGrid.tsx'
import { useWidgets, WIDGETS } from './widgets.ts'

/** Only a failure needs it. */
const OverviewParts = loadable(() => import('./OverviewParts.tsx').then((module) => module.OverviewParts))

/** Administrators have a tab for it. */
const QuotaProgress = loadable<{ id: number }>(() => import('./quotas/QuotaProgress.tsx').then((module) => module.QuotaProgress))

/** A project, or the row of its list until it has loaded. */
export type OverviewProject = ProjectRow & Partial<Pick<Project, 'surveys' | 'children'>>

/**
 * The Overview (projects-area 2): all figures come from counters, filtered by the pane's link.
 * The key figures are the project's own, as its list shows them, until the others have loaded.
 * In a comparison it shares scales and crosshair, and shows differences from the first column.
 */
export function OverviewTab({ project }: { project: OverviewProject }) {
  const { query, setQuery, active } = usePane()
  useController(registerOverview, {
    project: project.id,
    active: () => active,
    showFunnel: () => setQuery({ funnel: '1' }),
  })
  const hasTab = useMay('quota.open')
  const filters = filterInput(query)
  const answer = useCall('runtime.overview', { id: project.id, ...filters })
  const figures = answer.data?.data
  const filtered = Object.keys(filters).length > 0
  const others = useRef(false)
  // A filter may leave out those who have it, so it stays offered.
  others.current ||= figures?.ethnicity.some(({ value, count }) => value === 'other' && count > 0) ?? false
  const otherEthnicity = others.current
  const trend = useMemo(() => trendOf(figures, filtered), [figures, filtered])
  const goal = filtered ? null : (figures?.summary.ordered ?? null)
  const compared = useCompared({ figures, trend, goal }, JSON.stringify(filters), answer.stale)
  const { part, all, base, baseName } = compared
  const axis = query.axis === 'day' || query.axis === 'date' ? query.axis : axisFor(all.map((one) => one.trend))
  const scales = useMemo(() => scalesOf(all, axis), [all, axis])
  const against = useMemo(() => (base ? { figures: base.figures, trend: base.trend, name: baseName } : null), [base, baseName])
  const linked = part?.is === 'baseline' || part?.is === 'compared'
  useShowsDays(linked, axis === 'day')
  useFailed(answer.error !== undefined && !figures)
  // Compared figures share their scales, so they fail together.
  if (answer.error && !figures && linked) return <AnswerError what="The figures" error={answer.error} retry={answer.retry} />
  return (
    <div className="@container px-4 pt-3 pb-6" aria-busy={answer.stale || undefined}>
      <Toolbar {...{ project, otherEthnicity }} compared={part !== null} days={axis === 'day'} />
      <KeyFigures
        summary={figures?.summary ?? project}
        against={against && { summary: against.figures.summary, name: against.name }}
      />
      {!hasTab && <QuotaProgress id={project.id} />}
      {project.surveys?.length === 0 && project.children?.length === 0 && (
        <p className="mt-2 text-muted">This project has no survey yet, so it can’t receive responses.</p>
      )}
      {query.funnel === '1' && <FunnelDialog project={project} answer={answer} />}
      {filtered && figures && (
        <p className="mt-2 text-meta text-muted" aria-live="polite" aria-atomic="true">
          {linked && `${stripBidi(project.name)}: `}
          {count(figures.total)} completes match the filters.
          {part?.is !== 'compared' &&
            ' Pacing, delivered and ordered cover the whole project. The trend has no plan while filtered.'}
        </p>
      )}
      {answer.error && !figures ? (
        <OverviewParts
          survey={project.surveys?.[0]?.id ?? null}
          filters={filters}
          axis={axis}
          goal={filtered ? null : project.ordered}
          all={{ error: answer.error, retry: answer.retry }}
        />
      ) : figures && !linked && isEmpty(figures) ? (
        <p className="mt-6 text-muted">
          {filtered
            ? 'No completes match these filters.'
            : 'No responses yet. Trend, audience, map and funnel appear with the first one.'}
        </p>
      ) : (
        <WidgetGrid
          figures={figures}
          trend={trend}
          goal={goal}
          loading={answer.loading}
          axis={axis}
          linked={linked}
          of={linked ? stripBidi(project.name) : null}
          scales={scales}
          against={against}
        />
      )}
    </div>
  )
}

/** Shares figures between compared Overviews; no differences while their filters differ or are loading. */
function useCompared(
  { figures, trend, goal }: Partial<Published> & Pick<Published, 'trend' | 'goal'>,
  filters: string,
  stale: boolean,
) {
  const of = stale ? 'another' : filters
  const published = useMemo(() => (figures ? { figures, trend, goal, of } : undefined), [figures, trend, goal, of])
  const shared = useShared<Published>('overview', published)
  return useMemo(
    () => (shared.base && (stale || shared.base.of !== filters) ? { ...shared, base: null } : shared),
    [shared, stale, filters],
  )
}

/** Filters and controls of the tab; in a comparison, only controls that all columns share. */
function Toolbar({
  project,
  compared,
  days,
  otherEthnicity,
}: {
  project: OverviewProject
  compared: boolean
  days: boolean
  otherEthnicity: boolean
}) {
  const asTable = useTables()
  const { shows, toggle } = useWidgets()
  const setsStatus = useMay('project.force')
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
      <FilterBar generation={project.generation} otherEthnicity={otherEthnicity} />
      <span className="ml-auto flex flex-wrap items-center gap-1.5 narrow:ml-0">
        {setsStatus && !compared && (
          <Menu
            label="Project status"
            trigger={<Chip label="Status" value={project.status_shown} />}
            items={SELECTABLE.map((status) => ({
              id: status.value,
              label: status.label,
              checked: status.value === project.stored_status,
              one: true,
              onSelect: () =>
                start('project.setStatus', {
                  subjects: [projectSubject(project)],
                  answers: { status: status.value },
                  via: 'button',
                }),
            }))}
          />
        )}
        <Menu
          label="Widgets"
          trigger={<Chip label="Widgets" value={`${WIDGETS.filter((one) => shows(one.id)).length} of ${WIDGETS.length}`} />}
          items={WIDGETS.map((one) => ({
            id: one.id,
            label: one.title,
            checked: shows(one.id),
            stays: true,
            onSelect: () => toggle(one.id),
          }))}
        />
        {compared && (
          <CommandButton id="compare.days" plain className="@max-md:hidden">
            {days ? 'By date' : 'By day'}
          </CommandButton>
        )}
        {compared && <CommandButton id="compare.days" only="icon" className="@md:hidden" />}
        <CommandButton id="charts.tables" plain={compared} className={compared ? '@max-md:hidden' : undefined}>
          {asTable ? 'Show charts' : 'Show tables'}
        </CommandButton>
        {compared && <CommandButton id="charts.tables" only="icon" className="@md:hidden" />}
      </span>
    </div>
  )
}
