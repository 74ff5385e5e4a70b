import { type ComponentType, useEffect, useMemo } from 'react'
import { letsIn } from '../../../contract/who.ts'
import type { Subject } from '../../commands/subject.ts'
import { currentMe } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { href, rowOf } from '../../routing/routes.ts'
import { NotBuilt } from '../../shell/NotBuilt.tsx'
import { ScreenPanel } from '../../shell/ScreenTabs.tsx'
import { whenIdle } from '../../ui/idle.ts'
import { type Loadable, loadable } from '../../ui/loadable.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { ErrorBoundary } from '../../workspace/ErrorBoundary.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { RecordTrouble } from '../shared/RecordTrouble.tsx'
import { projectSubject } from '../shared/subject.ts'
import { OverviewAhead } from './OverviewAhead.tsx'
import { type Project, ProjectHead } from './ProjectHead.tsx'

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
    import('./reward/RewardCenter.tsx').then(({ RewardCenter }) => ({ project }: TabProps) => (
      <RewardCenter projectId={project.id} family={project.children.length > 0} />
    )),
  ),
}

// After one project, its tabs and other projects come next.
whenIdle(() => {
  for (const tab of Object.values(TABS)) tab.preload().catch(() => {})
}, 4000)

/** Tabs that are lists with a scroll of their own, and so as high as the pane. */
const FILLS: readonly (string | null)[] = ['rewardCenter']

/** Tabs that both screens have. */
const SHARED = ['specifications', 'overview', 'userResponses', 'userContent', 'approval', 'history', 'notes'] as const

/** The same tab of a record on the screen of its own generation; its overview where that has none. */
function otherScreen({ id, generation }: Project, tab: string | null, query: Readonly<Record<string, string>>): string {
  const same = SHARED.find((one) => one === tab)
  const mayHave = generation === 'campaign' || (same && letsIn(rowOf('project').tabs![same]!.access, currentMe()))
  const options = { tab: same && mayHave ? same : ('overview' as const), query }
  return generation === 'campaign' ? href('surveyProject', { id }, options) : href('project', { id }, options)
}

interface Props extends PaneProps {
  /** Whose screen this is. */
  generation: 'project' | 'campaign'
  /** What the record is called where it failed: "Survey project". */
  what: string
  /** The list that a record which is not there leads to. */
  home: string
  homeTitle: string
}

/** One project of either generation: its head, its tab row, and the tab that shows (decisions.md 1). */
export function RecordScreen({ params, tab, generation, what, home, homeTitle }: Props) {
  const { match, setSubject, replace } = usePane()
  const id = Number(params.id)
  const answer = useCall('project.get', { id }, { fresh: true })
  const project = answer.data?.data
  const gone = isGone(answer.error)
  const subject = useMemo(() => (project && !gone ? projectSubject(project) : null), [project, gone])
  useEffect(() => setSubject(subject), [subject, setSubject])
  // A record has one screen, that of its generation: under the other's address it would show the other's tabs.
  const elsewhere = project && project.generation !== generation ? otherScreen(project, tab, match?.query ?? {}) : null
  useEffect(() => {
    if (elsewhere) replace(elsewhere)
  }, [elsewhere, replace])
  if (elsewhere) return <Skeleton rows={8} />
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
          <ErrorBoundary key={tab}>
            <Tab project={project} subject={subject} />
          </ErrorBoundary>
        ) : (
          match && <NotBuilt match={match} area={match.tabRow?.area ?? 'Projects'} embedded />
        )}
      </ScreenPanel>
    </div>
  )
}
