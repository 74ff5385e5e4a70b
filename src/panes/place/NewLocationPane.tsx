import { type ClipboardEvent, useMemo } from 'react'
import { parseAddress } from '../../../contract/address.ts'
import { faultsOf, inputOf, textsOf } from '../../../contract/fieldKinds.ts'
import { locationFields } from '../../../contract/locationFields.ts'
import { href } from '../../routing/routes.ts'
import type { MapPoint } from '../../ui/charts/PointMap.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { DrawnPoints } from '../shared/PlaceMap.tsx'
import { idIn } from './locationFilters.ts'
import { locationHref, POSITION_LOOKS } from './locationSubject.ts'
import { useGroupSearch, usePicked } from './pickerSearch.ts'
import { SearchPicker } from './SearchPicker.tsx'
import { useDryRun } from './useDryRun.ts'

const WARNING = 'flex flex-wrap items-center gap-x-3 rounded-md bg-amber-wash px-3 py-1.5 text-amber-ink'

/** Creates one location; a pasted address is split into fields (people-area 2). `?group=301` prefills its group. */
export default function NewLocationPane() {
  const { query } = usePane()
  const of = idIn(query.group)
  const finding = useGroupSearch()
  const form = useFieldForm('location', locationFields, {
    of,
    initial: useMemo(() => ({ group_ids: of ? [of] : [] }), [of]),
    saved: ({ data, warnings }) => ({
      name: [`“${data.name}” was added.`, ...warnings].join(' '),
      leads: href('locations', {}, { query: { search: data.name } }),
    }),
    // The groups stay.
    another: ({ group_ids }) => ({ ...textsOf(locationFields), group_ids }),
  })
  const { values } = form
  const [groups, noteNames] = usePicked('group', values.group_ids)
  const ready = !Object.keys(faultsOf(locationFields, values)).length
  const { data: seen } = useDryRun('location.create', ready ? inputOf(locationFields, values) : null)
  const place = seen?.data
  const points = useMemo<readonly MapPoint[]>(
    () =>
      place && place.latitude !== null && place.longitude !== null
        ? [{ lat: place.latitude, lng: place.longitude, look: place.position === 'exact' ? 'dot' : 'ring' }]
        : [],
    [place],
  )
  const onPaste = (event: ClipboardEvent) => {
    const { street, city, state, zip } = parseAddress(event.clipboardData.getData('text/plain'))
    if (!street || !(city || zip)) return
    event.preventDefault()
    form.fill({ address: street, city, state, zip })
  }
  const same = seen?.same[0]
  // The last one is about the other place at this address.
  const doubts = (seen?.warnings ?? []).slice(0, same ? -1 : undefined)
  return (
    <FieldForm
      form={form}
      fields={locationFields}
      title="New location"
      send="Create location"
      another="Create and add another"
      controls={{
        address: (bound) => (
          <TextInput {...bound} onPaste={onPaste} autoComplete="off" maxLength={300} placeholder="120 Main St" />
        ),
        group_ids: ({ onChange }) => (
          <SearchPicker
            words={['location group', 'location groups']}
            {...finding}
            value={groups}
            onChange={(picked) => {
              noteNames(picked)
              onChange(picked.map(({ id }) => id))
            }}
            none="There are no location groups yet."
          />
        ),
      }}
      below={{
        coordinates: (same || doubts.length > 0) && (
          <div role="status" className="flex flex-col gap-2 @lg:col-span-2">
            {doubts.map((text) => (
              <p key={text} className={WARNING}>
                {text}
              </p>
            ))}
            {same && (
              <p className={WARNING}>
                <span>
                  “<bdi>{same.name}</bdi>” is at this address.
                </span>
                <PaneLink to={locationHref(same)} className="underline">
                  Use that one
                </PaneLink>
              </p>
            )}
          </div>
        ),
      }}
      sections={[
        {
          id: 'location',
          title: 'Location',
          fields: ['name', 'address', 'city', 'state', 'zip', 'coordinates', 'group_ids'],
          end: (
            <div className="flex min-w-0 flex-col gap-4 @lg:col-span-2">
              {place && (
                <section aria-label="Where it is" className="flex flex-col gap-1.5">
                  <p className="text-meta text-muted">
                    {place.position === 'exact'
                      ? 'Exact position.'
                      : place.position === 'none'
                        ? 'No position is known for this address.'
                        : `Approximate: ${place.position === 'zip' ? `ZIP ${place.zip}` : [place.city, place.state].filter(Boolean).join(', ')}`}
                  </p>
                  <DrawnPoints label={`${place.name} on a map`} points={points} height={220} empty={POSITION_LOOKS.none[0]} />
                </section>
              )}
            </div>
          ),
        },
      ]}
    />
  )
}
