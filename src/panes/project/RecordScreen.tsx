import { type ComponentType, useEffect, useMemo } from 'react'
import type { Subject } from '../../commands/command.ts'
import { useCall } from '../../data/useCall.ts'
import { whenIdle } from '../../ui/idle.ts'
import { type Loadable, loadable } from '../../ui/loadable.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { Boundary } from '../../workspace/Boundary.tsx'
import { NotBuilt } from '../../workspace/NotBuilt.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/route.ts'
import { ScreenPanel } from '../../workspace/ScreenTabs.tsx'
import { OverviewAhead } from './OverviewAhead.tsx'
import { type Project, ProjectHead } from './ProjectHead.tsx'
import { isGone, RecordGone } from './RecordGone.tsx'
import { RecordTrouble } from './RecordTrouble.tsx'
import { projectSubject } from './subject.ts'

interface TabProps {
  project: Project
  subject: Subject
}
const loadableTab = (load: () => Promise<ComponentType<TabProps>>) => loadable(load, <Skeleton rows={8} />)

/** The tabs that are built, each loaded when it is first seen. */
const TABS: Readonly<Record<string, Loadable<TabProps>>> = {
  overview: loadableTab(() => import('./OverviewTab.tsx').then((module) => module.OverviewTab)),
  specifications: loadableTab(() => import('./SpecificationsTab.tsx').then((module) => module.SpecificationsTab)),
  history: loadableTab(() => import('./HistoryTab.tsx').then((module) => module.HistoryTab)),
  notes: loadableTab(() => import('./NotesTab.tsx').then((module) => module.NotesTab)),
  rewardCenter: loadableTab(() =>
    import('../reward/RewardCenter.tsx').then(({ RewardCenter }) => ({ project }: TabProps) => (
      <RewardCenter projectId={project.id} />
    )),
  ),
}

// Whoever has opened one project goes on to its tabs, and to other projects.
whenIdle(() => {
  for (const tab of Object.values(TABS)) tab.preload().catch(() => {})
}, 4000)

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
  const gone = isGone(answer.error)
  const subject = useMemo(() => (project && !gone ? projectSubject(project) : null), [project, gone])
  useEffect(() => setSubject(subject), [subject, setSubject])
  if (answer.error && !project)
    return <RecordTrouble error={answer.error} retry={answer.retry} what={`${what} ${id}`} home={home} homeTitle={homeTitle} />
  if (project && gone)
    return <RecordGone what={`This ${what.toLowerCase()}`} name={project.name} home={home} homeTitle={homeTitle} />
  const Tab = tab === null ? undefined : TABS[tab]
  return (
    <div className={FILLS.includes(tab) ? 'flex h-full flex-col' : 'flex min-h-full flex-col'}>
      <ProjectHead project={project} />
      <ScreenPanel className="@container flex min-h-0 flex-1 flex-col">
        {!project || !subject ? (
          <>
            {tab === 'overview' && !answer.error && <OverviewAhead id={id} />}
            <Skeleton rows={8} />
          </>
        ) : Tab ? (
          // A tab that can't be loaded leaves the head and the other tabs alone.
          <Boundary key={tab}>
            <Tab project={project} subject={subject} />
          </Boundary>
        ) : (
          match && <NotBuilt match={match} area={match.tabRow?.area ?? 'Projects'} embedded />
        )}
      </ScreenPanel>
    </div>
  )
}
