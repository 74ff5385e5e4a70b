import { useEffect, useMemo } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import { ComparedPill } from '../../compare/ComparedPill.tsx'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { ScreenPanel, ScreenTabs } from '../../shell/ScreenTabs.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { RecordTrouble } from '../shared/RecordTrouble.tsx'
import { GroupDetails } from './GroupDetails.tsx'
import { GroupLocations } from './GroupLocations.tsx'
import { groupSubject } from './place.ts'

/** One location group: what it holds and where it is used, and its locations (people-area 2). */
export default function GroupPane({ params, tab }: PaneProps) {
  const { setSubject } = usePane()
  const id = Number(params.id)
  const answer = useCall('group.get', { id }, { fresh: true })
  const group = answer.data?.data
  const gone = isGone(answer.error)
  const subject = useMemo(() => (group && !gone ? groupSubject(group) : null), [group, gone])
  useEffect(() => {
    if (subject || gone) setSubject(subject)
  }, [subject, gone, setSubject])
  const home = href('clientGroups')
  const homeTitle = 'client location groups'
  if (answer.error && !group)
    return (
      <RecordTrouble error={answer.error} retry={answer.retry} what={`Location group ${id}`} home={home} homeTitle={homeTitle} />
    )
  if (group && gone) return <RecordGone what="This location group" name={group.name} home={home} homeTitle={homeTitle} />
  const shown = tab ?? 'details'
  return (
    <div className="@container flex h-full min-h-0 flex-col short:h-auto short:min-h-full">
      <header className="shrink-0">
        <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pt-3 pb-2">
          <h1 dir="auto" className="min-w-0 truncate text-title @max-md:text-wrap">
            {group?.name ?? ' '}
          </h1>
          {group && <span className="font-mono text-meta text-muted">{codeOf('group', group.id)}</span>}
          {group && (
            <PaneLink
              to={href('client', { id: group.client_id }, { tab: 'groups' })}
              className="min-w-0 truncate rounded-sm text-muted hover:text-accent-ink hover:underline"
            >
              <bdi>{group.client_name}</bdi>
            </PaneLink>
          )}
          <ComparedPill short className="shrink-0" />
          {subject && (
            <span className="ml-auto flex items-center gap-1.5">
              <CommandButton id="group.rename" subjects={[subject]} className="@max-md:hidden" />
              <CommandMenu subjects={[subject]} />
            </span>
          )}
        </div>
        <ScreenTabs label="Location group" counts={{ locations: group?.locations_count }} />
      </header>
      <ScreenPanel className="@container min-h-0 flex-1 overflow-y-auto" data-scroll="" tabIndex={-1}>
        {!group || !subject ? (
          <Skeleton rows={8} />
        ) : shown === 'locations' ? (
          <GroupLocations group={group} />
        ) : (
          <GroupDetails group={group} subject={subject} />
        )}
      </ScreenPanel>
    </div>
  )
}
