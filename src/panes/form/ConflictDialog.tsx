import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { EDIT_LABELS, type EditDraft, type EditField, shownValue } from './edit.ts'

/** Resolves a stale write: for each field both changed, keep mine or theirs (decisions.md 9). */
export function ConflictDialog({
  fields,
  mine,
  theirs,
  clients,
  onCancel,
  onChosen,
}: {
  fields: readonly EditField[]
  mine: EditDraft
  theirs: EditDraft
  clients: readonly { value: string; label: string }[]
  onCancel: () => void
  /** Receives the fields that keep their value. */
  onChosen: (theirs: readonly EditField[]) => void
}) {
  const [kept, setKept] = useState<Partial<Record<EditField, 'mine' | 'theirs'>>>({})
  const words = (field: EditField, draft: EditDraft) => (
    <span className="break-words font-medium">{shownValue(field, draft[field], { clients })}</span>
  )
  return (
    <Dialog
      open
      onClose={onCancel}
      title="Somebody changed this while you were editing"
      description={`${fields.length === 1 ? 'One field was' : `${fields.length} fields were`} changed by both of you. Choose which to keep; everything else of theirs stays.`}
      footer={
        <>
          <Button onClick={onCancel}>Keep editing</Button>
          <Button variant="primary" onClick={() => onChosen(fields.filter((field) => kept[field] === 'theirs'))}>
            Save these
          </Button>
        </>
      }
    >
      <div className="flex flex-col divide-y divide-line">
        {fields.map((field) => (
          <div key={field} className="py-2">
            <p className="text-meta font-medium text-muted">{EDIT_LABELS[field]}</p>
            <RadioGroup
              label={EDIT_LABELS[field]}
              stacked
              value={kept[field] ?? 'mine'}
              onChange={(choice) => setKept((before) => ({ ...before, [field]: choice }))}
              options={[
                { value: 'mine', label: <>Mine: {words(field, mine)}</> },
                { value: 'theirs', label: <>Theirs: {words(field, theirs)}</> },
              ]}
            />
          </div>
        ))}
      </div>
    </Dialog>
  )
}
