import { type ComponentType, useEffect, useMemo, useState } from 'react'
import { loadAreas } from '../../commands/commandAreas.ts'
import type { Subject } from '../../commands/subject.ts'
import { currentMe } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { refusal, resolveOrHome } from '../../routing/match.ts'
import { href } from '../../routing/routes.ts'
import { ScreenPanel } from '../../shell/ScreenTabs.tsx'
import { whenIdle } from '../../ui/idle.ts'
import { type Loadable, loadable } from '../../ui/loadable.tsx'
import { TabSkeleton } from '../../ui/Skeletons.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { ErrorBoundary } from '../../workspace/ErrorBoundary.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { projectSubject } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { OverviewPrefetch } from './OverviewPrefetch.tsx'
import type { OverviewProject } from './OverviewTab.tsx'
import { openedProject } from './openedProject.ts'
import { type Project, ProjectHead } from './ProjectHead.tsx'

interface TabProps {
  project: Project
  subject: Subject
  /** Sets what shortcuts act on while the tab shows a part of the project, such as an upload. */
  setPart: (subject: Subject | null) => void
}
const loadableTab = <Props extends object = TabProps>(load: () => Promise<ComponentType<Props>>) =>
  loadable(load, <OwnSkeleton />)
/** The skeleton of the current tab. */
function OwnSkeleton() {
  return <TabSkeleton tab={usePane().match?.tab ?? null} />
}

/** Shows the row that the project was opened from until it has loaded. */
const OverviewTab = loadableTab<{ project: OverviewProject }>(() =>
  import('./OverviewTab.tsx').then((module) => module.OverviewTab),
)
/** The tabs, each loaded when first shown. */
const TABS: Readonly<Record<string, Loadable<TabProps>>> = {
  overview: OverviewTab as Loadable<TabProps>,
  specifications: loadableTab(() => import('./SpecificationsTab.tsx').then((module) => module.SpecificationsTab)),
  history: loadableTab(() => import('./HistoryTab.tsx').then((module) => module.HistoryTab)),
  notes: loadableTab(() => import('./NotesTab.tsx').then((module) => module.NotesTab)),
  userResponses: loadableTab(() =>
    Promise.all([import('./responses/ResponsesTab.tsx'), loadAreas(['results'])]).then(([module]) => module.ResponsesTab),
  ),
  activities: loadableTab(() => import('./ActivitiesTab.tsx').then((module) => module.ActivitiesTab)),
  audience: loadableTab(() =>
    Promise.all([import('./reports/AudienceTab.tsx'), loadAreas(['reports'])]).then(([module]) => module.AudienceTab),
  ),
  landingPage: loadableTab(() =>
    Promise.all([import('./reports/LandingTab.tsx'), loadAreas(['reports'])]).then(([module]) => module.LandingTab),
  ),
  clientReporting: loadableTab(() =>
    Promise.all([import('./reports/ReportTab.tsx'), loadAreas(['reports'])]).then(([module]) => module.ReportTab),
  ),
  offers: loadableTab(() =>
    Promise.all([import('./reports/OffersTab.tsx'), loadAreas(['reports'])]).then(([module]) => module.OffersTab),
  ),
  userContent: loadableTab(() =>
    Promise.all([import('./content/ContentTab.tsx'), loadAreas(['results'])]).then(([module]) => module.ContentTab),
  ),
  vip: loadableTab(() => Promise.all([import('./vip/VipTab.tsx'), loadAreas(['rewards'])]).then(([module]) => module.VipTab)),
  vipRewarded: loadableTab(() =>
    Promise.all([import('./vip/VipAwardsTab.tsx'), loadAreas(['rewards'])]).then(([module]) => module.VipRewardedTab),
  ),
  vipRewardedList: loadableTab(() =>
    Promise.all([import('./vip/VipAwardsTab.tsx'), loadAreas(['rewards'])]).then(([module]) => module.VipAwardsTab),
  ),
  approval: loadableTab(() => import('./approval/ApprovalTab.tsx').then((module) => module.ApprovalTab)),
  quotas: loadableTab(() =>
    Promise.all([import('./quotas/QuotasTab.tsx'), loadAreas(['quotas'])]).then(([module]) => module.QuotasTab),
  ),
  rewardCenter: loadableTab(() =>
    import('./reward/RewardCenter.tsx').then(({ RewardCenter }) => ({ project }: TabProps) => (
      <RewardCenter projectId={project.id} family={project.children.length > 0} />
    )),
  ),
  catalogue: loadableTab(() =>
    import('./reward/CatalogueTab.tsx').then(({ CatalogueTab }) => ({ project }: TabProps) => <CatalogueTab project={project} />),
  ),
  rewardUpload: loadableTab(() =>
    Promise.all([import('./reward/UploadTab.tsx'), loadAreas(['imports', 'settings'])]).then(
      ([{ UploadTab }]) =>
        ({ project, setPart }: TabProps) => <UploadTab projectId={project.id} setPart={setPart} />,
    ),
  ),
}

