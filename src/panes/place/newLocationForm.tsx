import { type ClipboardEvent, useMemo } from 'react'
import { parseAddress } from '../../../contract/address.ts'
import { faultsOf, inputOf, textsOf } from '../../../contract/fieldKinds.ts'
import { locationFields } from '../../../contract/locationFields.ts'
import { href } from '../../routing/routes.ts'
import type { MapPoint } from '../../ui/charts/PointMap.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { type FormOf, type NewForm, newPane } from '../shared/form/declaredForm.tsx'
import type { Bound } from '../shared/form/FormField.tsx'
import { DrawnPoints } from '../shared/PlaceMap.tsx'
import { idIn } from './locationFilters.ts'
import { locationHref, POSITION_LOOKS } from './locationSubject.ts'
import { useGroupSearch, usePicked } from './pickerSearch.ts'
import { SearchPicker } from './SearchPicker.tsx'
import { useDryRun } from './useDryRun.ts'

const WARNING = 'flex flex-wrap items-center gap-x-3 rounded-md bg-amber-wash px-3 py-1.5 text-amber-ink'

type State = FormOf<'location', typeof locationFields>
/** A new location; a pasted address is split into fields (people-area 2). `?group=301` prefills its group. */
const form: NewForm<'location', typeof locationFields, null> = {
  noun: 'location',
  fields: locationFields,
  of: null,
  useSpecial() {
    const { query } = usePane()
    const of = idIn(query.group)
    return {
      form: {
        of: of ?? undefined,
        initial: useMemo(() => ({ group_ids: of ? [of] : [] }), [of]),
        saved: ({ data, warnings }) => ({
          name: [`“${data.name}” was added.`, ...warnings].join(' '),
          leads: href('locations', {}, { query: { search: data.name } }),
        }),
        // The groups stay.
        another: ({ group_ids }) => ({ ...textsOf(locationFields), group_ids }),
      },
      another: 'Create and add another',
      useDrawn,
    }
  },
}
export const pane = newPane(form)

/** Where the location is, and what is doubtful about it, as a dry run finds. */
function useDrawn({ values, fill }: State) {
  const finding = useGroupSearch()
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
    fill({ address: street, city, state, zip })
  }
  const same = seen?.same[0]
  // The last one is about the other place at this address.
  const doubts = (seen?.warnings ?? []).slice(0, same ? -1 : undefined)
  return {
    controls: {
      address: (bound: Bound<string>) => (
        <TextInput
          {...bound}
          onPaste={onPaste}
          autoComplete="off"
          maxLength={locationFields.address.max}
          placeholder="120 Main St"
        />
      ),
      group_ids: ({ onChange }: Bound<readonly number[]>) => (
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
    },
    below: {
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
    },
    sections: [
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
    ],
  }
}
