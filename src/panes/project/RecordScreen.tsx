import { type ComponentType, lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { Subject } from '../../commands/command.ts'
import { useCall } from '../../data/useCall.ts'
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
type LoadTab = () => Promise<{ default: ComponentType<TabProps> }>

/** The tabs that are built, each loaded when it is first seen. */
const TABS: Readonly<Record<string, LoadTab>> = {
  overview: () => import('./OverviewTab.tsx').then(({ OverviewTab }) => ({ default: OverviewTab })),
  specifications: () => import('./SpecificationsTab.tsx').then(({ SpecificationsTab }) => ({ default: SpecificationsTab })),
  history: () => import('./HistoryTab.tsx').then(({ HistoryTab }) => ({ default: HistoryTab })),
  notes: () => import('./NotesTab.tsx').then(({ NotesTab }) => ({ default: NotesTab })),
  rewardCenter: () =>
    import('../reward/RewardCenter.tsx').then(({ RewardCenter }) => ({
      default: ({ project }: TabProps) => <RewardCenter projectId={project.id} />,
    })),
}

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
  const load = tab === null ? undefined : TABS[tab]
  return (
    <div className={FILLS.includes(tab) ? 'flex h-full flex-col' : 'flex min-h-full flex-col'}>
      <ProjectHead project={project} />
      <ScreenPanel className="@container flex min-h-0 flex-1 flex-col">
        {!project || !subject ? (
          <>
            {tab === 'overview' && !answer.error && <OverviewAhead id={id} />}
            <Skeleton rows={8} />
          </>
        ) : load ? (
          <Tab key={tab} load={load} project={project} subject={subject} />
        ) : (
          match && <NotBuilt match={match} area={match.tabRow?.area ?? 'Projects'} embedded />
        )}
      </ScreenPanel>
    </div>
  )
}

/** A tab's content: one that could not be loaded leaves the head and the other tabs alone, and is loaded anew by its retry. */
function Tab({ load, ...props }: TabProps & { load: LoadTab }) {
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another download
  const Content = useMemo(() => lazy(load), [load, attempt])
  return (
    <Boundary onRetry={() => setAttempt((before) => before + 1)}>
      <Suspense fallback={<Skeleton rows={8} />}>
        <Content {...props} />
      </Suspense>
    </Boundary>
  )
}
