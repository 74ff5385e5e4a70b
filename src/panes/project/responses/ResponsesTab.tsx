import { useCallback, useMemo, useRef, useState } from 'react'
import type { Subject } from '../../../commands/subject.ts'
import { useShared } from '../../../compare/shared.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { useTables } from '../../../workspace/chartTables.ts'
import { useFailed } from '../../../workspace/compareRole.ts'
import { usePane } from '../../../workspace/pane.tsx'
import type { Project } from '../ProjectHead.tsx'
import { roundTop } from './bars.ts'
import { type Bases, type Chart, lineUp, type Question, questionsOf } from './chart.ts'
import { FilterChips } from './FilterChips.tsx'
import { sourceOf, useQuestions } from './figureSource.ts'
import { Outline } from './Outline.tsx'
import { QuestionSection } from './QuestionSection.tsx'
import { baseLine, type ResponsesView, responsesInput, viewOf, WITHOUT_FILTERS } from './responsesView.ts'
import { useResponsesController } from './useResponsesController.ts'

/** What a tab publishes to those beside it: its questions, and the figures loaded so far. */
interface Published {
  /** The filters as text; only figures under the same filters are compared. */
  of: string
  questions: readonly Question[]
  charts: ReadonlyMap<string, Chart>
}

/**
 * User Responses of both generations: one chart per question, filtered by the pane's link (screens-projects.md).
 * In a comparison, charts line up by question, share a scale, and show differences from the first column.
 */
