import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { mostOf } from '../../../contract/fieldKinds.ts'
import { childFields } from '../../../contract/requestFields.ts'
import { IconButton } from '../../ui/Button.tsx'
import { DateInput } from '../../ui/DateInput.tsx'
import { NumberInput, TextInput } from '../../ui/TextInput.tsx'
import { FieldContext } from '../../ui/useField.ts'
import { type ChildRow, followingEnd } from './childRows.ts'

/** Rows for further children: name, dates and goal. */
export function ChildRows({
  rows,
  onChange,
  onRemove,
  onRow,
  add,
}: {
  rows: readonly ChildRow[]
  onChange: (at: number, row: ChildRow) => void
  onRemove: (at: number) => void
  /** Called with the index of the row that gets the focus. */
  onRow: (at: number) => void
  add: ReactNode
}) {
  return (
    // Each control is labelled by itself, not by the field around all rows.
    <FieldContext value={null}>
      <div className="flex flex-col gap-2">
        {rows.map((row, at) => {
          const name = `child ${at + 2}`
          const set = (some: Partial<ChildRow>) => onChange(at, { ...row, ...some })
          return (
            <fieldset key={at} data-row={at} onFocusCapture={() => onRow(at)} aria-label={`Child ${at + 2}`} className="min-w-0">
              <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-1.5 @xl:grid-cols-[minmax(0,1fr)_136px_136px_112px_auto]">
                <TextInput
                  id={`child-${at}-name`}
                  aria-label={`Name of ${name}`}
                  value={row.name}
                  onChange={(value) => set({ name: value })}
                  maxLength={mostOf(childFields.name)}
                  autoComplete="off"
                  className="@xl:col-auto"
                />
                <IconButton label={`Remove ${name}`} onClick={() => onRemove(at)} className="@xl:order-last">
                  <X size={16} aria-hidden="true" />
                </IconButton>
                <div className="col-span-2 grid grid-cols-3 gap-1.5 @xl:contents">
                  <DateInput
                    label={`Start of ${name}`}
                    value={row.start_dt}
                    onChange={(start) => set({ start_dt: start, end_dt: followingEnd(row, start) })}
                  />
                  <DateInput label={`End of ${name}`} value={row.end_dt} onChange={(value) => set({ end_dt: value })} />
                  <NumberInput
                    id={`child-${at}-goal`}
                    aria-label={`Goal of ${name}`}
                    value={row.goal}
                    onChange={(value) => set({ goal: value })}
                    unit="completes"
                  />
                </div>
              </div>
            </fieldset>
          )
        })}
        <div>{add}</div>
      </div>
    </FieldContext>
  )
}
