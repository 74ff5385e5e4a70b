import { lazy, Suspense, useEffect } from 'react'
import { useCall } from '../data/useCall.ts'
import { currentMe } from '../data/session.ts'
import { href } from '../routes.ts'
import type { PaneProps } from '../workspace/route.ts'
import { NotBuilt } from '../workspace/NotBuilt.tsx'
import { usePane } from '../workspace/pane.tsx'
import { ProjectHead } from './project/ProjectHead.tsx'
import { RecordTrouble } from './project/RecordTrouble.tsx'
import { projectSubject } from './project/subject.ts'

const Overview = lazy(() => import('./project/OverviewTab.tsx').then((module) => ({ default: module.OverviewTab })))
const Specifications = lazy(() => import('./project/SpecificationsTab.tsx').then((module) => ({ default: module.SpecificationsTab })))
const History = lazy(() => import('./project/HistoryTab.tsx').then((module) => ({ default: module.HistoryTab })))
const Notes = lazy(() => import('./project/NotesTab.tsx').then((module) => ({ default: module.NotesTab })))
const RewardCenter = lazy(() => import('./reward/RewardCenter.tsx').then((module) => ({ default: module.RewardCenter })))

/** v3 project info: one record, its tabs (projects-area 2). A failed load sends the user to all projects. */
export default function ProjectPane({ params, tab }: PaneProps) {
  const pane = usePane()
  const id = Number(params.id)
  const answer = useCall('project.get', { id }, { fresh: true })
  const project = answer.data?.data
  const { setSubject } = pane
  useEffect(() => {
    if (project) setSubject(projectSubject(project))
  }, [project, setSubject])
  if (answer.error && !project) return <RecordTrouble error={answer.error} retry={answer.retry} what={`Project ${id}`} home={href('allProjects')} homeTitle="all projects" />
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ProjectHead project={project} />
      <div className="min-h-0 flex-1 overflow-y-auto" data-scroll="" tabIndex={-1}>
        <Suspense fallback={null}>
          {project && tab === 'overview' && <Overview project={project} />}
          {project && tab === 'specifications' && <Specifications project={project} />}
          {project && tab === 'history' && <History project={project} />}
          {project && tab === 'notes' && currentMe().role === 'admin' && <Notes project={project} subject={projectSubject(project)} />}
          {project && tab === 'rewardCenter' && <RewardCenter projectId={project.id} />}
          {project && !['overview', 'specifications', 'history', 'notes', 'rewardCenter'].includes(tab ?? '') && pane.match && <NotBuilt match={pane.match} area={pane.match.tabRow?.area ?? 'Projects'} />}
        </Suspense>
      </div>
    </div>
  )
}
