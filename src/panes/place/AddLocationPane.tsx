import { useMemo, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { present, resultOpening } from '../../runner/present.ts'
import { toast } from '../../runner/toast.tsx'
import { post } from '../../runner/undo.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextArea } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { SetsMap } from '../shared/PlaceMap.tsx'
import { RecordError } from '../shared/RecordError.tsx'
import type { PickOption } from '../shared/recordPicking.ts'
import type { Group } from './locationSubject.ts'
import { usePlaceSearch } from './pickerSearch.ts'
import { SearchPicker } from './SearchPicker.tsx'
import { usePickForm } from './usePickForm.ts'

type Line = Output<'location.find'>['data'][number]

/** Adds locations to a group, opened from an activity (people-area 2). */
export default function AddLocationPane({ params }: PaneProps) {
  const id = Number(params.id)
  const answer = useCall('group.get', { id }, { fresh: true })
  const home = href('clientGroups')
  if (answer.error && !answer.data)
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        what={`Location group ${id}`}
        home={home}
        homeTitle="client location groups"
      />
    )
  if (!answer.data) return null
  return <AddForm key={id} group={answer.data.data} activity={Number(params.activity_id)} />
}

function AddForm({ group, activity }: { group: Group; activity: number }) {
  const { id } = group
  const { go } = usePane()
  const keys = useKeys()
  const of = useCall('activity.get', { id: activity }).data?.data
  const linked = group.activities.some((one) => one.id === activity)
  const finding = usePlaceSearch(id)
  const [picks, setPicks] = useState<readonly PickOption[]>([])
  const [text, setText] = useState('')
  const [lines, setLines] = useState<readonly Line[]>([])
  const [made, setMade] = useState<ReadonlySet<string>>(new Set())
  const fresh = lines.filter(({ found }) => found === 'none')
  const unclear = lines.filter(({ found }) => found === 'several')

  /** Looks up pasted lines: matches are selected, unknown ones can be created. */
  const look = async (pasted: string): Promise<void> => {
    const unique = [
      ...new Set(
        pasted
          .split(/\r?\n/)
          .map((line) => line.trim())
          .filter(Boolean),
      ),
    ].slice(0, 1000)
    if (!unique.length) return
    try {
      const { data } = await api.write('location.find', { lines: unique, group_id: id })
      const ones = data.flatMap(({ found, locations }) => (found === 'one' ? locations : []))
      const free = ones.filter((one) => !one.in_group)
      setPicks((before) => [
        ...before,
        ...free
          .filter(
            (one, at) => !before.some((other) => other.id === one.id) && free.findIndex((other) => other.id === one.id) === at,
          )
          .map(({ id, name, address }) => ({ id, name, detail: address })),
      ])
      setLines(data)
      setMade(new Set(data.flatMap(({ found, line }) => (found === 'none' ? [line] : []))))
    } catch (error) {
      void toast((error as Error).message, { tone: 'bad' })
    }
  }
  const creates = fresh.filter(({ line }) => made.has(line))
  const discard = () => {
    setPicks([])
    setText('')
    setLines([])
    setMade(new Set())
  }
  const { error, busy, form } = usePickForm({
    dirty: picks.length > 0 || text !== '',
    fault: picks.length || creates.length ? null : MESSAGES.chooseLocation,
    failed: 'The locations couldn’t be added',
    discard,
    async send(attempt, waits) {
      const steps: number[] = []
      const undoable = (step: number) => void steps.push(step)
      try {
        for (const [at, { line, parts }] of creates.entries())
          await api.write(
            'location.create',
            {
              name: parts.street || line,
              address: parts.street || line,
              city: parts.city,
              state: parts.state,
              zip: parts.zip,
              group_ids: [id],
            },
            { attempt: `${attempt}-${at}`, undoable },
          )
        if (picks.length)
          await api.write(
            'group.addLocations',
            { location_group_id: id, location_ids: picks.map((one) => one.id) },
            { attempt, undoable },
          )
      } finally {
        // Steps written before a failure can be undone too.
        if (steps.length) post({ title: 'Add locations to', subjects: [{ kind: 'group', id, name: group.name }] }, { steps })
      }
      const added = picks.length + creates.length
      discard()
      const onOk = () => go(linked ? href('activityGroup', { id: activity }) : href('group', { id }, { tab: 'locations' }))
      const body = `${count(added)} ${added === 1 ? 'location is' : 'locations are'} now in “${group.name}”.`
      const title = 'Location added'
      present(waits, resultOpening({ kind: 'dialog', title, body, onOk }), body, { tone: 'good', leads: onOk })
    },
  })
  const ids = picks.map((one) => one.id).join(',')
  const sets = useMemo(() => [{ group_id: id }, ...(ids ? [{ ids }] : [])], [id, ids])
  return (
    <div className="@container max-w-3xl px-4 pt-3 pb-8">
      <h1 className="text-head">Add location to a group</h1>
      <p className="mt-1 flex flex-wrap gap-x-3 text-muted">
        <PaneLink to={href('group', { id }, { tab: 'locations' })} className="rounded-sm text-accent-ink hover:underline">
          <bdi>{group.name}</bdi>
        </PaneLink>
        {of && (
          <PaneLink
            to={href('activity', { id: activity }, { tab: 'locations' })}
            className="rounded-sm text-accent-ink hover:underline"
          >
            <bdi>{of.name}</bdi>
          </PaneLink>
        )}
      </p>
      {of && !linked && (
        <p role="status" className="mt-2 flex flex-wrap items-center gap-3 text-muted">
          <span>
            This group isn’t linked to “<bdi>{of.name}</bdi>”.
          </span>
          {of.client_id === group.client_id && (
            <Button
              data-command="activity.linkGroups"
              onClick={() => {
                api.write('activity.linkGroups', { activity_id: activity, location_group_id: id }).then(
                  ({ message }) => void toast(message, { tone: 'good' }),
                  (failure: Error) => void toast(failure.message, { tone: 'bad' }),
                )
              }}
            >
              Link it
            </Button>
          )}
        </p>
      )}
      <form {...form} data-fill-in="" aria-label="Add location to a group" className="mt-4 flex flex-col gap-4">
        <Field label="Locations" group required error={error}>
          <SearchPicker
            words={['location', 'locations']}
            {...finding}
            value={picks}
            onChange={setPicks}
            none={
              <>
                There are no locations yet. <CommandButton id="add.newLocation" />
              </>
            }
            onPasted={(pasted) => {
              if (!pasted.includes('\n')) return false
              setText(pasted)
              void look(pasted)
              return true
            }}
          />
        </Field>
        <Field label="Addresses or IDs, one per line" hint="Matches are selected; you can create the others.">
          <TextArea value={text} onChange={setText} rows={4} maxLength={60_000} onBlur={() => void look(text)} />
        </Field>
        {lines.length > 0 && (
          <section aria-label="Pasted addresses" className="flex flex-col gap-2">
            <p role="status" className="text-muted tabular-nums">
              {count(lines.length - fresh.length - unclear.length)} found, {count(fresh.length)} new, {count(unclear.length)}{' '}
              unclear
            </p>
            {unclear.map(({ line, locations }) => (
              <Field key={line} label={line} group>
                <span className="flex flex-wrap gap-1.5">
                  {locations.map((one) => (
                    <Button
                      key={one.id}
                      data-view=""
                      reason={one.in_group ? 'already in the group' : null}
                      onClick={() => {
                        setPicks((before) => [...before.filter((other) => other.id !== one.id), { id: one.id, name: one.name }])
                        setLines((before) => before.filter((other) => other.line !== line))
                      }}
                    >
                      {one.name}
                    </Button>
                  ))}
                </span>
              </Field>
            ))}
            {fresh.map(({ line }) => (
              <Checkbox
                key={line}
                checked={made.has(line)}
                onChange={(is) =>
                  setMade((before) => {
                    const next = new Set(before)
                    if (is) next.add(line)
                    else next.delete(line)
                    return next
                  })
                }
              >
                Create “<bdi>{line}</bdi>”
              </Checkbox>
            ))}
          </section>
        )}
        <SetsMap label="The group and the selected locations" sets={sets} height={240} empty="No location has a position yet" />
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          data-command="form.send"
          kbd={keys('form.send') ?? undefined}
          className="self-start"
        >
          Add {picks.length + creates.length || ''}
        </Button>
      </form>
    </div>
  )
}
