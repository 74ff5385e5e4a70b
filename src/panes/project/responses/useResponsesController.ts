import { useAtomValue } from 'jotai'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { count, percent } from '../../../../contract/format.ts'
import { codeOf } from '../../../../contract/nounOf.ts'
import { CROSSTAB_BY } from '../../../../contract/vocabulary.ts'
import { type ResponsesController, registerResponses } from '../../../commands/responsesController.ts'
import type { Option } from '../../../commands/subject.ts'
import { ApiError } from '../../../data/api.ts'
import { api } from '../../../data/apiClient.ts'
import { preferencesAtom, setPreferences } from '../../../data/preferences.ts'
import { workspace } from '../../../workspace/currentWorkspace.ts'
import { usePane } from '../../../workspace/pane.tsx'
import { browserMeasure, fileName, plainColour, pngOf, saveFile, svgOf, themeColours } from '../../shared/chartSvg.ts'
import { copySheet } from '../../shared/copySheet.ts'
import { chosenText, DEMOGRAPHICS, demographicsOf } from '../demographicFilters.ts'
import type { Project } from '../ProjectHead.tsx'
import { baseText, shareText } from './answerShares.ts'
import { inOrder, partsIn, segmentsOf } from './bars.ts'
import { type Bases, type Chart, isClosed, type Question, typeText } from './chart.ts'
import { pictureOf } from './chartPicture.ts'
import { sheetOf, sheetOfCrosstab } from './chartSheet.ts'
import { colourOf } from './colours.ts'
import type { FigureSource } from './figureSource.ts'
import { focusAnswers, type SectionHandle } from './QuestionSection.tsx'
import { baseLine, gendersOn, type ResponsesView, splitPatch } from './responsesView.ts'

interface Tab {
  root: RefObject<HTMLElement | null>
  project: Project
  view: ResponsesView
  source: FigureSource
  /** The questions shown, and all that exist. */
  questions: readonly Question[]
  all: readonly Question[]
  bases: Bases | undefined
}

const optionOf = ({ id, code, title }: Question): Option => ({ value: id, label: `${code} ${title}` })

/** Moves between a tab's questions and answers, and runs commands while the tab is in front. */
export function useResponsesController(tab: Tab) {
  const { active, visible, query, setQuery } = usePane()
  const [current, setCurrentId] = useState<string | null>(null)
  const handles = useRef(new Map<string, SectionHandle>())
  const latest = useRef({ ...tab, active, visible, query, setQuery, current })
  latest.current = { ...tab, active, visible, query, setQuery, current }
  const lastBy = useRef('gender')
  const { every_gender } = useAtomValue(preferencesAtom)
  const opened = useRef(false)
  // The link says it, so that another reader of the link sees the same figures.
  useEffect(() => {
    if (!opened.current && every_gender && !latest.current.query.gender) latest.current.setQuery({ gender: 'all' })
    opened.current = true
  }, [every_gender])

  const register = useCallback((id: string, handle: SectionHandle) => {
    handles.current.set(id, handle)
    return () => void handles.current.delete(id)
  }, [])
  const elementOf = useCallback(
    (id: string) => latest.current.root.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(id)}"]`) ?? null,
    [],
  )
  const setCurrent = useCallback(
    (id: string, how?: 'focus') => {
      const { view, setQuery, current } = latest.current
      if (id !== current) {
        setCurrentId(id)
        // An open crosstab stays on its question, or moving on would shift the page.
        if (!view.by) setQuery({ q: id })
      }
      if (how !== 'focus') return
      const element = elementOf(id)
      if (!element) return
      element.scrollIntoView({ block: 'nearest' })
      focusAnswers(element)
    },
    [elementOf],
  )
  const goToFound = useFirstFound(() => {
    for (const { id } of latest.current.questions) {
      const found = handles.current.get(id)?.found()
      if (found) setCurrent(id, 'focus')
      if (found !== false) return found === true
    }
    return false
  })
  const closeCrosstab = useCallback(() => latest.current.setQuery({ by: null }), [])

  // A link, the palette or Back names a question; scrolls to it once it is rendered.
  const scrolledTo = useRef<string | null>(null)
  const wanted = tab.view.question
  const there = wanted !== null && tab.questions.some(({ id }) => id === wanted)
  useEffect(() => {
    if (!wanted || !there || scrolledTo.current === wanted) return
    scrolledTo.current = wanted
    if (latest.current.current === wanted && document.activeElement?.closest('[data-question]')) return
    setCurrentId(wanted)
    const element = elementOf(wanted)
    const pane = element?.closest('[data-pane-scroller]')?.getBoundingClientRect()
    // A visible question stays where it is.
    if (element && pane && element.getBoundingClientRect().bottom > pane.bottom) scrollAndHold(element)
  }, [wanted, there, elementOf])
  useEffect(() => {
    if (current) scrolledTo.current = current
  }, [current])

  useEffect(
    () => registerResponses(controllerOf(latest, handles.current, { setCurrent, elementOf, lastBy })),
    [setCurrent, elementOf],
  )
  return { register, current, setCurrent, goToFound, closeCrosstab }
}

