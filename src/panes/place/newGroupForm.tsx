import { useMemo, useRef, useState } from 'react'
import { groupFields } from '../../../contract/groupFields.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { type FormOf, type NewForm, newPane } from '../shared/form/declaredForm.tsx'
import type { Bound } from '../shared/form/FormField.tsx'
import { PlaceMap } from '../shared/PlaceMap.tsx'
import { idIn } from './locationFilters.ts'
import { usePicked, usePlaceSearch } from './pickerSearch.ts'
import { SearchPicker } from './SearchPicker.tsx'

type Way = 'empty' | 'pick'
const WAYS: readonly { value: Way; label: string }[] = [
  { value: 'empty', label: 'Empty' },
  { value: 'pick', label: 'Pick locations' },
]

type State = FormOf<'group', typeof groupFields>
/** A client's new location group, empty or with locations (people-area 2). `?activity=12` links it there. */
const form: NewForm<'group', typeof groupFields, 'client'> = {
  noun: 'group',
  fields: groupFields,
  of: 'client',
  useSpecial({ id, name }) {
    const activity_id = idIn(usePane().query.activity)
    return {
      form: {
        initial: useMemo(() => ({ client_id: String(id) }), [id]),
        more: activity_id ? { activity_id } : {},
        saved: ({ data }) => ({
          name: `“${data.name}” has ${data.locations_count} ${data.locations_count === 1 ? 'location' : 'locations'}.`,
          leads: href('group', { id: data.id }, { tab: 'locations' }),
        }),
      },
      aside: (
        <p className="mt-0.5 text-meta text-muted">
          For{' '}
          <PaneLink to={href('client', { id }, { tab: 'groups' })} className="underline">
            <bdi>{name}</bdi>
          </PaneLink>
        </p>
      ),
      // Its client is the screen's.
      hides: ['client_id'],
      useDrawn,
    }
  },
}
export const pane = newPane(form)

function useDrawn({ values: { location_ids } }: State) {
  const [way, setWay] = useState<Way>(location_ids.length ? 'pick' : 'empty')
  const picked = useRef(location_ids)
  const [places, noteNames] = usePicked('location', location_ids)
  const finding = usePlaceSearch(null)
  return {
    controls: {
      location_ids: ({ onChange }: Bound<readonly number[]>) => (
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
    },
    sections: [
      {
        id: 'group',
        title: 'Location group',
        fields: ['name', 'location_ids'],
        end: <CommandButton id="group.fromFile" className="self-start justify-self-start" />,
      },
    ],
  }
}
