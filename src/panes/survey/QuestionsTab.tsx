import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { count } from '../../../contract/format.ts'
import { ANSWER_TYPES, QUESTION_FILTERS, QUESTION_TYPES } from '../../../contract/questionRules.ts'
import { flushOrders, onOrder, orderRead, orderShown, orderVersion } from '../../commands/questionOrder.ts'
import type { CommandId } from '../../commands/table.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { warnOfUnsavedOrder } from '../../runner/unsavedOrder.ts'
import { Pill } from '../../ui/Pill.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { EditQuestion } from './EditQuestion.tsx'
import { PasteQuestions } from './PasteQuestions.tsx'
import { ReviewRefresh } from './ReviewRefresh.tsx'
import { type Question, questionEdit, questionSubject, type SurveyTabProps } from './surveySubject.ts'

/** The number of answers in a row. */
const SHOWN = 3
const faint = <span className="text-faint">–</span>

const columns = columnsOf('question', {
  name: {
    min: 200,
    flex: 3,
    priority: 15,
    render: (row) => <Name aside={row.retired_at ? <Pill tone="grey">Retired</Pill> : null}>{row.name}</Name>,
    edit: questionEdit('name'),
  },
  order: { width: 68, priority: 14, narrow: 'meta', render: (row) => (row.order ? count(row.order) : faint) },
  question_type: {
    width: 104,
    priority: 9,
    narrow: 'hidden',
    looks: { survey: ['blue'], profile: ['grey'], reward: ['amber'] },
  },
  answer_type: {
    width: 112,
    priority: 12,
    narrow: 'aside',
    looks: { single: ['grey', 'ring'], multiple: ['grey', 'tick'], number: ['grey', 'diamond'], open: ['grey', 'dot'] },
  },
  options: {
    min: 150,
    flex: 2,
    priority: 11,
    narrow: 'hidden',
    render: ({ options }) =>
      options.length ? (
        <span className="truncate text-muted" title={options.join('\n')}>
          {options.slice(0, SHOWN).join(', ')}
          {options.length > SHOWN && <span className="text-faint"> + {options.length - SHOWN}</span>}
        </span>
      ) : (
        faint
      ),
  },
  answered: {
    width: 96,
    priority: 13,
    narrow: 'meta',
    render: (row) => (
      <>
        {count(row.answered)}
        <span className="hidden in-data-narrow:inline"> answered</span>
      </>
    ),
  },
  vendor_key: { width: 100, priority: 8, narrow: 'hidden' },
  id: { width: 84, priority: 6, narrow: 'hidden' },
})

const TYPES = [{ value: '', label: 'all' }, ...QUESTION_TYPES] as const
const ANSWERS = [{ value: '', label: 'any' }, ...ANSWER_TYPES] as const
const BULK: readonly CommandId[] = ['question.moveTo', 'question.editField', 'question.remove']
const valueIn = <V extends string>(among: readonly { readonly value: V }[], text: string): V =>
  among.find(({ value }) => value === text)?.value ?? among[0]!.value

interface Counts {
  survey: number
  profile: number
  reward: number
  retired: number
}

type Chunks = ReadonlyMap<number, readonly Question[]>
/** Reorders loaded questions while the user is moving them. */
function inOrder(survey: number, chunks: Chunks): Chunks {
  const isPlaced = (row: Question) => row.question_type === 'survey'
  const placed = [...chunks]
    .sort(([a], [b]) => a - b)
    .flatMap(([, rows]) => rows)
    .filter(isPlaced)
  const ids = placed.map(({ id }) => id)
  const shown = orderShown(survey, ids)
  if (shown.every((id, at) => id === ids[at])) return chunks
  const byId = new Map(placed.map((row) => [row.id, row]))
  let at = 0
  const next = (row: Question): Question => {
    if (!isPlaced(row)) return row
    const moved = byId.get(shown[at]!)!
    // Stored positions count from 1.
    at++
    return moved === row && row.order === at ? row : { ...moved, order: at }
  }
  return new Map([...chunks].sort(([a], [b]) => a - b).map(([chunk, rows]) => [chunk, rows.map(next)]))
}

/** Lists a survey's questions in order: edited in place, moved, pasted, and compared with their source. */
export function QuestionsTab({ survey }: SurveyTabProps) {
  const { query, setQuery } = usePane()
  const [counts, setCounts] = useState<Counts | null>(null)
  const list = useNounList('question', {
    filters: { type: '', answer_type: '', filter: '' },
    where: ({ type, answer_type, filter }) => ({
      id: survey.id,
      type: valueIn(TYPES, type),
      answer_type: valueIn(ANSWERS, answer_type),
      filter: valueIn(QUESTION_FILTERS, filter),
    }),
    pageSize: 100,
    chunk: 500,
  })
  const onAnswer = useCallback(
    (answer: never) => {
      setCounts((answer as { counts: Counts }).counts)
      orderRead(survey.id)
    },
    [survey.id],
  )
  const { sort, search, filters } = list.view
  const isWhole = !search && !filters.filter && !filters.answer_type && (!sort || sort.column === 'order')
  const version = useSyncExternalStore(onOrder, orderVersion)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes with the displayed order
  const arranged = useMemo(
    () => (isWhole && sort?.direction !== 'desc' ? (chunks: Chunks) => inOrder(survey.id, chunks) : undefined),
    [isWhole, sort?.direction, survey.id, version],
  )
  useEffect(() => {
    warnOfUnsavedOrder()
    return flushOrders
  }, [])
  const hrefOf = useCallback(
    (row: Question) => href('project', { id: survey.project_id }, { tab: 'userResponses', query: { q: row.id } }),
    [survey.project_id],
  )
  if (query.edit) return <EditQuestion survey={survey} id={Number(query.edit)} />
  if (query.paste) return <PasteQuestions survey={survey} onDone={() => setQuery({ paste: null })} />
  if (query.review) return <ReviewRefresh survey={survey} onDone={() => setQuery({ review: null })} />
  return (
    <div className="flex h-full flex-col">
      {counts && (
        <p className="px-4 pt-2.5 text-meta text-muted tabular-nums">
          {(['survey', 'profile', 'reward'] as const)
            .map((type) => `${TYPES.find(({ value }) => value === type)!.label} ${count(counts[type])}`)
            .join(' · ')}
          {counts.retired > 0 && ` · Retired ${count(counts.retired)}`}
        </p>
      )}
      <div className="min-h-0 flex-1">
        <ListScreen<Question>
          {...list}
          title="Questions"
          embedded
          columns={columns}
          subjectOf={questionSubject}
          hrefOf={hrefOf}
          onAnswer={onAnswer}
          arranged={arranged}
          at={Number(query.q) || null}
          opens="beside"
          filters={[
            { name: 'type', label: 'Type', options: TYPES },
            { name: 'answer_type', label: 'Answers', options: ANSWERS },
            { name: 'filter', label: 'Show', options: QUESTION_FILTERS },
          ]}
          actions={['question.create', 'question.paste', 'survey.refresh', 'list.export']}
          bulk={BULK}
          primary="question.moveTo"
          empty={{ sentence: 'No questions yet. Add one, paste a sheet, or attach a data map.', command: 'question.paste' }}
        />
      </div>
    </div>
  )
}
