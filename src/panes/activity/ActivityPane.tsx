import { type ComponentType, useEffect, useMemo } from 'react'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { ScreenPanel } from '../../shell/ScreenTabs.tsx'
import { type Loadable, loadable } from '../../ui/loadable.tsx'
import { TabSkeleton } from '../../ui/Skeletons.tsx'
import { ErrorBoundary } from '../../workspace/ErrorBoundary.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { RecordError } from '../shared/RecordError.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { ActivityHead } from './ActivityHead.tsx'
import { type ActivityTabProps, activitySubject } from './activitySubject.ts'

const loadableTab = (load: () => Promise<ComponentType<ActivityTabProps>>) => loadable(load, <OwnSkeleton />)

/** The skeleton of the current tab. */
function OwnSkeleton() {
  return <TabSkeleton tab={usePane().match?.tab ?? null} />
}

/** The tabs, each loaded when first shown. */
const TABS: Readonly<Record<string, Loadable<ActivityTabProps>>> = {
  details: loadableTab(() => import('./ActivityDetailsTab.tsx').then((module) => module.DetailsTab)),
  survey: loadableTab(() => import('./SurveyTab.tsx').then((module) => module.SurveyTab)),
  locations: loadableTab(() => import('./GroupsTab.tsx').then((module) => module.GroupsTab)),
  target: loadableTab(() => import('./TargetTab.tsx').then((module) => module.TargetTab)),
  market: loadableTab(() => import('./MarketTab.tsx').then((module) => module.MarketTab)),
}

/** Shows one activity and its tabs (screens-projects.md, Activity). A missing one redirects to all activities. */
export default function ActivityPane({ params, tab }: PaneProps) {
  const { route, setSubject } = usePane()
  const id = Number(params.id)
  const answer = useCall('activity.get', { id }, { fresh: true })
  const activity = answer.data?.data
  const gone = isGone(answer.error)
  const subject = useMemo(() => (activity && !gone ? activitySubject(activity) : null), [activity, gone])
  useEffect(() => {
    if (subject) setSubject(subject)
  }, [subject, setSubject])
  const home = href('activities')
  if (answer.error && !activity)
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        record={{ noun: 'activity', id }}
        what={`Activity ${id}`}
        home={home}
        homeTitle="all activities"
      />
    )
  if (activity && gone)
    return (
      <RecordGone
        noun="activity"
        id={activity.id}
        what="This activity"
        name={activity.name}
        home={home}
        homeTitle="all activities"
      />
    )
  // The location groups tab has two addresses.
  const shown = tab ?? (route === 'activityGroup' ? 'locations' : 'details')
  const Tab = TABS[shown]
  return (
    <div className="@container flex h-full min-h-0 flex-col short:h-auto short:min-h-full">
      <ActivityHead id={id} activity={activity} subject={subject} />
      <ScreenPanel className="@container min-h-0 flex-1 overflow-y-auto" data-scroll="" tabIndex={-1}>
        {!activity || !subject ? (
          <TabSkeleton tab={shown} />
        ) : Tab ? (
          // A tab that fails to load leaves the header and the other tabs usable.
          <ErrorBoundary key={shown}>
            <Tab activity={activity} subject={subject} />
          </ErrorBoundary>
        ) : null}
      </ScreenPanel>
    </div>
  )
}