/** Returns a function that goes to the first match once it is known, unless a key or the pointer comes before. */
function useFirstFound(go: () => boolean): () => void {
  const waiting = useRef<AbortController | null>(null)
  const latest = useRef(go)
  latest.current = go
  const attempt = useCallback(() => {
    if (waiting.current && !waiting.current.signal.aborted && latest.current()) waiting.current.abort()
  }, [])
  // Charts, and so their answers, come with a later render.
  useEffect(attempt)
  useEffect(() => () => waiting.current?.abort(), [])
  return useCallback(() => {
    waiting.current?.abort()
    waiting.current = new AbortController()
    const { signal } = waiting.current
    for (const act of ['pointerdown', 'keydown'])
      addEventListener(act, () => waiting.current?.abort(), { signal, capture: true, passive: true })
    attempt()
  }, [attempt])
}

/** How long charts above a question may still load and push it away, in ms. */
const SETTLES = 1200

/** Scrolls to a question and holds it there while charts above it load, until the user scrolls or types. */
function scrollAndHold(element: HTMLElement): void {
  const until = performance.now() + SETTLES
  const userInput = new AbortController()
  for (const act of ['wheel', 'pointerdown', 'touchmove', 'keydown'])
    addEventListener(act, () => userInput.abort(), { signal: userInput.signal, capture: true, passive: true })
  const stay = () => {
    if (userInput.signal.aborted || !element.isConnected || performance.now() > until) return userInput.abort()
    element.scrollIntoView({ block: 'start' })
    requestAnimationFrame(stay)
  }
  stay()
}

type Latest = RefObject<
  Tab & { active: boolean; visible: boolean; current: string | null } & Pick<ReturnType<typeof usePane>, 'query' | 'setQuery'>
>
interface Moves {
  setCurrent(id: string, how?: 'focus'): void
  elementOf(id: string): HTMLElement | null
  lastBy: { current: string }
}

function controllerOf(
  latest: Latest,
  handles: ReadonlyMap<string, SectionHandle>,
  { setCurrent, elementOf, lastBy }: Moves,
): ResponsesController {
  const now = () => latest.current
  /** Returns the question commands act on: the current one, or the first in view. */
  const targetQuestion = (): Question | null => {
    const { questions, current, view } = now()
    const own =
      questions.find(({ id }) => id === (view.by ? view.question : current)) ?? questions.find(({ id }) => id === current)
    if (own) return own
    const pane = now().root.current?.closest('[data-pane-scroller]')?.getBoundingClientRect()
    return questions.find(({ id }) => (elementOf(id)?.getBoundingClientRect().bottom ?? 0) > (pane?.top ?? 0) + 160) ?? null
  }
  const step = (by: 1 | -1): Question | null => {
    const { questions, current } = now()
    const at = questions.findIndex(({ id }) => id === current)
    if (at < 0) return targetQuestion()
    return questions[at + by] ?? null
  }
  const chartOf = ({ id }: Question) => handles.get(id)?.chart() ?? null
  const drawnChart = (): { question: Question; chart: Chart } => {
    const question = targetQuestion()
    const chart = question && chartOf(question)
    if (!chart) throw new ApiError(0, 'loading', 'This chart is still loading.')
    return { question, chart }
  }
  const titleOf = ({ code, title }: Question) => `${code} ${title}`
  return {
    active: () => now().active && now().visible,
    questions: () => now().questions.map(optionOf),
    surveys: () => [
      { value: '0', label: 'All surveys' },
      ...now().project.surveys.map(({ id, name }) => ({ value: String(id), label: name })),
    ],
    crossable: () => {
      const own = targetQuestion()
      return [
        ...CROSSTAB_BY.map(({ value, label }) => ({ value, label })),
        ...now()
          .all.filter((question) => isClosed(question) && question.id !== own?.id)
          .map(optionOf),
      ]
    },
    get split() {
      return now().view.split
    },
    get unit() {
      return now().view.unit
    },
    get sort() {
      return now().view.sort
    },
    get profile() {
      return now().view.profile
    },
    current: () => targetQuestion()?.code ?? null,
    crossed: () => now().view.by !== null,
    goTo: (id) => setCurrent(id, 'focus'),
    move(by) {
      const next = step(by)
      if (next) setCurrent(next.id, 'focus')
    },
    end(which) {
      const next = now().questions.at(which === 'first' ? 0 : -1)
      if (next) setCurrent(next.id, 'focus')
    },
    moveAnswer(by) {
      const question = targetQuestion()
      const handle = question && handles.get(question.id)
      if (!question || !handle) return
      const labels = handle.labels()
      const at = labels.indexOf(handle.at() ?? '')
      setCurrent(question.id, 'focus')
      const next = at < 0 ? (by > 0 ? 0 : labels.length - 1) : Math.min(labels.length - 1, Math.max(0, at + by))
      handle.setAt(labels[next] ?? null)
    },
    find: () => now().root.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
    filter: () => now().root.current?.querySelector<HTMLElement>('[data-filters] button')?.focus(),
    showSurvey: (survey) => now().setQuery({ survey: Number(survey) || null, q: null, by: null }),
    setSplit: (by) => now().setQuery(splitPatch(by, now().project.generation)),
    toggle(what) {
      const { view, setQuery } = now()
      if (what === 'unit') setQuery({ unit: view.unit === 'share' ? 'count' : null })
      if (what === 'sort') setQuery({ sort: view.sort === 'asked' ? 'largest' : null })
      if (what === 'profile') setQuery({ profile: !view.profile })
    },
    switchOther() {
      const all = now().query.gender !== 'all'
      now().setQuery({ gender: all ? 'all' : null })
      void setPreferences({ every_gender: all }).catch((error: Error) => workspace.notice(error.message, 'bad'))
      return all
    },
    crosstab(by) {
      const question = targetQuestion()
      if (!question) return
      lastBy.current = by
      setCurrent(question.id, 'focus')
      now().setQuery({ q: question.id, by }, { push: true })
    },
    open() {
      const question = targetQuestion()
      if (!question) return
      if (!isClosed(question)) return elementOf(question.id)?.querySelector<HTMLInputElement>('input')?.focus()
      setCurrent(question.id, 'focus')
      now().setQuery({ q: question.id, by: now().view.by ?? lastBy.current }, { push: true })
    },
    close() {
      const { view, setQuery, current } = now()
      if (view.by) setQuery({ by: null })
      else if (view.search) setQuery({ search: null })
      else if (current) handles.get(current)?.setAt(null)
    },
    async exportAs(format) {
      const { source, questions } = now()
      const { by, input } = source
      const { surveyId, id, ...filters } = input as Record<string, string | number>
      const { data: job, message } = await api.write('export.start', {
        source: 'userResponses',
        filter: {
          ...(by === 'survey' ? { survey_id: surveyId } : { project_id: id }),
          ...filters,
          questions: questions.map(({ question_id }) => question_id),
        },
        format,
      })
      return { job: job.id, message }
    },
    async picture(format) {
      const { question, chart } = drawnChart()
      const picture = pictureOf(drawnOf(question, chart, now()), themeColours(), browserMeasure())
      const name = fileName(titleOf(question), format)
      saveFile(
        name,
        format === 'svg' ? new Blob([svgOf(picture, titleOf(question))], { type: 'image/svg+xml' }) : await pngOf(picture),
      )
      return name
    },
    async copy() {
      const { question, chart } = drawnChart()
      const { view, project } = now()
      const table = handles.get(question.id)?.crosstab()
      const sheet = table
        ? sheetOfCrosstab(titleOf(question), table, view.unit)
        : sheetOf(titleOf(question), chart, inOrder(chart.rows, view.sort), view.split, project.generation)
      return copySheet(sheet)
    },
  }
}

