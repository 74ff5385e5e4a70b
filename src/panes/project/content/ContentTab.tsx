import { ChevronRight } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Section } from '../../../../contract/contentWords.ts'
import { count as figure } from '../../../../contract/format.ts'
import { FigureDifference } from '../../../compare/FigureDifference.tsx'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { useMay } from '../../../data/permissions.ts'
import { useCall } from '../../../data/useCall.ts'
import type { FilterChoice } from '../../../list/ListBar.tsx'
import { useNounList } from '../../../list/useNounList.ts'
import { usePart } from '../../../workspace/compareRole.ts'
import { usePane } from '../../../workspace/pane.tsx'
import { DayRange, daysOf } from '../../shared/DayRange.tsx'
import { FileRows } from '../FileRows.tsx'
import type { Project } from '../ProjectHead.tsx'
import { Gallery } from './Gallery.tsx'

const FILTERS = { review: 'all', activity: '', from: '', to: '' } as const
const TITLES = { photos: 'Photos', videos: 'Videos', comments: 'Comments', assets: 'Project assets' } as const

/** Shows participants' submissions by section; the open section fills the pane. */
export function ContentTab({ project }: { project: Project }) {
  const { query, setQuery } = usePane()
  const summary = useCall('content.summary', { id: project.id })
  const sections = summary.data?.data
  const section = (Object.keys(TITLES) as (keyof typeof TITLES)[]).find((one) => one === query.section)
  const open = query.section === 'none' ? null : (section ?? 'photos')
  return (
    <div className="flex min-h-0 flex-1 flex-col short:flex-none">
      {!sections && <AnswerState answer={summary} what="What participants sent" rows={8} />}
      {(Object.keys(TITLES) as (keyof typeof TITLES)[]).map((section) => {
        const counts = sections?.[section]
        const isOpen = section === open
        return (
          <section
            key={section}
            aria-label={TITLES[section]}
            className={isOpen ? 'flex min-h-0 flex-1 flex-col short:flex-none' : 'shrink-0'}
          >
            <h2 className="border-b border-line">
              <button
                type="button"
                data-view=""
                aria-expanded={isOpen}
                className="flex min-h-9 w-full items-center gap-2 px-4 text-left hover:bg-sunken"
                onClick={() =>
                  setQuery({ section: isOpen ? 'none' : section === 'photos' ? null : section, item: null, page: null })
                }
              >
                <ChevronRight size={14} aria-hidden="true" className={isOpen ? 'rotate-90' : ''} />
                <span className="font-semibold">{TITLES[section]}</span>
                <Counts section={section} counts={typeof counts === 'number' ? { all: counts } : counts} />
              </button>
            </h2>
            {isOpen &&
              (section === 'assets' ? (
                <div className="min-h-0 flex-1 overflow-auto px-4 pb-4">
                  <FileRows
                    files={project.files.filter(({ kind }) => kind === 'asset')}
                    url={project.survey_url}
                    none="No assets yet."
                  />
                </div>
              ) : (
                <Items
                  key={section}
                  project={project}
                  section={section}
                  newest={sections?.newest}
                  activities={sections?.activities ?? []}
                />
              ))}
          </section>
        )
      })}
    </div>
  )
}

const REVIEWED = { open: 'new', accepted: 'accepted', rejected: 'rejected' } as const
type Reviewed = keyof typeof REVIEWED

/** A section's counts; a comparison adds counts by review status and differences from the first column. */
function Counts({
  section,
  counts,
}: {
  section: string
  counts: ({ all: number } & Partial<Record<Reviewed, number>>) | undefined
}) {
  const part = usePart()
  const canReview = useMay('content.review')
  const isCompared = part?.is === 'baseline' || part?.is === 'compared'
  if (!counts) return null
  const shown = (Object.keys(REVIEWED) as Reviewed[]).filter((review) => {
    if (counts[review] === undefined || (review === 'rejected' && !canReview)) return false
    return isCompared || (review === 'open' && counts.open !== 0)
  })
  return (
    <span className="flex min-w-0 flex-wrap gap-x-2 text-meta text-muted tabular-nums">
      <span>
        {figure(counts.all)}
        <FigureDifference topic={`content ${section}`} value={counts.all} />
      </span>
      {shown.map((review) => (
        <span key={review}>
          {figure(counts[review]!)} {REVIEWED[review]}
          <FigureDifference topic={`content ${section} ${review}`} value={counts[review]} />
        </span>
      ))}
    </span>
  )
}

interface ItemsProps {
  project: Project
  section: Section
  /** The newest item's ID now; undefined until it loads. */
  newest: number | undefined
  activities: readonly { id: number; name: string; count: number }[]
}

/** A section's gallery: shows what existed when it opened, until the user asks for newer items. */
function Items({ project, section, newest, activities }: ItemsProps) {
  const canReview = useMay('content.review')
  const [upto, setUpto] = useState<number | undefined>(newest)
  useEffect(() => setUpto((now) => now ?? newest), [newest])
  const whereOf = (filters: Readonly<Record<keyof typeof FILTERS, string>>) => {
    return {
      project_id: project.id,
      section,
      review: (['open', 'accepted', 'rejected'] as const).find((one) => one === filters.review) ?? ('all' as const),
      ...(/^[1-9]\d{0,8}$/.test(filters.activity) ? { activity_id: Number(filters.activity) } : {}),
      ...daysOf(filters),
    }
  }
  const list = useNounList('content', {
    filters: FILTERS,
    where: (filters) => ({ ...whereOf(filters), ...(upto === undefined ? {} : { upto }) }),
    pageSize: 60,
    chunk: 60,
  })
  const { view } = list
  const later = useCall(
    'content.list',
    upto === undefined ? null : { ...whereOf(view.filters as never), search: view.search, after: upto, per_page: 1 },
  )
  const latest = useRef(newest)
  latest.current = newest
  const showNew = useCallback(() => setUpto(latest.current), [])
  const reviews = [
    { value: 'all', label: 'any' },
    { value: 'open', label: 'New' },
    { value: 'accepted', label: 'Accepted' },
    ...(canReview ? [{ value: 'rejected', label: 'Rejected' }] : []),
  ]
  const filters: FilterChoice[] = [
    { name: 'review', label: 'Review', options: reviews },
    {
      name: 'activity',
      label: 'Activity',
      options: [{ value: '', label: 'all' }, ...activities.map(({ id, name }) => ({ value: String(id), label: name }))],
    },
  ]
  if (upto === undefined) return null
  return (
    <Gallery
      {...(list as never as Pick<React.ComponentProps<typeof Gallery>, 'view' | 'source' | 'exportable'>)}
      section={section}
      filters={filters}
      lead={<DayRange view={view} />}
      fresh={later.data?.count ?? 0}
      onFresh={showNew}
      canReview={canReview}
    />
  )
}
