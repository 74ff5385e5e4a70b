import { useMemo } from 'react'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import type { Subject } from '../../commands/subject.ts'
import { ComparedPill } from '../../compare/ComparedPill.tsx'
import { useCall } from '../../data/useCall.ts'
import { openedName } from '../../list/recordTrails.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { useKeys } from '../../runner/useCommands.ts'
import { ScreenTabs } from '../../shell/ScreenTabs.tsx'
import { PaceBar } from '../../ui/charts/PaceBar.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { usePart } from '../../workspace/compareRole.ts'
import { MainAction } from '../../workspace/MainAction.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { paceTone, recordHref } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'
import { TypePill } from '../shared/TypePill.tsx'
import type { Activity } from './activitySubject.ts'

/** An activity's header: name, type, project with status and pacing, client, position among its siblings, and tabs. */
export function ActivityHead({ id, activity, subject }: { id: number; activity: Activity | undefined; subject: Subject | null }) {
  const opened = useMemo(() => openedName('activity', id), [id])
  const part = usePart()
  const project = useCall('activity.project', activity ? { activity_id: activity.id } : null).data?.data
  return (
    <header className="shrink-0">
      <div className="px-4 pt-3 pb-2">
        <div className="flex min-h-6 items-center gap-2.5">
          <h1 dir="auto" className="truncate text-head @max-md:text-wrap">
            {activity?.name ?? opened ?? ' '}
          </h1>
          {activity && <TypePill type={activity.activity_type} />}
          <ComparedPill short className="shrink-0" />
          {subject && (
            <span className="ml-auto flex shrink-0 items-center gap-1.5">
              {!part && (
                <MainAction>
                  <CommandButton id="activity.edit" subjects={[subject]} className="@max-md:hidden" />
                </MainAction>
              )}
              <CommandMenu subjects={[subject]} />
            </span>
          )}
        </div>
        <div className="mt-1 flex min-h-7 flex-wrap items-center gap-x-3.5 gap-y-1 text-meta text-muted">
          {activity && (
            <>
              <span className="font-mono whitespace-nowrap">{codeOf('activity', activity.id)}</span>
              <span className="flex max-w-full min-w-0 items-center gap-2">
                <PaneLink
                  to={recordHref(project?.generation ?? 'project', activity.project_id)}
                  className="truncate hover:text-ink hover:underline @max-md:text-wrap"
                >
                  {activity.project_name}
                </PaneLink>
                {project && <StatusPill stored={project.stored_status} shown={project.status_shown} className="shrink-0" />}
                {project && (project.stored_status === 'active' || project.stored_status === 'paused') && (
                  <PaceBar
                    value={project.pacing}
                    tone={paceTone(project.pacing_color, { state: project.pacing_state, stored: project.stored_status })}
                  />
                )}
              </span>
              <PaneLink to={href('client', { id: activity.client_id })} className="truncate hover:text-ink hover:underline">
                {activity.client_name}
              </PaneLink>
              {!part && activity.of > 1 && <Place activity={activity} />}
            </>
          )}
        </div>
      </div>
      <ScreenTabs label="Activity" />
    </header>
  )
}

/** Shows "2 of 5 activities" with the keys for previous and next. */
function Place({ activity }: { activity: Activity }) {
  const keys = useKeys()
  const [before, after] = [keys('activity.previous'), keys('activity.next')]
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap tabular-nums">
      {count(activity.nth)} of {count(activity.of)} activities
      {activity.previous_id && before && <Kbd keys={before} />}
      {activity.next_id && after && <Kbd keys={after} />}
    </span>
  )
}
