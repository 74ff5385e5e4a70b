import { Trash2 } from 'lucide-react'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import { readDate } from '../../../contract/dates.ts'
import { mostOf } from '../../../contract/fieldKinds.ts'
import { eventFields, scheduleFields } from '../../../contract/occasionFields.ts'
import { overlaps, type ScheduleRow, scheduleFaults, schedulesFault } from '../../../contract/schedules.ts'
import { PICTURES } from '../../../contract/vocabulary.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { toast } from '../../runner/toast.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { DateInput } from '../../ui/DateInput.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { FieldContext } from '../../ui/useField.ts'
import { focusChanged } from '../../workspace/focusLater.ts'
import { type EditForm, editPane } from '../shared/form/declaredForm.tsx'
import { OccasionAside, PictureControl } from './Occasion.tsx'
import { TimeInput, TimeList } from './TimeInput.tsx'

const inWords = ({ name, start }: ScheduleRow) => `${name} ${start.replace('T', ' ')}`

/** An event, the older representation of an activity (screens-projects.md, Update Event). */
const form: EditForm<'event', typeof eventFields> = {
  noun: 'event',
  fields: eventFields,
  useSpecial(event) {
    const rows = useRef<RowActions>(null)
    return {
      form: {
        also({ schedules, start_date, end_date }) {
          const fault = schedulesFault(schedules as readonly ScheduleRow[], readDate(start_date), readDate(end_date))
          return fault ? { schedules: fault } : {}
        },
        rows: { add: () => rows.current?.add(), remove: () => rows.current?.remove() },
        shown: (field, value) => (field === 'schedules' ? (value as ScheduleRow[]).map(inWords).join(', ') : undefined),
      },
      title: `Event: ${event.name}`,
      aside: <OccasionAside record={event} />,
      useDrawn(drawn) {
        const { start_date, end_date, schedules } = drawn.values
        return {
          warnings: overlaps(schedules as readonly ScheduleRow[]),
          controls: {
            schedules: ({ value, onChange }) => (
              <Schedules
                ref={rows}
                rows={value as readonly ScheduleRow[]}
                onChange={onChange}
                start={readDate(start_date)}
                end={readDate(end_date)}
              />
            ),
            file_id: ({ value }) => <PictureControl form={drawn} types={PICTURES} stored={event.file} files={value} />,
          },
        }
      },
      sections: [
        { id: 'face', title: 'Event', fields: ['name', 'start_date', 'end_date', 'location', 'address', 'about'] },
        { id: 'schedules', title: 'Schedules', hint: 'Saved in order of start time.', fields: ['schedules'] },
        { id: 'picture', title: 'Picture', fields: ['file_id'] },
      ],
    }
  },
}
export const pane = editPane(form)

const [DATE, TIME] = [0, 1] as const
const partOf = (moment: string, part: 0 | 1): string => moment.split('T')[part] ?? ''
const withPart = (moment: string, part: 0 | 1, value: string): string =>
  part === DATE ? `${value}T${partOf(moment, TIME)}` : `${partOf(moment, DATE)}T${value}`

/** What the row shortcuts do here. */
interface RowActions {
  add(): void
  remove(): void
}

function Schedules({
  ref,
  rows,
  onChange,
  start,
  end,
}: {
  ref: Ref<RowActions>
  rows: readonly ScheduleRow[]
  onChange: (rows: ScheduleRow[]) => void
  start: string | null
  end: string | null
}) {
  const [going, setGoing] = useState<number | null>(null)
  const list = useRef<HTMLDivElement>(null)
  /** The row with the focus, which the remove shortcut acts on. */
  const last = useRef(0)
  const faults = new Map(scheduleFaults(rows, start, end).map(({ at, message }) => [at, message]))
  const patch = (at: number, some: Partial<ScheduleRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...some } : row)))
  const add = () => {
    const before = rows.at(-1)
    const day = before ? partOf(before.end, DATE) : (start ?? '')
    const from = before ? partOf(before.end, TIME) : '09:00'
    focusChanged(
      () => onChange([...rows, { name: '', start: `${day}T${from}`, end: `${day}T${from}` }]),
      () => list.current?.querySelector<HTMLInputElement>(`[data-row="${rows.length}"] input`),
    )
  }
  useImperativeHandle(ref, () => ({
    add,
    remove: () => {
      if (rows[last.current]) setGoing(last.current)
    },
  }))
  const remove = (at: number) => {
    const gone = rows[at]!
    setGoing(null)
    onChange(rows.filter((_, index) => index !== at))
    void toast(`“${gone.name || 'The schedule'}” removed. Save the event to apply this.`, {
      action: { label: 'Undo', run: () => onChange([...rows]) },
    })
  }
  return (
    // Each control is labelled by itself, not by the field around all rows.
    <FieldContext value={null}>
      <TimeList />
      <div ref={list} className="flex flex-col gap-3">
        {rows.map((row, at) => (
          <fieldset
            key={at}
            data-row={at}
            onFocusCapture={() => {
              last.current = at
            }}
            aria-label={`Schedule ${at + 1}`}
            className="flex min-w-0 flex-col gap-2 rounded-md border border-line p-2.5"
          >
            <div className="flex items-center gap-2">
              <TextInput
                aria-label={`Name of schedule ${at + 1}`}
                placeholder="Name"
                value={row.name}
                maxLength={mostOf(scheduleFields.name)}
                onChange={(name) => patch(at, { name })}
              />
              <IconButton label={`Remove schedule ${at + 1}`} data-view="" onClick={() => setGoing(at)}>
                <Trash2 size={14} aria-hidden="true" />
              </IconButton>
            </div>
            <div className="grid grid-cols-[auto_minmax(0,1fr)_88px] items-center gap-2 @lg:grid-cols-[auto_minmax(0,1fr)_88px_auto_minmax(0,1fr)_88px]">
              {(['start', 'end'] as const).map((edge) => (
                <EdgeFields key={edge} row={row} at={at} edge={edge} onChange={(value) => patch(at, { [edge]: value })} />
              ))}
            </div>
            {faults.has(at) && (
              <p role="alert" className="text-meta text-red-ink">
                {faults.get(at)}
              </p>
            )}
          </fieldset>
        ))}
        <div>
          <CommandButton id="row.add" plain>
            Add schedule
          </CommandButton>
        </div>
      </div>
      <ConfirmDialog
        open={going !== null}
        onClose={() => setGoing(null)}
        onConfirm={() => going !== null && remove(going)}
        title={`Delete “${going === null ? '' : rows[going]?.name || 'this schedule'}”?`}
        confirm="Delete"
        danger
      >
        It’s deleted when you save the event.
      </ConfirmDialog>
    </FieldContext>
  )
}

function EdgeFields({
  row,
  at,
  edge,
  onChange,
}: {
  row: ScheduleRow
  at: number
  edge: 'start' | 'end'
  onChange: (value: string) => void
}) {
  const moment = row[edge]
  return (
    <>
      <span aria-hidden="true" className="text-meta text-muted">
        {edge === 'start' ? 'From' : 'To'}
      </span>
      <DateInput
        label={`${edge === 'start' ? 'Start' : 'End'} date of schedule ${at + 1}`}
        value={partOf(moment, DATE)}
        onChange={(value) => onChange(withPart(moment, DATE, value))}
      />
      <TimeInput
        label={`${edge === 'start' ? 'Start' : 'End'} time of schedule ${at + 1}`}
        value={partOf(moment, TIME)}
        onChange={(value) => onChange(withPart(moment, TIME, value))}
      />
    </>
  )
}
