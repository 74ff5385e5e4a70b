import { CommandButton } from '../../runner/CommandButton.tsx'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { useSettled } from '../../ui/useSettled.ts'
import { DraftRestored } from '../shared/form/RecordForm.tsx'
import type { Counted, Field } from './requestDraft.ts'
import type { RequestFormState } from './useRequestForm.ts'

/** How long (ms) a form rests before it says how far it is. */
const PAUSE_MS = 700

/**
 * A request form's progress: a bar, "5 of 7", and what is still missing.
 * `needed` lists the fields required for sending, if they differ from those counted; they are named apart.
 */
export function FormProgress({
  progress,
  needed = progress,
  spoken,
}: {
  progress: readonly Counted[]
  needed?: readonly Counted[]
  /** Announces changes; a form that was just sent stays silent. */
  spoken: boolean
}) {
  const filled = progress.filter((field) => field.done).length
  const missing = needed.filter((field) => !field.done)
  const counted = missing.filter(({ field }) => progress.some((one) => one.field === field)).map(({ label }) => label)
  const others = missing.filter(({ field }) => !progress.some((one) => one.field === field)).map(({ label }) => label)
  // Each letter of a date may change it, so it is spoken after a pause.
  const words = [
    `${filled} of ${progress.length}`,
    counted.length > 0 && `Still needed: ${counted.join(', ')}`,
    others.length > 0 && `Also needed: ${others.join(', ')}`,
  ]
  const settled = useSettled(words.filter(Boolean).join(' · '), PAUSE_MS)
  return (
    <p className="mt-0.5 flex items-center gap-2 text-meta text-muted">
      <Progress value={filled / progress.length} label="Progress of this form" className="w-24" />
      <span className="truncate tabular-nums">
        {filled} of {progress.length}
        {counted.length > 0 && <span className="text-faint"> · Still needed: {counted.join(', ')}</span>}
        {others.length > 0 && <span className="text-faint"> · Also needed: {others.join(', ')}</span>}
      </span>
      <span className="sr-only" aria-live={spoken ? 'polite' : 'off'} aria-atomic="true">
        {settled}
      </span>
    </p>
  )
}

/** The Start over and send buttons. */
export function FormActions({ form: { changed, submit, isSubmitting, button } }: { form: RequestFormState }) {
  const keys = useKeys()
  return (
    <>
      {changed && (
        <CommandButton id="form.discard" variant="ghost" plain>
          Start over
        </CommandButton>
      )}
      <Button
        onClick={submit}
        variant="primary"
        busy={isSubmitting}
        data-command="form.send"
        kbd={keys('form.send') ?? undefined}
      >
        {isSubmitting ? 'Sending' : button}
      </Button>
    </>
  )
}

/** Says that a draft of an earlier visit was restored. */
export function KeptDraft({ form: { restored } }: { form: RequestFormState }) {
  return restored ? <DraftRestored /> : null
}

/** Scrolls to a section or field and focuses it; a section's focus goes to its first field. */
export function goToSection({ page, focus }: RequestFormState, id: string): void {
  const section = page.current?.querySelector<HTMLElement>(`[data-section="${id}"]`)
  if (!section) focus(id as Field)
  section?.scrollIntoView({ block: 'start' })
  section?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true })
}
