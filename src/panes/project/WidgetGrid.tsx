import { useAtomValue } from 'jotai'
import { type ComponentProps, memo, type ReactNode, useMemo } from 'react'
import { stripBidi } from '../../../contract/bidi.ts'
import type { Output } from '../../../contract/calls.ts'
import { count, percent } from '../../../contract/format.ts'
import { leftOpenNote } from '../../../contract/interview.ts'
import { civilToday } from '../../../contract/pacing.ts'
import { projectFields } from '../../../contract/projectFields.ts'
import { useCrosshair, useSharedView } from '../../compare/shared.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import type { ApiError } from '../../data/api.ts'
import { serverTime } from '../../data/serverClock.ts'
import { configAtom } from '../../data/session.ts'
import type { Answer } from '../../data/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { AreaTrend } from '../../ui/charts/AreaTrend.tsx'
import { Bars } from '../../ui/charts/Bars.tsx'
import { Funnel } from '../../ui/charts/Funnel.tsx'
import type { TrendAxis, TrendPoint } from '../../ui/charts/trendDays.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { loadable } from '../../ui/loadable.tsx'
import { useTables } from '../../workspace/chartTables.ts'
import { usePane } from '../../workspace/pane.tsx'
import { BAR_WIDGETS, type BarWidget, barsOf, type Figures, funnelSteps, type Scales } from './overviewFigures.ts'
import { useWidgets, WIDGETS, type WidgetId } from './widgets.ts'

const PointMap = loadable(
  () => import('../../ui/charts/PointMap.tsx').then((module) => module.PointMap),
  <div className="h-80" />,
)
const FUNNEL_HEIGHT = 450

interface Failed {
  error: ApiError
  retry(): void
}

interface Props {
  figures: { readonly [K in keyof Figures]?: Figures[K] | undefined } | undefined
  /** The parts that couldn't be loaded. */
  failed?: Partial<Record<WidgetId, Failed>>
  trend: readonly TrendPoint[]
  /** The total order; null under a filter, which plan and goal don't account for. */
  goal: number | null
  loading: boolean
  axis: TrendAxis
  /** True in a comparison, with one crosshair and one map view. */
  linked: boolean
  /** The shared scales; null outside a comparison. */
  scales: Scales | null
  /** Names the record in landmarks; null outside a comparison. */
  of: string | null
  /** The first column's figures and its record's name. */
  against: { figures: Figures; trend: readonly TrendPoint[]; name: string } | null
}

/** The Overview's charts, without hidden ones; memoized, as the project comes apart from its figures. */
export const WidgetGrid = memo(function WidgetGrid(props: Props) {
  const { figures, failed = {}, loading, linked, against, of } = props
  const { shows } = useWidgets()
  return (
    <div className="mt-1 grid grid-cols-1 gap-x-7 @2xl:grid-cols-2">
      {WIDGETS.filter(({ id }) => shows(id)).map(({ id, title }) =>
        failed[id] ? (
          <Section key={id} id={id} title={title} of={of} wide={WIDE.includes(id)}>
            <p className="flex items-center gap-3 text-muted" title={failed[id].error.message}>
              This couldn’t be loaded.
              <Button data-view="" aria-label={`Try again: ${title}`} onClick={failed[id].retry}>
                Try again
              </Button>
            </p>
          </Section>
        ) : isBars(id) ? (
          <Section key={id} id={id} title={title} of={of} aside={against ? 'share, pts to first' : undefined}>
            <LinkedBars {...props} widget={id} label={title} />
          </Section>
        ) : id === 'trend' ? (
          <Section
            key={id}
            id={id}
            title={title}
            of={of}
            aside={
              against ? (
                <AgainstLine name={against.name} />
              ) : props.goal === null && figures ? (
                'cumulative completes matching the filters'
              ) : (
                'cumulative completes'
              )
            }
            wide
          >
            <LinkedTrend {...props} />
          </Section>
        ) : id === 'map' ? (
          <Section key={id} id={id} title={title} of={of} aside="rounded to 0.1°" wide>
            <LinkedMap figures={figures} loading={loading} linked={linked} of={of} />
          </Section>
        ) : id === 'funnel' ? (
          <Section
            key={id}
            id={id}
            title={title}
            of={of}
            aside={figures?.funnel ? `${count(figures.funnel.entrants)} entrants` : ''}
            wide
          >
            <LinkedFunnel {...props} />
          </Section>
        ) : (
          <Section key={id} id={id} title={title} of={of}>
            <p className="text-muted">Brand lift needs a survey that maps it.</p>
          </Section>
        ),
      )}
    </div>
  )
})

const WIDE: readonly WidgetId[] = ['trend', 'map', 'funnel']
const isBars = (id: WidgetId): id is BarWidget => (BAR_WIDGETS as readonly string[]).includes(id)

function LinkedBars({ figures, loading, linked, against, widget, label }: Props & { widget: BarWidget; label: string }) {
  const asTable = useTables()
  const hover = useHoverOf(widget, linked)
  const bars = useMemo(() => barsOf(figures?.[widget], against?.figures[widget]), [figures, against, widget])
  return <Bars label={label} bars={bars} loading={loading} asTable={asTable} to={against?.name} hover={hover} shares />
}

function LinkedTrend({ trend, goal, loading, axis, linked, scales, against }: Props) {
  const asTable = useTables()
  const [at, setAt] = useCrosshair<number>('trend')
  const today = civilToday(useAtomValue(configAtom).time_zone, serverTime())
  const base = useMemo(() => against && { points: against.trend, name: against.name }, [against])
  return (
    <AreaTrend
      label="Delivery trend"
      points={trend}
      goal={goal}
      today={today}
      axis={axis}
      loading={loading}
      asTable={asTable}
      against={base}
      {...(linked ? { at, onAt: setAt } : {})}
      {...(scales ? { max: scales.trendTop, span: scales.trendSpan } : {})}
    />
  )
}

