import { lazy, Suspense, useEffect, useMemo } from 'react'
import { currentMe } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { Skeleton } from '../../ui/States.tsx'
import { NotBuilt } from '../../workspace/NotBuilt.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/route.ts'
import { ProjectHead } from './ProjectHead.tsx'
import { RecordTrouble } from './RecordTrouble.tsx'
import { projectSubject } from './subject.ts'

const Overview = lazy(() => import('./OverviewTab.tsx').then((module) => ({ default: module.OverviewTab })))
const Specifications = lazy(() => import('./SpecificationsTab.tsx').then((module) => ({ default: module.SpecificationsTab })))
const History = lazy(() => import('./HistoryTab.tsx').then((module) => ({ default: module.HistoryTab })))
const Notes = lazy(() => import('./NotesTab.tsx').then((module) => ({ default: module.NotesTab })))
const RewardCenter = lazy(() => import('../reward/RewardCenter.tsx').then((module) => ({ default: module.RewardCenter })))

/** Tabs that are lists with a scroll of their own, and so as high as the pane. */
const FILLS: readonly (string | null)[] = ['rewardCenter']

interface Props extends PaneProps {
  /** What the record is called where it failed: "Survey project". */
  what: string
  /** The list that a record which is not there leads to. */
  home: string
  homeTitle: string
}

/** One project of either generation: its head, its tab row, and the tab that shows (decisions.md 1). */
export function RecordScreen({ params, tab, what, home, homeTitle }: Props) {
  const { match, setSubject } = usePane()
  const id = Number(params.id)
  const answer = useCall('project.get', { id }, { fresh: true })
  const project = answer.data?.data
  const subject = useMemo(() => (project ? projectSubject(project) : null), [project])
  useEffect(() => setSubject(subject), [subject, setSubject])
  if (answer.error && !project)
    return <RecordTrouble error={answer.error} retry={answer.retry} what={`${what} ${id}`} home={home} homeTitle={homeTitle} />
  const content = () => {
    if (!project || !subject) return <Skeleton rows={8} />
    if (tab === 'overview') return <Overview project={project} />
    if (tab === 'specifications') return <Specifications project={project} />
    if (tab === 'history') return <History project={project} />
    if (tab === 'notes' && currentMe().role === 'admin') return <Notes project={project} subject={subject} />
    if (tab === 'rewardCenter') return <RewardCenter projectId={project.id} />
    return match && <NotBuilt match={match} area={match.tabRow?.area ?? 'Projects'} embedded />
  }
  return (
    <div className={FILLS.includes(tab) ? 'flex h-full flex-col' : 'flex min-h-full flex-col'}>
      <ProjectHead project={project} />
      <div className="@container flex min-h-0 flex-1 flex-col">
        <Suspense fallback={<Skeleton rows={8} />}>{content()}</Suspense>
      </div>
    </div>
  )
}
