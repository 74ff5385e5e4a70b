import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { useKeys } from '../../../runner/useCommands.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../../ui/Dialog.tsx'
import { Mark } from '../../../ui/Pill.tsx'
import { ConcurrentEdit } from './ConcurrentEdit.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import { FormShell } from './FormShell.tsx'
import type { RecordFormState } from './useRecordForm.ts'

/** A section of a form with its fields. */
export interface RecordSection<V> {
  id: string
  title: string
  hint?: ReactNode
  fields: readonly (keyof V & string)[]
  /** True if the section is filled in; by default, if any of its fields changed. */
  done?: boolean
  children: ReactNode
}

/** Says that a draft of an earlier visit was restored. */
export function DraftRestored() {
  return (
    <p role="status" className="mt-5 flex items-baseline gap-2 rounded-md bg-blue-wash px-3 py-2 text-blue-ink">
      <Mark shape="diamond" />
      Draft restored. “Start over” discards it.
    </p>
  )
}

/**
 * Renders a record's form (`useRecordForm`): header with Start over and Save, errors as links, sections, dialogs.
 * `only` shows one section, for a wizard; `onStep` opens another.
 */
export function RecordForm<V extends FieldValues>({
  form,
  title,
  aside,
  send = 'Save',
  another = 'Save and add another',
  actions,
  sections,
  only,
  onStep,
  warnings,
  beside,
  wide,
  who = 'Someone else',
  children,
}: {
  form: RecordFormState<V>
  title: ReactNode
  /** Below the title: the record being edited. */
  aside?: ReactNode
  /** The button's label: "Create activity". */
  send?: string
  another?: string
  /** Buttons before the one that saves. */
  actions?: ReactNode
  sections: readonly RecordSection<V>[]
  only?: string
  onStep?: (id: string) => void
  /** Values that are allowed but unusual. */
  warnings?: readonly string[]
  beside?: ReactNode
  /** Lets sections take the pane's full width. */
  wide?: boolean
  /** Who changed the record in the meantime. */
  who?: string
  /** Above the sections: the effects on a running project. */
  children?: ReactNode
}) {
  const keys = useKeys()
  const { dialogs } = form
  const wrongIn = (fields: readonly string[]) => form.faults.filter(({ field }) => fields.includes(field)).length
  return (
    <>
      <FormShell
        ref={form.page}
        title={title}
        aside={aside}
        actions={
          <>
            {form.dirty && (
              <CommandButton id="form.discard" variant="ghost" plain>
                Start over
              </CommandButton>
            )}
            {actions}
            {form.more && (
              <CommandButton id="form.another" plain>
                {/* On a phone the whole words don't fit beside the button that saves. */}
                <span className="in-data-main:hidden">{another}</span>
                <span className="hidden in-data-main:inline">Add another</span>
              </CommandButton>
            )}
            <Button
              variant="primary"
              busy={form.isSubmitting}
              data-command="form.send"
              kbd={keys('form.send') ?? undefined}
              onClick={() => form.submit()}
            >
              {form.isSubmitting ? 'Saving' : send}
            </Button>
          </>
        }
        sections={sections.map((section) => ({
          id: section.id,
          title: section.title,
          hint: section.hint,
          wrong: wrongIn(section.fields),
          done: section.done ?? section.fields.some((field) => form.changed.includes(field)),
          children: section.children,
        }))}
        only={only}
        onSection={(id) => {
          if (!sections.some((section) => section.id === id)) return form.focus(id)
          if (only) return onStep?.(id)
          const section = form.page.current?.querySelector<HTMLElement>(`[data-section="${id}"]`)
          section?.scrollIntoView({ block: 'start' })
          section?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true })
        }}
        faults={form.faults}
        serverError={form.serverError}
        warnings={warnings ?? []}
        beside={beside}
        wide={wide}
        onEnter={sections.length === 1 && sections[0]!.fields.length === 1 ? () => form.submit() : undefined}
      >
        {form.restored && <DraftRestored />}
        {form.dirty && form.theirChange && <ConcurrentEdit who={who} what={dialogs.noun} {...form.theirChange} />}
        {children}
      </FormShell>
      <ConfirmDialog
        open={dialogs.confirmation !== null}
        onClose={dialogs.close}
        onConfirm={dialogs.confirm}
        title={dialogs.confirmation?.title}
        confirm={dialogs.confirmation?.confirm ?? 'Save'}
        danger={dialogs.confirmation?.danger ?? false}
      >
        {dialogs.confirmation?.lines.map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </ConfirmDialog>
      {dialogs.failed && (
        <Dialog
          open
          onClose={dialogs.close}
          size="sm"
          title={`The ${dialogs.noun} wasn’t saved`}
          description={dialogs.failed.message}
          initialFocus="[data-answer=retry]"
          footer={
            <>
              <Button onClick={dialogs.close}>Edit</Button>
              <Button data-answer="retry" variant="primary" onClick={dialogs.retry}>
                Retry
              </Button>
            </>
          }
        />
      )}
      {dialogs.conflicts && <ConflictDialog conflicts={dialogs.conflicts} onCancel={dialogs.close} onChosen={dialogs.chosen} />}
    </>
  )
}
