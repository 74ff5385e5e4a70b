import { useMemo, useState } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { present, resultOpening } from '../../runner/present.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Field } from '../../ui/Field.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { clientSubject } from '../shared/clientSubject.ts'
import { SubmitButton } from '../shared/form/SubmitButton.tsx'
import { PlaceMap } from '../shared/PlaceMap.tsx'
import { RecordError } from '../shared/RecordError.tsx'
import type { PickOption } from '../shared/recordPicking.ts'
import { idIn } from './locationFilters.ts'
import { usePlaceSearch } from './pickerSearch.ts'
import { SearchPicker } from './SearchPicker.tsx'
import { usePickForm } from './usePickForm.ts'

type Way = 'empty' | 'pick'
const WAYS: readonly { value: Way; label: string }[] = [
  { value: 'empty', label: 'Empty' },
  { value: 'pick', label: 'Pick locations' },
]

/** Creates a client's location group, empty or with locations (people-area 2). `?activity=12` links it there. */
export default function NewGroupPane({ params }: PaneProps) {
  const id = Number(params.id)
  const { go, query } = usePane()
  const keys = useKeys()
  const client = useCall('client.get', { id }, { fresh: true })
  const [name, setName] = useState('')
  const [way, setWay] = useState<Way>('empty')
  const [picks, setPicks] = useState<readonly PickOption[]>([])
  const activity = idIn(query.activity)
  const finding = usePlaceSearch(null)
  const discard = () => {
    setName('')
    setPicks([])
  }
  const { error, busy, form } = usePickForm({
    dirty: name !== '' || picks.length > 0,
    fault: name.trim() ? null : MESSAGES.groupName,
    failed: 'The location group couldn’t be added',
    discard,
    async send(attempt, waits) {
      const { data } = await api.write(
        'group.create',
        {
          client_id: id,
          name: name.trim(),
          ...(way === 'pick' && picks.length ? { location_ids: picks.map((one) => one.id) } : {}),
          ...(activity ? { activity_id: activity } : {}),
        },
        { attempt },
      )
      discard()
      const onOk = () => go(href('group', { id: data.id }, { tab: 'locations' }))
      const title = 'Location Group created'
      const body = `“${data.name}” has ${data.locations_count} ${data.locations_count === 1 ? 'location' : 'locations'}.`
      present(waits, resultOpening({ kind: 'dialog', title, body, onOk }), `${title}: ${data.name}`, {
        tone: 'good',
        leads: onOk,
      })
    },
  })
  const ids = useMemo(() => picks.map((one) => one.id).join(','), [picks])
  const of = client.data?.data
  usePaneSubject(useMemo(() => (of ? clientSubject(of) : null), [of]))
  if (client.error && !client.data)
    return (
      <RecordError
        error={client.error}
        retry={client.retry}
        what={`Client ${id}`}
        home={href('clients')}
        homeTitle="all clients"
      />
    )
  return (
    <div className="@container max-w-3xl px-4 pt-3 pb-8">
      <h1 className="text-title">New location group</h1>
      {of && (
        <p className="mt-1 text-muted">
          For{' '}
          <PaneLink to={href('client', { id }, { tab: 'groups' })} className="underline">
            <bdi>{of.name}</bdi>
          </PaneLink>
        </p>
      )}
      <form {...form} data-fill-in="" aria-label="New location group" className="mt-4 flex flex-col gap-4">
        <Field label="Group name" required error={error}>
          <TextInput value={name} onChange={setName} autoComplete="off" maxLength={200} />
        </Field>
        <Field label="Locations" group>
          <RadioGroup value={way} onChange={setWay} options={WAYS} />
        </Field>
        {way === 'pick' && (
          <>
            <Field label="Pick locations" group>
              <SearchPicker
                words={['location', 'locations']}
                {...finding}
                value={picks}
                onChange={setPicks}
                none="There are no locations yet."
              />
            </Field>
            {ids && <PlaceMap label="The selected locations" where={{ ids }} height={260} />}
          </>
        )}
        <SubmitButton busy={busy} data-command="form.send" kbd={keys('form.send') ?? undefined} className="self-start">
          Create location group
        </SubmitButton>
        <CommandButton id="group.fromFile" className="self-start" />
      </form>
    </div>
  )
}
