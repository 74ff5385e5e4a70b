import { useMemo, useRef, useState } from 'react'
import { groupFields } from '../../../contract/groupFields.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { clientSubject } from '../shared/clientSubject.ts'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { PlaceMap } from '../shared/PlaceMap.tsx'
import { RecordError } from '../shared/RecordError.tsx'
import { idIn } from './locationFilters.ts'
import { usePicked, usePlaceSearch } from './pickerSearch.ts'
import { SearchPicker } from './SearchPicker.tsx'

type Way = 'empty' | 'pick'
const WAYS: readonly { value: Way; label: string }[] = [
  { value: 'empty', label: 'Empty' },
  { value: 'pick', label: 'Pick locations' },
]

/** Creates a client's location group, empty or with locations (people-area 2). `?activity=12` links it there. */
export default function NewGroupPane({ params }: PaneProps) {
  const id = Number(params.id)
  const client = useCall('client.get', { id }, { fresh: true })
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
  return <Form key={id} id={id} client={of} />
}

function Form({ id, client }: { id: number; client: { name: string } | undefined }) {
  const { query } = usePane()
  const activity_id = idIn(query.activity)
  const form = useFieldForm('group', groupFields, {
    of: id,
    initial: useMemo(() => ({ client_id: String(id) }), [id]),
    more: activity_id ? { activity_id } : {},
    saved: ({ data }) => ({
      name: `“${data.name}” has ${data.locations_count} ${data.locations_count === 1 ? 'location' : 'locations'}.`,
      leads: href('group', { id: data.id }, { tab: 'locations' }),
    }),
  })
  const { location_ids } = form.values
  const [way, setWay] = useState<Way>(location_ids.length ? 'pick' : 'empty')
  const picked = useRef(location_ids)
  const [places, noteNames] = usePicked('location', location_ids)
  const finding = usePlaceSearch(null)
  return (
    <FieldForm
      form={form}
      fields={groupFields}
      title="New location group"
      aside={
        client && (
          <p className="mt-0.5 text-meta text-muted">
            For{' '}
            <PaneLink to={href('client', { id }, { tab: 'groups' })} className="underline">
              <bdi>{client.name}</bdi>
            </PaneLink>
          </p>
        )
      }
      send="Create location group"
      hides={['client_id']}
      controls={{
        location_ids: ({ onChange }) => (
          <div className="flex flex-col gap-3">
            <RadioGroup
              value={way}
              onChange={(next) => {
                // What was picked comes back with the way.
                if (next === 'empty') picked.current = location_ids
                onChange(next === 'empty' ? [] : picked.current)
                setWay(next)
              }}
              options={WAYS}
            />
            {way === 'pick' && (
              <SearchPicker
                words={['location', 'locations']}
                {...finding}
                value={places}
                onChange={(next) => {
                  noteNames(next)
                  onChange(next.map((one) => one.id))
                }}
                none="There are no locations yet."
              />
            )}
            {location_ids.length > 0 && (
              <PlaceMap label="The selected locations" where={{ ids: location_ids.join(',') }} height={260} />
            )}
          </div>
        ),
      }}
      sections={[
        {
          id: 'group',
          title: 'Location group',
          fields: ['name', 'location_ids'],
          end: <CommandButton id="group.fromFile" className="self-start justify-self-start" />,
        },
      ]}
    />
  )
}