export function ResponsesTab({ project, subject }: { project: Project; subject: Subject }) {
  const { query, setQuery } = usePane()
  const view = useView(query, project.generation)
  const filters = JSON.stringify(responsesInput(query))
  const source = useMemo(() => sourceOf(project, view.survey, JSON.parse(filters)), [project, view.survey, filters])
  const sourceKey = JSON.stringify(source)
  const surveyed = project.surveys.length > 0 || project.children.length > 0
  const listed = useQuestions(surveyed ? source : null)
  const all = useMemo(() => questionsOf(listed.data?.data ?? []), [listed.data])
  const own = useMemo(
    () => (view.profile ? all : all.filter(({ question_type }) => question_type === 'survey')),
    [all, view.profile],
  )
  const bases = listed.data?.base

  const [loaded, setLoaded] = useState<ReadonlyMap<string, { chart: Chart; of: string }>>(new Map())
  const onChart = useCallback(
    (id: string, chart: Chart) =>
      setLoaded((before) => (before.get(id)?.chart === chart ? before : new Map(before).set(id, { chart, of: sourceKey }))),
    [sourceKey],
  )
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const onHidden = useCallback(
    (id: string, now: boolean) =>
      setHidden((before) => {
        if (before.has(id) === now) return before
        const next = new Set(before)
        if (now) next.add(id)
        else next.delete(id)
        return next
      }),
    [],
  )

  const published = useMemo((): Published | undefined => {
    if (!listed.data || listed.stale) return undefined
    const charts = own.flatMap((question) => {
      const known = loaded.get(question.id)
      return known?.of === sourceKey ? [[question.same, known.chart] as const] : []
    })
    return { of: filters, questions: own, charts: new Map(charts) }
  }, [listed.data, listed.stale, own, loaded, sourceKey, filters])
  const shared = useShared<Published>('responses', published)
  const { part, baseName } = shared
  const base = shared.base?.of === filters ? shared.base : null
  const linked = part?.is === 'baseline' || part?.is === 'compared'
  useFailed(listed.error !== undefined && !listed.data)
  const isFirst = part?.is === 'baseline'
  const lines = useMemo(() => {
    const others = isFirst ? shared.all.flatMap(({ questions }) => questions) : []
    return lineUp(own, base?.questions ?? null, others)
  }, [own, base?.questions, isFirst, shared.all])
  const shown = useMemo(
    () => lines.flatMap(({ question, gap }) => (gap || hidden.has(question.id) ? [] : [question])),
    [lines, hidden],
  )

  const root = useRef<HTMLDivElement>(null)
  const { register, current, setCurrent, goToFound, closeCrosstab } = useResponsesController({
    ...{ root, project, view, source, filters },
    ...{ questions: shown, all: own, bases },
  })
  const countTop = (question: Question): number | null => {
    if (!linked || view.unit !== 'count') return null
    return roundTop(
      Math.max(0, ...shared.all.flatMap(({ charts }) => charts.get(question.same)?.rows.map(({ value }) => value) ?? [])),
    )
  }

  if (!surveyed) return <EmptyState action={<CommandButton id="survey.create" />}>This project has no survey yet.</EmptyState>
  if (!listed.data) return <AnswerState answer={listed} what="The questions" rows={8} className="p-4" />
  const extra = all.length - all.filter(({ question_type }) => question_type === 'survey').length
  const empty = emptyWords(bases!, own)
  const none = view.search !== '' && shown.length === 0
  return (
    <div ref={root} className="@container flex min-h-0 flex-1 flex-col" aria-busy={listed.stale || undefined}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 pt-3 pb-2">
        <div className="min-w-0 flex-1 basis-[calc(100%-17.5rem)] @max-4xl:basis-full">
          <FilterChips bases={bases} split={view.split} generation={project.generation} survey={project.surveys[0]?.id} />
        </div>
        <SearchInput
          value={view.search}
          onChange={(search) => setQuery({ search: search || null })}
          onEnter={goToFound}
          label="Find a question or answer"
          placeholder="Question or answer"
          kbd="/"
          className="w-64 max-w-full @max-4xl:order-2 @max-4xl:w-auto @max-4xl:flex-1"
        />
        <Counted project={project} view={view} bases={bases!} extra={extra} />
        <ViewButtons view={view} linked={linked} />
      </div>
      {empty ? (
        <EmptyState action={empty === NO_MATCH ? <Clear /> : undefined}>{empty}</EmptyState>
      ) : none ? (
        <EmptyState
          action={
            <Button data-view="" onClick={() => setQuery({ search: null })}>
              Clear search
            </Button>
          }
        >
          No question or answer contains “{view.search}”.
        </EmptyState>
      ) : null}
      <div className={empty ? 'hidden' : 'flex min-h-0 flex-1 items-start'}>
        {!linked && <Outline questions={shown} loaded={loaded} current={current} onChoose={(id) => setCurrent(id, 'focus')} />}
        <div className="min-w-0 max-w-240 flex-1 @5xl:border-l @5xl:border-line" data-questions="">
          {lines.map(({ question, gap }) =>
            gap ? (
              <NotAsked key={`gap ${question.id}`} question={question} name={subject.name} />
            ) : (
              <QuestionSection
                key={question.id}
                question={question}
                source={source}
                generation={project.generation}
                split={view.split}
                unit={view.unit}
                sort={view.sort}
                search={view.search}
                by={view.question === question.id ? view.by : null}
                current={current === question.id}
                linked={linked}
                against={againstOf(question, base, baseName)}
                countTop={countTop(question)}
                onChart={onChart}
                onHidden={onHidden}
                onCloseCrosstab={closeCrosstab}
                onFocus={setCurrent}
                register={register}
              />
            ),
          )}
        </div>
      </div>
    </div>
  )
}

/** Returns the view in the pane's link; the same object until a value changes. */
function useView(query: Readonly<Record<string, string>>, generation: string): ResponsesView {
  const text = JSON.stringify(viewOf(query, generation))
  return useMemo(() => JSON.parse(text) as ResponsesView, [text])
}

const known = new WeakMap<Published, Map<string, { chart: Chart | null; name: string; asked: boolean }>>()
/** Returns the first column's data of a question; the same object while its figures are unchanged. */
function againstOf(question: Question, base: Published | null, name: string) {
  if (!base) return null
  const sides = known.get(base) ?? new Map<string, { chart: Chart | null; name: string; asked: boolean }>()
  known.set(base, sides)
  const side = sides.get(question.same) ?? {
    chart: base.charts.get(question.same) ?? null,
    asked: base.questions.some(({ same }) => same === question.same),
    name,
  }
  sides.set(question.same, side)
  return side
}

