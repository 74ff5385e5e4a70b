import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { RadioGroup } from '../../../ui/RadioGroup.tsx'

/** A field changed on both sides, with both values as text. */
export interface Conflict<Field extends string = string> {
  field: Field
  label: string
  mine: string
  theirs: string
}

/** Resolves a stale write: for each conflicting field, keep mine or take theirs (decisions.md 9). */
export function ConflictDialog<Field extends string>({
  conflicts,
  onCancel,
  onChosen,
}: {
  conflicts: readonly Conflict<Field>[]
  onCancel: () => void
  /** Called with the fields that take their value. */
  onChosen: (theirs: readonly Field[]) => void
}) {
  const [kept, setKept] = useState<Partial<Record<Field, 'mine' | 'theirs'>>>({})
  const value = (words: string) => <span className="break-words font-medium">{words}</span>
  return (
    <Dialog
      open
      onClose={onCancel}
      title="Someone else changed this while you were editing"
      description={`You both changed ${conflicts.length === 1 ? 'one field' : `${conflicts.length} fields`}. Choose which to keep; their other changes stay.`}
      footer={
        <>
          <Button onClick={onCancel}>Keep editing</Button>
          <Button
            variant="primary"
            onClick={() => onChosen(conflicts.map(({ field }) => field).filter((field) => kept[field] === 'theirs'))}
          >
            Save these
          </Button>
        </>
      }
    >
      <div className="flex flex-col divide-y divide-line">
        {conflicts.map(({ field, label, mine, theirs }) => (
          <div key={field} className="py-2">
            <p className="text-meta font-medium text-muted">{label}</p>
            <RadioGroup
              label={label}
              stacked
              value={kept[field] ?? 'mine'}
              onChange={(choice) => setKept((before) => ({ ...before, [field]: choice }))}
              options={[
                { value: 'mine', label: <>Keep mine: {value(mine)}</> },
                { value: 'theirs', label: <>Take theirs: {value(theirs)}</> },
              ]}
            />
          </div>
        ))}
      </div>
    </Dialog>
  )
}
