import { useAtomValue } from 'jotai'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { SELECTABLE } from '../../../contract/status.ts'
import { CommandButton } from '../../commands/CommandButton.tsx'
import { configAtom, currentMe } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { AreaTrend } from '../../ui/charts/AreaTrend.tsx'
import { Bars } from '../../ui/charts/Bars.tsx'
import { Donut } from '../../ui/charts/Donut.tsx'
import { Funnel } from '../../ui/charts/Funnel.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { useTables } from '../../workspace/charts.ts'
import { count } from '../../workspace/format.ts'
import { usePane } from '../../workspace/pane.tsx'
import { start } from '../../workspace/runner/start.ts'
import { FilterBar } from './FilterBar.tsx'
import { filterInput } from './filters.ts'
import type { Project } from './ProjectHead.tsx'
import { paceTone, projectSubject } from './subject.ts'
import { useWidgets, WIDGETS, type WidgetId } from './widgets.ts'

const PointMap = lazy(() => import('../../ui/charts/PointMap.tsx'))
const FUNNEL_HEIGHT = 450
/** A ring's name stands beside it, so nothing stands under it. */
const BESIDE = ''
/** Large enough for the figure in the middle, small enough for three in half a column. */
const RING = 84

type Figures = Output<'runtime.overview'>['data']
const bars = (slices: Figures['age'] | undefined) =>
  (slices ?? []).map((slice) => ({ label: slice.label, value: slice.count, percent: Math.round(slice.percent) }))

const STATES = {
  not_started: 'The field time has not begun',
  running: 'Against the plan to date',
  over: 'The field time is over',
  no_dates: 'No dates to measure against',
} as const

