import { useEffect, useMemo, useState } from 'react'
import { participant } from '../../../contract/contentWords.ts'
import { decimal } from '../../../contract/decimals.ts'
import { count as figure } from '../../../contract/format.ts'
import { RESPONDENT_COLUMNS } from '../../../contract/respondentColumns.ts'
import { OUTCOMES } from '../../../contract/vocabulary.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useListView } from '../../list/listView.ts'
import { columnsOf, Moment, Name } from '../../list/nounColumns.tsx'
import { rowSource } from '../../list/rowSource.ts'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { WebLink } from '../../ui/WebLink.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { type ContentItem, itemSubject, lengthOf, ReviewPill, Thumb } from '../shared/ContentItem.tsx'
import { DayRange, daysOf } from '../shared/DayRange.tsx'
import { Previewed, zoomed } from '../shared/preview.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { RecordState } from '../shared/RecordState.tsx'

/** Lists participants of an activity and what they did (screens-projects.md); for a survey, its respondents. */
export default function WhoActedPane({ params }: PaneProps) {
  const id = Number(params.activity_id)
  const { setTitle } = usePane()
  const answer = useCall('content.actors', { id }, { fresh: true })
  const activity = answer.data?.data
  useEffect(() => setTitle(activity ? `Who acted: ${activity.name}` : null), [activity, setTitle])
  const home = href('activities')
  if (!activity) return <RecordState answer={answer} what={`Activity ${id}`} home={home} homeTitle="activities" />
  if (isGone(answer.error))
    return (
      <RecordGone noun="activity" id={activity.id} what="This activity" name={activity.name} home={home} homeTitle="activities" />
    )
  const head = (
    <p className="flex flex-wrap gap-x-3 px-4 pb-2 text-muted">
      <PaneLink to={href('activity', { id })} className="hover:text-ink hover:underline">
        {activity.name}
      </PaneLink>
      <PaneLink to={href('project', { id: activity.project_id })} className="hover:text-ink hover:underline">
        {activity.project_name}
      </PaneLink>
      <span className="tabular-nums">
        {figure(activity.people)} {activity.people === 1 ? 'person' : 'people'}, {figure(activity.actions)}{' '}
        {activity.actions === 1 ? 'action' : 'actions'}
        {activity.people > 0 && `, ${decimal(activity.actions / activity.people, 1, 1)} a person`}
      </span>
    </p>
  )
  return activity.activity_type === 'survey' ? (
    <Respondents id={id} project={activity.project_id}>
      {head}
    </Respondents>
  ) : (
    <Actors id={id} project={activity.project_id}>
      {head}
    </Actors>
  )
}

interface Part {
  id: number
  project: number
  children: React.ReactNode
}
const ACTED = { action: '', review: '', repeats: '', from: '', to: '' } as const
const ANY = { value: '', label: 'any' } as const
const ACTIONS = [
  ANY,
  { value: 'photo', label: 'Photo' },
  { value: 'video', label: 'Video' },
  { value: 'comment', label: 'Comment' },
  { value: 'social', label: 'Social' },
] as const
const REVIEWS = [
  ANY,
  { value: 'open', label: 'New' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'rejected', label: 'Rejected' },
] as const

const SECTIONS: Partial<Record<ContentItem['action'], string>> = { photo: 'photos', video: 'videos', comment: 'comments' }

/** A row's content: a picture, the first words, or an address. */
function What({ item }: { item: ContentItem }) {
  const { file } = item
  const words = item.comment.length > 80 ? `${item.comment.slice(0, 80)}…` : item.comment
  return (
    <span className="flex min-w-0 items-center gap-2">
      {file?.thumbnail && <Thumb item={item} className="h-6 w-8 shrink-0" />}
      {file && !file.thumbnail && item.action === 'video' && file.seconds !== null && (
        <span className="shrink-0 text-meta text-muted">▶ {lengthOf(file.seconds)}</span>
      )}
      <span dir="auto" className="truncate">
        {words || (file ? file.original_name : <WebLink url={item.url} />)}
      </span>
    </span>
  )
}

const columns = columnsOf('content', {
  person: { min: 150, flex: 2, priority: 9, render: (row) => <Name>{participant(row.person)}</Name> },
  email: { whole: true, min: 180, flex: 3, priority: 3 },
  action: {
    width: 90,
    priority: 7,
    looks: { photo: ['grey'], video: ['grey'], comment: ['grey'], social: ['grey'], survey: ['grey'] },
  },
  what: { min: 180, flex: 3, priority: 8, render: (row) => <What item={row} /> },
  market: { min: 150, flex: 2, priority: 1 },
  at: { width: 130, priority: 6 },
  review: { width: 170, priority: 5, render: (row) => <ReviewPill item={row} /> },
  repeats: { width: 80, priority: 2 },
})

