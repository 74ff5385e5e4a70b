import { type ClipboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { parseAddress } from '../../../contract/address.ts'
import { readCoordinates } from '../../../contract/fieldKinds.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import type { FormController } from '../../commands/workspaceApi.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { present, resultOpening } from '../../runner/present.ts'
import { toast } from '../../runner/toast.tsx'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import type { MapPoint } from '../../ui/charts/PointMap.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import { SubmitButton } from '../shared/form/SubmitButton.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { DrawnPoints } from '../shared/PlaceMap.tsx'
import type { PickOption } from '../shared/recordPicking.ts'
import { idIn } from './locationFilters.ts'
import { locationHref, POSITION_LOOKS } from './locationSubject.ts'
import { useGroupSearch } from './pickerSearch.ts'
import { SearchPicker } from './SearchPicker.tsx'
import { useDryRun } from './useDryRun.ts'

const EMPTY = { name: '', address: '', city: '', state: '', zip: '', coordinates: '' }
type Values = typeof EMPTY

/** Validates a location; returns the specification's messages. */
const faultsOf = ({ name, address, coordinates }: Values): Partial<Values> => ({
  ...(name.trim() ? {} : { name: MESSAGES.locationName }),
  ...(address.trim() ? {} : { address: MESSAGES.locationAddress }),
  ...(!coordinates.trim() || readCoordinates(coordinates) ? {} : { coordinates: MESSAGES.bothCoordinates }),
})

const inputOf = ({ coordinates, ...values }: Values, groups: readonly PickOption[]) => ({
  ...values,
  ...(coordinates.trim() ? readCoordinates(coordinates) : {}),
  ...(groups.length ? { group_ids: groups.map(({ id }) => id) } : {}),
})

/** Creates one location; a pasted address is split into fields (people-area 2). `?group=301` prefills its group. */
export default function NewLocationPane() {
  const { query, setDirty, go } = usePane()
  const keys = useKeys()
  const group = useCall('group.get', idIn(query.group) ? { id: idIn(query.group)! } : null).data?.data
  const [groups, setGroups] = useState<readonly PickOption[]>([])
  const finding = useGroupSearch()
  const started = useRef(false)
  useEffect(() => {
    if (!group || started.current) return
    started.current = true
    setGroups([{ id: group.id, name: group.name }])
  }, [group])
  /** "Create and add another" keeps the groups and clears the rest. */
  const another = useRef(false)
  const { values, set, bind, errors, busy, serverError, form, reset, dirty } = useSmallForm({
    initial: EMPTY,
    check: faultsOf,
    async send(submitted, attempt, waits) {
      const again = another.current
      another.current = false
      const { data, warnings } = await api
        .write('location.create', inputOf(submitted, groups), { attempt })
        .catch((error: Error) => {
          if (waits()) resultOpening({ kind: 'dialog', title: 'The location couldn’t be added', body: error.message }).open()
          throw error
        })
      reset(EMPTY)
      const body = [`“${data.name}” was added.`, ...warnings].join(' ')
      if (again) {
        if (waits()) form.ref.current?.querySelector('input')?.focus()
        return void toast(`Location created: ${data.name}`, { tone: 'good' })
      }
      setGroups([])
      const onOk = () => go(href('locations', {}, { query: { search: data.name } }))
      present(waits, resultOpening({ kind: 'dialog', title: 'Location created', body, onOk }), `Location created: ${data.name}`, {
        tone: 'good',
        leads: onOk,
      })
    },
  })
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  const latest = useRef({ reset })
  latest.current = { reset }
  usePaneForm(
    useMemo<FormController>(
      () => ({
        send: () => form.ref.current?.requestSubmit(),
        another: () => {
          another.current = true
          form.ref.current?.requestSubmit()
        },
        discard: () => latest.current.reset(EMPTY),
      }),
      [form.ref],
    ),
  )
  const ready = Boolean(values.name.trim() && values.address.trim()) && !Object.keys(faultsOf(values)).length
  const { data: seen } = useDryRun('location.create', ready ? inputOf(values, []) : null)
  const place = seen?.data
  const points = useMemo<readonly MapPoint[]>(
    () =>
      place && place.latitude !== null && place.longitude !== null
        ? [{ lat: place.latitude, lng: place.longitude, look: place.position === 'exact' ? 'dot' : 'ring' }]
        : [],
    [place],
  )
  const onPaste = (event: ClipboardEvent) => {
    const parts = parseAddress(event.clipboardData.getData('text/plain'))
    if (!parts.street || !(parts.city || parts.zip)) return
    event.preventDefault()
    set('address', parts.street)
    set('city', parts.city)
    set('state', parts.state)
    set('zip', parts.zip)
  }
  const same = seen?.same[0]
  return (
    <div className="@container max-w-3xl px-4 pt-3 pb-8">
      <h1 className="text-title">New location</h1>
      <form {...form} data-fill-in="" aria-label="New location" className="mt-4 flex flex-col gap-4">
        <Field label="Location name" required error={errors.name ?? null}>
          <TextInput {...bind('name')} autoComplete="off" maxLength={200} />
        </Field>
        <Field label="Address" required error={errors.address ?? null} hint="Paste a full address to fill in all fields.">
          <TextInput {...bind('address')} onPaste={onPaste} autoComplete="off" maxLength={300} placeholder="120 Main St" />
        </Field>
        <div className="grid gap-4 @md:grid-cols-[minmax(0,1fr)_96px_112px]">
          <Field label="City" error={errors.city ?? null}>
            <TextInput {...bind('city')} autoComplete="off" />
          </Field>
          <Field label="State" error={errors.state ?? null}>
            <TextInput {...bind('state')} autoComplete="off" />
          </Field>
          <Field label="ZIP" error={errors.zip ?? null}>
            <TextInput {...bind('zip')} autoComplete="off" inputMode="numeric" />
          </Field>
        </div>
        <Field
          label="Coordinates"
          error={errors.coordinates ?? null}
          hint="Optional, as 42.36, -71.06. Leave empty to look up the address."
        >
          <TextInput {...bind('coordinates')} autoComplete="off" className="font-mono" />
        </Field>
        {same && (
          <p role="status" className="flex flex-wrap items-center gap-x-3 rounded-md bg-amber-wash px-3 py-1.5 text-amber-ink">
            <span>
              “<bdi>{same.name}</bdi>” is at this address.
            </span>
            <PaneLink to={locationHref(same)} className="underline">
              Use that one
            </PaneLink>
          </p>
        )}
        <Field label="Location groups" group>
          <SearchPicker
            words={['location group', 'location groups']}
            {...finding}
            value={groups}
            onChange={setGroups}
            none="There are no location groups yet."
          />
        </Field>
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
        {serverError && <AnswerError title="The location couldn’t be added" error={serverError} className="px-0 py-0" />}
        <div className="flex flex-wrap gap-2">
          <SubmitButton busy={busy} data-command="form.send" kbd={keys('form.send') ?? undefined}>
            Create location
          </SubmitButton>
          <Button
            type="submit"
            data-command="form.another"
            kbd={keys('form.another') ?? undefined}
            onClick={() => {
              another.current = true
            }}
          >
            Create and add another
          </Button>
        </div>
      </form>
    </div>
  )
}