/** The Overview (projects-area 2): pacing, trend, who answered, where, and what became of the entrants; every figure from the counters, filtered by the pane's link. */
export function OverviewTab({ project }: { project: Project }) {
  const { query } = usePane()
  const config = useAtomValue(configAtom)
  const asTable = useTables()
  const { shows, toggle } = useWidgets()
  const answer = useCall('runtime.overview', { id: project.id, ...filterInput(query) })
  const figures = answer.data?.data
  const admin = currentMe().role === 'admin'
  const filtered = Object.keys(filterInput(query)).length > 0
  if (answer.error && !figures) {
    return (
      <ErrorState
        title="The figures could not be loaded"
        action={<Button onClick={answer.retry}>Try again</Button>}
        {...(answer.error.requestId ? { detail: answer.error.requestId } : {})}
      >
        {answer.error.message}
      </ErrorState>
    )
  }
  const { summary } = figures ?? {}
  const widget = (id: WidgetId, children: ReactNode, aside?: ReactNode, wide = false) =>
    shows(id) && (
      <Section title={WIDGETS.find((one) => one.id === id)!.title} aside={aside} wide={wide}>
        {children}
      </Section>
    )
  return (
    <div className="@container px-4 pt-3 pb-6" aria-busy={answer.stale || undefined}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <FilterBar />
        <span className="ml-auto flex flex-wrap items-center gap-1.5">
          {admin && (
            <Menu
              label="Project status"
              trigger={<Chip label="Status" value={project.status_shown} />}
              items={SELECTABLE.map((status) => ({
                id: status.value,
                label: status.label,
                checked: status.value === project.stored_status,
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
          <CommandButton id="charts.tables">{asTable ? 'Show charts' : 'Show tables'}</CommandButton>
        </span>
      </div>

      <div className="mt-3 grid grid-cols-3 divide-x divide-line rounded-lg border border-line">
        <Key title="Pacing" detail={summary ? STATES[summary.pacing_state] : ''}>
          <Donut
            caption={BESIDE}
            size={RING}
            className="shrink-0"
            label="Pacing"
            share={summary ? summary.pacing / 100 : null}
            figure={summary ? `${summary.pacing}%` : ''}
            tone={summary ? paceTone(summary.pacing_color) : 'grey'}
            loading={answer.loading}
          />
        </Key>
        <Key title="Delivered" detail={summary ? `${count(Math.round(summary.expected))} expected by now` : ''}>
          <Donut
            caption={BESIDE}
            size={RING}
            className="shrink-0"
            label="Delivered"
            share={summary?.ordered ? summary.delivered / summary.ordered : null}
            figure={summary ? count(summary.delivered) : ''}
            loading={answer.loading}
          />
        </Key>
        <Key title="Ordered" detail={summary ? `${count(Math.max(0, summary.ordered - summary.delivered))} to go` : ''}>
          <Donut
            caption={BESIDE}
            size={RING}
            className="shrink-0"
            label="Ordered"
            share={summary?.ordered ? Math.max(0, 1 - summary.delivered / summary.ordered) : null}
            figure={summary ? count(summary.ordered) : ''}
            tone="grey"
            loading={answer.loading}
          />
        </Key>
      </div>
      {project.surveys.length === 0 && project.children.length === 0 && (
        <p className="mt-2 text-muted">This project has no survey yet: no responses can arrive before it has one.</p>
      )}
      {filtered && figures && (
        <p className="mt-2 text-meta text-muted" aria-live="polite">
          {count(figures.total)} completes pass the filters. Pacing, delivered and ordered are of the whole project.
        </p>
      )}

      <div className="mt-1 grid grid-cols-1 gap-x-7 @2xl:grid-cols-2">
        {widget(
          'trend',
          <AreaTrend
            label="Delivery trend"
            points={(figures?.delivery_trend ?? []).map((day) => ({ date: day.date, value: day.cumulative, plan: day.expected }))}
            loading={answer.loading}
            asTable={asTable}
            syncKey="delivery"
          />,
          'cumulative completes',
          true,
        )}
        {widget('age', <Bars label="Age" bars={bars(figures?.age)} loading={answer.loading} asTable={asTable} />)}
        {widget('gender', <Bars label="Gender" bars={bars(figures?.gender)} loading={answer.loading} asTable={asTable} />)}
        {widget('hhi', <Bars label="Household income" bars={bars(figures?.hhi)} loading={answer.loading} asTable={asTable} />)}
        {widget(
          'ethnicity',
          <Bars label="Ethnicity" bars={bars(figures?.ethnicity)} loading={answer.loading} asTable={asTable} />,
        )}
        {widget(
          'marital_status',
          <Bars label="Marital status" bars={bars(figures?.marital_status)} loading={answer.loading} asTable={asTable} />,
        )}
        {widget(
          'children',
          <Bars label="Presence of children" bars={bars(figures?.children)} loading={answer.loading} asTable={asTable} />,
        )}
        {widget('brand_lift', <p className="text-muted">There is no brand lift until a survey maps it.</p>)}
        {widget(
          'map',
          <Suspense fallback={<div className="h-80" />}>
            <PointMap
              label="Completes by place"
              points={(figures?.geoaddress ?? []).map((point) => ({
                lat: point.latitude,
                lng: point.longitude,
                weight: point.count,
              }))}
              zoom={4}
              loading={answer.loading}
              asTable={asTable}
              {...(config?.map_style_url ? { styleUrl: config.map_style_url } : {})}
            />
          </Suspense>,
          'to a tenth of a degree',
          true,
        )}
        {widget(
          'funnel',
          <Funnel
            label="Performance funnel"
            height={FUNNEL_HEIGHT}
            steps={figures ? funnelSteps(figures.funnel) : []}
            loading={answer.loading}
            asTable={asTable}
          />,
          figures ? `${count(figures.funnel.entrants)} entrants` : '',
          true,
        )}
      </div>
    </div>
  )
}

/** Top to bottom with the loss at each step; the losses are disjoint and add up to the entrants (decisions.md 9). */
function funnelSteps({ entrants, terminates_value, overquota_value, completes_value }: Figures['funnel']) {
  return [
    { label: 'Entrants', value: entrants },
    { label: 'Qualified', value: entrants - terminates_value, lost: 'terminates', tone: 'grey' as const },
    { label: 'Within quota', value: entrants - terminates_value - overquota_value, lost: 'overquota', tone: 'amber' as const },
    { label: 'Completes', value: completes_value, lost: 'partials', tone: 'green' as const },
  ]
}

function Section({ title, aside, wide, children }: { title: string; aside?: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <section aria-label={title} className={wide ? 'pt-4 @2xl:col-span-2' : 'pt-4'}>
      <h2 className="mb-2 flex items-baseline justify-between gap-3 text-meta font-medium text-muted">
        {title}
        {aside && <span className="font-normal text-faint tabular-nums">{aside}</span>}
      </h2>
      {children}
    </section>
  )
}

function Key({ title, detail, children }: { title: string; detail: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-1 px-1 py-3 text-center @md:flex-row @md:gap-3 @md:px-3 @md:text-left @2xl:gap-4 @2xl:px-4">
      {children}
      <div className="min-w-0">
        <div className="font-medium">{title}</div>
        <div className="text-meta text-balance text-muted">{detail}</div>
      </div>
    </div>
  )
}