function Actors({ id, project, children }: Part) {
  const list = useNounList('content', {
    filters: ACTED,
    where: ({ action, review, repeats, from, to }) => ({
      activity_id: id,
      action: ACTIONS.find((one) => one.value === action)?.value || ('all' as const),
      review: REVIEWS.find((one) => one.value === review)?.value || ('all' as const),
      ...(repeats ? { repeats: true } : {}),
      ...daysOf({ from, to }),
    }),
  })
  const hrefOf = (row: ContentItem) => {
    const section = SECTIONS[row.action]
    if (!section) return null
    return href('project', { id: project }, { tab: 'userContent', query: { section, item: row.id } })
  }
  const [item, setItem] = useState<ContentItem | null>(null)
  const [zoom, setZoom] = useState(1)
  const isOpen = item !== null
  const preview = useMemo(
    () => ({
      isOpen,
      show(row: ContentItem | null) {
        setItem(row)
        setZoom(1)
      },
      zoomBy: (by: 1 | -1) => setZoom((now) => zoomed(now, by)),
    }),
    [isOpen],
  )
  return (
    <div className="relative flex h-full min-h-0 flex-1 flex-col short:h-auto short:min-h-full">
      <ListScreen<ContentItem>
        {...list}
        title="Who acted"
        columns={columns}
        subjectOf={itemSubject}
        hrefOf={hrefOf}
        preview={preview}
        lead={<DayRange view={list.view} />}
        filters={[
          { name: 'action', label: 'Action', options: ACTIONS },
          { name: 'review', label: 'Review', options: REVIEWS },
          { name: 'repeats', label: 'Repeats', options: [ANY, { value: '1', label: 'only repeats' }] },
        ]}
        actions={['list.export']}
        bulk={['content.accept', 'content.reject', 'content.rotate', 'content.restore', 'content.download']}
        empty={{
          sentence: 'Nobody has acted yet. Photos, videos and comments arrive while the project is live, or from a file.',
          next: <CommandButton id="content.add" subjects={[{ kind: 'project', id: project, name: '' }]} variant="primary" />,
        }}
      >
        {children}
      </ListScreen>
      {item && <Previewed preview={{ item, zoom }} canReview />}
    </div>
  )
}

type Respondent = { id: number; person: string; outcome: string; market: string; at: string }
const outcomeOf = (value: string) => OUTCOMES.find((one) => one.value === value)?.label ?? value
const LISTED = [
  { id: 'person', header: 'Person', min: 160, flex: 2, priority: 9, render: (row: Respondent) => <Name>{row.person}</Name> },
  { id: 'outcome', header: 'Outcome', min: 120, flex: 1, priority: 8, render: (row: Respondent) => outcomeOf(row.outcome) },
  { id: 'market', header: 'Market area', min: 140, flex: 2, priority: 2, render: (row: Respondent) => row.market },
  { id: 'at', header: 'When', width: 140, priority: 7, render: (row: Respondent) => <Moment at={row.at} /> },
]
const OUTCOME_FILTER = [ANY, ...OUTCOMES]

function Respondents({ id, project, children }: Part) {
  const view = useListView(FILTER)
  const { search, filters } = view
  const outcome = OUTCOMES.find((one) => one.value === filters.outcome)?.value ?? ('all' as const)
  const { from, to } = filters
  const filter = useMemo(() => ({ id, search, outcome, ...daysOf({ from, to }) }), [id, search, outcome, from, to])
  const rows = useMemo(
    () =>
      rowSource({
        call: 'content.respondents',
        input: (page, per_page) => ({ ...filter, page, per_page }),
        rows: ({ data }): readonly Respondent[] => data,
        count: ({ count }) => count,
      }),
    [filter],
  )
  return (
    <ListScreen<Respondent>
      title="Who acted"
      noun="respondents"
      view={view}
      source={rows}
      pageSize={10}
      columns={LISTED}
      subjectOf={respondentSubject}
      filters={[{ name: 'outcome', label: 'Outcome', options: OUTCOME_FILTER }]}
      lead={<DayRange view={view} />}
      actions={['list.export']}
      exportable={{ source: 'respondents', columns: RESPONDENT_COLUMNS, filter, selects: false }}
      empty={{
        sentence: 'Nobody has acted yet. Answers arrive while the project is live.',
        next: <CommandButton id="project.open" subjects={[{ kind: 'project', id: project, name: '' }]} />,
      }}
    >
      {children}
    </ListScreen>
  )
}
const FILTER = { outcome: '', from: '', to: '' } as const
/** A respondent isn't a record: no command acts on it, so its row has no menu. */
const respondentSubject = (row: Respondent) => ({
  kind: 'respondent' as const,
  id: row.id,
  name: row.person,
  allowed_actions: [],
  refused_actions: {},
})