function LinkedFunnel({
  figures,
  loading,
  linked,
  scales,
  against,
}: Pick<Props, 'figures' | 'loading' | 'linked' | 'scales' | 'against'>) {
  const asTable = useTables()
  const hover = useHoverOf('funnel', linked)
  const base = useMemo(() => against && { steps: funnelSteps(against.figures.funnel), name: against.name }, [against])
  return (
    <div className="grid gap-x-8 gap-y-4 @2xl:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]">
      <Funnel
        label="Performance funnel"
        height={FUNNEL_HEIGHT}
        steps={figures?.funnel ? funnelSteps(figures.funnel) : []}
        loading={loading}
        asTable={asTable}
        hover={hover}
        max={scales?.entrants}
        against={base ?? undefined}
      />
      {figures?.funnel && figures.funnel.entrants > 0 && <FieldRates funnel={figures.funnel} />}
    </div>
  )
}

/** The performance funnel in a dialog of its own, whatever widgets are shown (projects-area 2, Modals). */
export function FunnelDialog({
  project,
  answer: { data, error, loading, retry },
}: {
  project: { name: string }
  answer: Pick<Answer<Output<'runtime.overview'>>, 'data' | 'error' | 'loading' | 'retry'>
}) {
  const { setQuery } = usePane()
  const close = () => setQuery({ funnel: null })
  return (
    <Dialog
      open
      onClose={close}
      size="lg"
      title={`Performance funnel of ${stripBidi(project.name)}`}
      initialFocus="[data-answer=ok]"
      footer={
        <Button data-answer="ok" variant="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <div className="@container">
        {error && !data ? (
          <AnswerError what="The funnel" error={error} retry={retry} />
        ) : (
          <LinkedFunnel figures={data?.data} loading={loading} linked={false} scales={null} against={null} />
        )}
      </div>
    </Dialog>
  )
}

/** Incidence, length and drop-off, the first thing a fieldwork manager looks for, each with its definition. */
function FieldRates({ funnel: { incidence, loi_minutes, left_open, drop_off } }: { funnel: Figures['funnel'] }) {
  const rates = [
    { name: 'Incidence', value: incidence === null ? '–' : percent(incidence), about: 'share of screened people who qualified' },
    {
      name: projectFields.loi_minutes.label,
      value: loi_minutes === null ? '–' : `${count(loi_minutes)}\u00a0min`,
      about:
        loi_minutes === null
          ? 'shown without filters, for completes with a start time'
          : `median of completes with a start time${leftOpenNote(left_open)}`,
    },
    { name: 'Drop-off', value: drop_off === null ? '–' : percent(drop_off), about: 'started the interview but left it' },
  ]
  return (
    <dl aria-label="Rates" className="grid content-start gap-4 @max-2xl:order-first @lg:@max-2xl:grid-cols-3">
      {rates.map(({ name, value, about }) => (
        <div key={name}>
          <dt className="text-meta text-muted">{name}</dt>
          <dd>
            <span className="block text-figure tabular-nums">{value}</span>
            <span className="block text-meta text-balance text-faint">{about}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function LinkedMap({ figures, loading, linked, of }: Pick<Props, 'figures' | 'loading' | 'linked' | 'of'>) {
  const config = useAtomValue(configAtom)
  const asTable = useTables()
  const [view, show] = useSharedView()
  const points = useMemo(
    () => (figures?.geoaddress ?? []).map(({ latitude, longitude, count }) => ({ lat: latitude, lng: longitude, weight: count })),
    [figures],
  )
  const together: Partial<ComponentProps<typeof PointMap>> = linked ? { view, onView: show } : {}
  return (
    <PointMap
      label={of === null ? 'Completes by place' : `Completes by place: ${of}`}
      points={points}
      loading={loading}
      asTable={asTable}
      {...together}
      {...(config?.map_style_url ? { styleUrl: config.map_style_url } : {})}
    />
  )
}

/** Returns a chart's shared crosshair; none outside a comparison. */
function useHoverOf(topic: string, linked: boolean) {
  const [label, set] = useCrosshair<string>(topic)
  return useMemo(() => (linked ? { label, set } : undefined), [linked, label, set])
}

function AgainstLine({ name }: { name: string }) {
  return (
    <span className="flex h-4 min-w-0 items-center gap-1.5" title={`The thin line is ${name}`}>
      <span aria-hidden="true" className="h-px w-4 shrink-0 bg-muted" />
      <span dir="auto" className="truncate">
        {name}
      </span>
    </span>
  )
}

function Section({
  id,
  title,
  of,
  aside,
  wide,
  children,
}: {
  id: WidgetId
  title: string
  of: string | null
  aside?: ReactNode
  wide?: boolean
  children: ReactNode
}) {
  return (
    <section
      aria-label={of ? `${title}: ${of}` : title}
      data-anchor={id}
      className={wide ? 'min-w-0 pt-4 @2xl:col-span-2' : 'min-w-0 pt-4'}
    >
      <h2 className="mb-2 flex h-4 items-center justify-between gap-3 text-meta font-medium text-muted">
        <span className="shrink-0">{title}</span>
        {aside && <span className="min-w-0 truncate font-normal text-faint tabular-nums">{aside}</span>}
      </h2>
      {children}
    </section>
  )
}