const NO_MATCH = 'No completes match these filters.'

/** Explains why there are no charts, or null. */
function emptyWords({ completes, base }: Bases, questions: readonly Question[]): string | null {
  if (completes === 0) return 'No completes yet. Charts appear with the first one.'
  if (base === 0) return NO_MATCH
  return questions.length ? null : 'This survey has no questions yet.'
}

/** Shows how many respondents are counted, and the number of questions. */
function Counted({
  project,
  view,
  bases,
  extra,
}: {
  project: Project
  view: ResponsesView
  bases: Bases
  /** The number of profile and reward questions. */
  extra: number
}) {
  const { query, setQuery } = usePane()
  const survey = project.surveys.find(({ id }) => id === view.survey)
  return (
    <div className="flex min-h-7 min-w-0 flex-1 basis-80 flex-wrap items-center gap-x-3 gap-y-1.5 @max-4xl:order-1 @max-4xl:basis-full">
      <p className="text-meta text-muted tabular-nums" aria-live="polite" aria-atomic="true" data-base="">
        {baseLine(bases, query)}
      </p>
      {project.surveys.length > 1 && (
        <Menu
          label="Survey"
          align="start"
          trigger={<Chip label="Survey" value={survey?.name ?? 'all'} on={survey !== undefined} />}
          items={[{ id: 0, name: 'All surveys' }, ...project.surveys].map(({ id, name }) => ({
            id: String(id),
            label: name,
            checked: (view.survey ?? 0) === id,
            one: true,
            onSelect: () => setQuery({ survey: id || null, q: null, by: null }),
          }))}
        />
      )}
      {extra > 0 && (
        <Switch checked={view.profile} onChange={(profile) => setQuery({ profile: profile || null })}>
          <span className="text-meta text-muted">Also profile questions</span>
        </Switch>
      )}
    </div>
  )
}

/** View controls; icons only where labels don't fit. */
function ViewButtons({ view, linked }: { view: ResponsesView; linked: boolean }) {
  const asTable = useTables()
  return (
    <div className="flex items-center gap-1.5 @max-4xl:order-3">
      <span className="flex items-center gap-1.5 @max-4xl:hidden">
        <CommandButton id="responses.split" plain>
          {view.split === 'none' ? 'Split bars…' : view.split === 'age' ? 'By age' : 'By gender'}
        </CommandButton>
        <CommandButton id="responses.unit" plain>
          {view.unit === 'share' ? 'Share' : 'Count'}
        </CommandButton>
        <CommandButton id="responses.sort" plain>
          {view.sort === 'asked' ? 'As asked' : 'Largest first'}
        </CommandButton>
        {!linked && (
          <CommandButton id="charts.tables" plain>
            {asTable ? 'Charts' : 'Tables'}
          </CommandButton>
        )}
        {!linked && <CommandButton id="responses.export">Export</CommandButton>}
      </span>
      <span className="flex items-center gap-1 @4xl:hidden">
        <CommandButton id="responses.split" only="icon" />
        <CommandButton id="responses.unit" only="icon" />
        <CommandButton id="responses.sort" only="icon" />
        <CommandButton id="charts.tables" only="icon" />
        <CommandButton id="responses.export" only="icon" />
      </span>
    </div>
  )
}

function Clear() {
  const { setQuery } = usePane()
  return (
    <Button data-view="" onClick={() => setQuery({ ...WITHOUT_FILTERS, gender: null })}>
      Clear
    </Button>
  )
}

/** A question that only another compared project asks. */
const NotAsked = ({ question, name }: { question: Question; name: string }) => (
  <div data-anchor={question.same} data-not-asked="" className="border-b border-line px-4 py-4 text-meta text-faint">
    <span className="font-mono">{question.code}</span> <span dir="auto">{question.title}</span>
    <p>Not asked in {name}</p>
  </div>
)