/** Converts a chart as displayed to what its picture needs. */
function drawnOf(question: Question, chart: Chart, tab: Latest['current']) {
  const { view, project, query, bases } = tab
  const bars = chart.figures
    ? chart.figures.bins.map((bin) => ({
        label: `${bin.from} to ${bin.to}`,
        value: bin.count,
        percent: bin.percent,
        gender: bin.gender,
        age: bin.age,
      }))
    : inOrder(chart.rows, view.sort)
  const top = view.unit === 'share' ? chart.answered : Math.max(1, ...bars.map(({ value }) => value))
  const colour = (key: string) => plainColour(colourOf(view.split, key))
  return {
    title: `${question.code} ${question.title}`,
    about: `${typeText({ ...question, several: chart.several })} · ${baseText(chart.answered, chart.skipped)}`,
    foot: [
      `${project.name} (${codeOf('project', project.id)})`,
      bases ? baseLine(bases, query) : '',
      ...filterWords(query, project.generation),
    ]
      .filter(Boolean)
      .join(' · '),
    rows: bars.map((answer) => ({
      label: answer.label,
      share: shareText({ count: answer.value, percent: answer.percent }, chart.answered),
      count: count(answer.value),
      segments: segmentsOf(answer, view.split, top).map(({ key, width }) => ({ width, fill: colour(key) })),
    })),
    axis: [0, 1, 2, 3, 4].map((at) => (view.unit === 'share' ? percent(at * 25) : count(Math.round((top * at) / 4)))),
    legend: partsIn(bars, view.split, project.generation).map(({ key, label }) => ({ label, fill: colour(key) })),
  }
}

/** Describes the filters: "Gender Female, Male", "Age 25 to 34". */
function filterWords(query: Readonly<Record<string, string>>, generation: string): string[] {
  const gender = query.gender === 'all' ? [] : [`Gender ${chosenText(DEMOGRAPHICS[1].terms, gendersOn(query).join())}`]
  return [
    ...gender,
    ...demographicsOf(generation).flatMap(({ key, label, terms }) =>
      key !== 'gender' && query[key] ? [`${label} ${chosenText(terms, query[key])}`] : [],
    ),
  ]
}
