import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { TabSkeleton } from '../../ui/Skeletons.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { RecordFrame } from '../shared/RecordFrame.tsx'
import { GroupDetails } from './GroupDetails.tsx'
import { GroupLocations } from './GroupLocations.tsx'
import { groupSubject } from './locationSubject.ts'

/** One location group: details, uses and locations (people-area 2). */
export default function GroupPane({ params, tab }: PaneProps) {
  const id = Number(params.id)
  const answer = useCall('group.get', { id }, { fresh: true })
  return (
    <RecordFrame
      noun="group"
      id={id}
      answer={answer}
      subjectOf={groupSubject}
      title="Location group"
      home={href('clientGroups')}
      homeTitle="client location groups"
      clientTab="groups"
      counts={{ locations: answer.data?.data.locations_count }}
      actions={(subject) => <CommandButton id="group.rename" subjects={[subject]} className="@max-md:hidden" />}
    >
      {(group, subject) =>
        !group || !subject ? (
          <TabSkeleton tab={tab} />
        ) : tab === 'locations' ? (
          <GroupLocations group={group} />
        ) : (
          <GroupDetails group={group} subject={subject} />
        )
      }
    </RecordFrame>
  )
}
