import { useState } from 'react'
import { stripBidi } from '../../../contract/bidi.ts'
import { locationFields } from '../../../contract/locationFields.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { linkedWords } from '../../commands/placeWords.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { present, resultOpening } from '../../runner/present.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Field } from '../../ui/Field.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { SubmitButton } from '../shared/form/SubmitButton.tsx'
import { PlaceMap } from '../shared/PlaceMap.tsx'
import { RecordError } from '../shared/RecordError.tsx'
import type { PickOption } from '../shared/recordPicking.ts'
import { useUnlinkedGroupSearch } from './pickerSearch.ts'
import { SearchPicker } from './SearchPicker.tsx'
import { useDryRun } from './useDryRun.ts'
import { usePickForm } from './usePickForm.ts'

const idsIn = (text: string | undefined): number[] =>
  (text ?? '').split(',').map(Number).filter(Number.isSafeInteger).filter(Boolean)

/** Links location groups of an activity's client to the activity (people-area 2). `?groups=301` prefills. */
export default function LinkGroupsPane({ params }: PaneProps) {
  const id = Number(params.id)
  const activity = useCall('activity.get', { id }, { fresh: true })
  const { query } = usePane()
  const wanted = idsIn(query.groups)
  const free = useCall('activity.availableGroups', wanted.length ? { id } : null)
  if (activity.error && !activity.data)
    return (
      <RecordError
        error={activity.error}
        retry={activity.retry}
        what={`Activity ${id}`}
        home={href('activities')}
        homeTitle="all activities"
      />
    )
  if (!activity.data || (wanted.length && !free.data && !free.error)) return null
  const initial = (free.data?.data ?? []).filter((one) => wanted.includes(one.id)).map(({ id, name }) => ({ id, name }))
  return <LinkForm key={id} activity={activity.data.data} initialPicks={initial} />
}

function LinkForm({
  activity,
  initialPicks: initial,
}: {
  activity: { id: number; name: string; project_id: number; project_name: string; client_id: number; client_name: string }
  initialPicks: readonly PickOption[]
}) {
  const { id } = activity
  const { go } = usePane()
  const keys = useKeys()
  const [picks, setPicks] = useState(initial)
  const finding = useUnlinkedGroupSearch(id)
  const input = picks.length ? { activity_id: id, location_group_ids: picks.map((one) => one.id) } : null
  const { data: effect, refused } = useDryRun('activity.linkGroups', input)
  const { error, busy, form } = usePickForm({
    dirty: picks !== initial && picks.length > 0,
    fault: picks.length ? null : MESSAGES.chooseGroup,
    failed: 'The location group couldn’t be linked',
    discard: () => setPicks([]),
    async send(attempt, waits) {
      const { message } = await api.write('activity.linkGroups', input!, { attempt })
      setPicks([])
      const onOk = () => go(href('activity', { id }, { tab: 'locations' }))
      const body = effect ? linkedWords(effect.data) : message
      present(waits, resultOpening({ kind: 'dialog', title: 'Location Group added', body, onOk }), message, {
        tone: 'good',
        leads: onOk,
      })
    },
  })
  const ids = picks.map((one) => one.id).join(',')
  return (
    <div className="@container max-w-3xl px-4 pt-3 pb-8">
      <h1 className="text-head">Link to a location group</h1>
      <p className="mt-1 flex flex-wrap gap-x-3 text-muted">
        <PaneLink to={href('activity', { id }, { tab: 'locations' })} className="rounded-sm text-accent-ink hover:underline">
          <bdi>{activity.name}</bdi>
        </PaneLink>
        <PaneLink
          to={href('project', { id: activity.project_id }, { tab: 'overview' })}
          className="rounded-sm text-accent-ink hover:underline"
        >
          <bdi>{activity.project_name}</bdi>
        </PaneLink>
        <PaneLink
          to={href('client', { id: activity.client_id }, { tab: 'groups' })}
          className="rounded-sm text-accent-ink hover:underline"
        >
          <bdi>{activity.client_name}</bdi>
        </PaneLink>
      </p>
      <form {...form} data-fill-in="" aria-label="Link to a location group" className="mt-4 flex flex-col gap-4">
        <Field label={locationFields.group_ids.label} group required error={error}>
          <SearchPicker
            words={['location group', 'location groups']}
            {...finding}
            value={picks}
            onChange={setPicks}
            none={
              <>
                {/* In Chromium, an isolate that a name leaves open ends with ours, and turns what follows round. */}
                All groups of <bdi>{stripBidi(activity.client_name)}</bdi> are linked.{' '}
                <PaneLink to={href('newGroup', { id: activity.client_id }, { query: { activity: id } })} className="underline">
                  New group
                </PaneLink>
              </>
            }
          />
        </Field>
        {picks.length > 0 && (
          <>
            <p role="status" className={refused ? 'text-red-ink' : 'text-muted'}>
              {refused ?? (effect ? linkedWords(effect.data) : ' ')}
            </p>
            <PlaceMap label="Locations of the selected groups" where={{ group_ids: ids }} height={280} />
          </>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton busy={busy} data-command="form.send" kbd={keys('form.send') ?? undefined}>
            Link
          </SubmitButton>
          <PaneLink
            to={href('newGroup', { id: activity.client_id }, { query: { activity: id } })}
            className="text-accent-ink hover:underline"
          >
            New group…
          </PaneLink>
        </div>
      </form>
    </div>
  )
}