const CataloguePrefetch = loadable<{ id: number }>(() =>
  import('./reward/CatalogueTab.tsx').then((module) => module.CataloguePrefetch),
)
/** What a tab reads besides the project, requested while the project still loads. */
const READS: Readonly<Record<string, ComponentType<{ id: number }>>> = {
  overview: OverviewPrefetch,
  catalogue: CataloguePrefetch,
}

// Preloads what users usually open next: the project's tabs, and other projects.
whenIdle(() => {
  for (const part of [...Object.values(TABS), CataloguePrefetch]) part.preload().catch(() => {})
}, 4000)

/** Tabs with a list that scrolls by itself, so they fill the pane's height. */
const FILLS: readonly (string | null)[] = [
  'activities',
  'rewardCenter',
  'catalogue',
  'rewardUpload',
  'offers',
  'userContent',
  'vip',
  'vipRewarded',
  'vipRewardedList',
]

/** Tabs that both screens have. */
const SHARED = [
  'specifications',
  'overview',
  'userResponses',
  'userContent',
  'approval',
  'history',
  'notes',
  'quotas',
  'rewardCenter',
  'catalogue',
  'rewardUpload',
  'vip',
  'vipRewarded',
  'vipRewardedList',
] as const

/** Returns the same tab on the screen of the record's own generation; the overview if it has no such tab. */
function otherScreen({ id, generation }: Project, tab: string | null, query: Readonly<Record<string, string>>): string {
  const same = SHARED.find((one) => one === tab)
  const there = same && resolveOrHome(href('project', { id }, { tab: same }))
  const mayHave = generation === 'campaign' || (there && !refusal(there, currentMe().role))
  const options = { tab: same && mayHave ? same : ('overview' as const), query }
  return generation === 'campaign' ? href('surveyProject', { id }, options) : href('project', { id }, options)
}

interface Props extends PaneProps {
  /** The generation that this screen shows. */
  generation: 'project' | 'campaign'
  /** The record's noun, for error messages: "Survey project". */
  what: string
  /** The list that opens if the record doesn't exist. */
  home: string
  homeTitle: string
}

/** One project of either generation: header, tab row and current tab (decisions.md 1). */
export function RecordScreen({ params, tab, generation, what, home, homeTitle }: Props) {
  const { match, setSubject, replace } = usePane()
  const id = Number(params.id)
  const answer = useCall('project.get', { id }, { fresh: true })
  const project = answer.data?.data
  const gone = isGone(answer.error)
  const opened = useMemo(() => openedProject(generation, id), [generation, id])
  const subject = useMemo(() => (project && !gone ? projectSubject(project) : null), [project, gone])
  const [part, setPart] = useState<Subject | null>(null)
  useEffect(() => {
    // A deleted project's screen sets its own.
    if (subject || !gone) setSubject(subject && (part ?? subject))
  }, [subject, gone, part, setSubject])
  // A record belongs on its own generation's screen; the other one would show the wrong tabs.
  const elsewhere = project && project.generation !== generation ? otherScreen(project, tab, match?.query ?? {}) : null
  useEffect(() => {
    if (elsewhere) replace(elsewhere)
  }, [elsewhere, replace])
  if (elsewhere) return <Skeleton rows={8} />
  if (answer.error && !project)
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        record={{ noun: 'project', id }}
        what={`${what} ${id}`}
        home={home}
        homeTitle={homeTitle}
      />
    )
  if (project && gone)
    return (
      <RecordGone
        noun="project"
        id={id}
        what={`This ${what.toLowerCase()}`}
        name={project.name}
        home={home}
        homeTitle={homeTitle}
      />
    )
  const Tab = tab === null ? undefined : TABS[tab]
  const Reads = tab === null || answer.error ? undefined : READS[tab]
  const early = !project && tab === 'overview' ? opened?.row : null
  return (
    <div className={FILLS.includes(tab) ? 'flex h-full flex-col short:h-auto short:min-h-full' : 'flex min-h-full flex-col'}>
      <ProjectHead project={project} opened={opened?.head} />
      <ScreenPanel className="@container flex min-h-0 flex-1 flex-col">
        {early ? (
          <ErrorBoundary key={tab}>
            <OverviewTab project={early} />
          </ErrorBoundary>
        ) : !project || !subject ? (
          <>
            {Reads && <Reads id={id} />}
            <TabSkeleton tab={tab} />
          </>
        ) : Tab ? (
          // A tab that fails to load leaves the header and the other tabs usable.
          <ErrorBoundary key={tab}>
            <Tab project={project} subject={subject} setPart={setPart} />
          </ErrorBoundary>
        ) : null}
      </ScreenPanel>
    </div>
  )
}
