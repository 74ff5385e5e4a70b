import { useEffect, useMemo } from 'react'
import { pick } from '../../../contract/fieldKinds.ts'
import { locationFields } from '../../../contract/locationFields.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { type EditRow, EditRows, fieldRows } from '../shared/EditRows.tsx'
import { PlaceMap } from '../shared/PlaceMap.tsx'
import { isGone, RecordGone } from '../shared/RecordGone.tsx'
import { RecordState } from '../shared/RecordState.tsx'
import { PositionPill, placeField } from './locationColumns.tsx'
import { coordinatesOf, type Location, locationSubject } from './locationSubject.ts'

function rowsOf(place: Location): EditRow<Location>[] {
  return [
    ...fieldRows(pick(locationFields, 'name', 'address', 'city', 'state', 'zip'), place, placeField),
    {
      id: 'position',
      label: 'Position',
      shown: <PositionPill position={place.position} />,
    },
    {
      id: 'coordinates',
      label: locationFields.coordinates.label,
      shown: coordinatesOf(place) && <span className="font-mono">{coordinatesOf(place)}</span>,
      edit: { ...placeField('coordinates'), value: coordinatesOf },
    },
    {
      id: 'groups',
      label: 'Groups',
      shown: place.groups.length ? (
        <span className="flex flex-wrap gap-x-3">
          {place.groups.map(({ id, name }) => (
            <PaneLink
              key={id}
              to={href('group', { id }, { tab: 'locations' })}
              className="rounded-sm text-accent-ink hover:underline"
            >
              <bdi>{name}</bdi>
            </PaneLink>
          ))}
        </span>
      ) : (
        'None'
      ),
    },
    ...(place.repeats
      ? [
          {
            id: 'repeats',
            label: 'Same address',
            shown: `${place.repeats} other ${place.repeats === 1 ? 'location' : 'locations'}`,
            to: href('locations', {}, { query: { search: place.address, repeated: 'yes' } }),
          },
        ]
      : []),
    { id: 'created', label: 'Created', shown: moment(place.created_at) },
    { id: 'changed', label: 'Last change', shown: moment(place.updated_at) },
  ]
}

/** Shows one location: address and position, edited in place, its groups, and a map. */
export function LocationDetails({ id }: { id: number }) {
  const { setSubject, setTitle } = usePane()
  const answer = useCall('location.get', { id }, { fresh: true })
  const place = answer.data?.data
  const gone = isGone(answer.error)
  const subject = useMemo(() => (place && !gone ? locationSubject(place) : null), [place, gone])
  useEffect(() => {
    if (subject) setSubject(subject)
  }, [subject, setSubject])
  useEffect(() => () => setSubject(null), [setSubject])
  const name = place?.name
  useEffect(() => {
    if (name) setTitle(name)
    return () => setTitle(null)
  }, [name, setTitle])
  const home = href('locations')
  if (!place)
    return (
      <RecordState
        answer={answer}
        record={{ noun: 'location', id }}
        what={`Location ${id}`}
        home={home}
        homeTitle="all locations"
      />
    )
  if (gone || !subject)
    return (
      <RecordGone noun="location" id={place.id} what="This location" name={place.name} home={home} homeTitle="all locations" />
    )
  return (
    <div className="@container h-full overflow-y-auto pb-8" data-scroll="" tabIndex={-1}>
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pt-3 pb-2">
        <h1 dir="auto" className="min-w-0 truncate text-head @max-md:text-wrap">
          {place.name}
        </h1>
        <span className="font-mono text-meta text-muted">P-{place.id}</span>
        <span className="ml-auto flex items-center gap-1.5">
          <CommandButton id="location.edit" subjects={[subject]} />
          <CommandMenu subjects={[subject]} />
        </span>
      </header>
      <div className="max-w-4xl">
        <EditRows label="Location" record={place} rows={rowsOf(place)} />
        <div className="flex flex-wrap gap-1.5 border-y border-line px-4 py-3">
          <CommandButton id="location.addToGroups" subjects={[subject]} />
          <CommandButton id="location.remove" subjects={[subject]} variant="danger" />
        </div>
        <PlaceMap
          label={`${place.name} on a map`}
          where={{ ids: String(id) }}
          height={280}
          empty="Its position is unknown. Enter coordinates, or correct the address."
          className="px-4 pt-4"
        />
      </div>
    </div>
  )
}
