import * as Radix from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { Button, IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { useStrayKeys } from './strayKeys.ts'

const FIRST = '[data-dialog-body] :is(input, select, textarea):not(:disabled):not([tabindex="-1"])'
const FALLBACK = ':is([data-dialog-body], [data-dialog-footer]) button'

const widths = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-5xl' }

/** A modal dialog; traps the focus and restores it on close. `initialFocus` is a selector inside it. */
export function Dialog({
  open,
  onClose,
  onClosed,
  title,
  description,
  footer,
  size = 'md',
  initialFocus,
  children,
}: {
  open: boolean
  onClose: () => void
  /** Called once it has closed and the focus is restored. */
  onClosed?: () => void
  title: ReactNode
  description?: ReactNode
  footer?: ReactNode
  size?: keyof typeof widths
  initialFocus?: string
  children?: ReactNode
}) {
  const stray = useStrayKeys()
  const before = useRef<Element | null>(null)
  const shown = useRef(false)
  // Read during render, because a field inside may take the focus before effects run.
  if (open && !shown.current) before.current = document.activeElement
  shown.current = open
  const content = useRef<HTMLDivElement>(null)
  const restore = useCallback(() => {
    const { activeElement: now } = document
    const taken = now !== null && now !== document.body && !content.current?.contains(now)
    if (!taken && before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
  }, [])
  // Radix calls back a task later, when the next key may already have been pressed.
  useEffect(() => {
    if (open) return restore
  }, [open, restore])
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fades fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          ref={content}
          onKeyDownCapture={(event) => {
            if (!(event.target instanceof HTMLButtonElement) || !stray.onKeyDown(event)) return
            event.preventDefault()
            event.stopPropagation()
          }}
          onEscapeKeyDown={(event) => {
            // Radix hears the key first, and it is for the list that is open inside.
            if (document.activeElement?.matches('[role=combobox][aria-expanded=true][aria-haspopup]')) event.preventDefault()
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onCloseAutoFocus={(event) => {
            // Radix returns the focus to a trigger; our dialogs have none, because keys and commands open them.
            event.preventDefault()
            restore()
            onClosed?.()
          }}
          onOpenAutoFocus={(event) => {
            const content = event.currentTarget as HTMLElement
            // Focus the first field, or else the default answer; never the close button.
            const target =
              content.querySelector<HTMLElement>(initialFocus ?? FIRST) ?? content.querySelector<HTMLElement>(FALLBACK)
            if (!target) return
            event.preventDefault()
            target.focus()
          }}
          className={cx(
            'floats fixed inset-x-3 top-[10vh] z-50 mx-auto flex max-h-[80vh] flex-col rounded-xl border border-edge bg-raised shadow-float outline-none',
            // On a phone the dialog is a sheet at the bottom, above the keyboard.
            'max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-(--keyboard) max-sm:max-h-[92dvh] max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0',
            'short:top-2 short:bottom-auto short:max-h-[calc(100dvh-1rem)]',
            widths[size],
          )}
        >
          <div className="flex items-start gap-3 px-4 pt-3.5 pb-1">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-title">{title}</Radix.Title>
              {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="-mt-1 -mr-1.5">
                <X size={16} aria-hidden="true" />
              </IconButton>
            </Radix.Close>
          </div>
          {children && (
            <div data-dialog-body="" className="min-h-0 flex-1 overflow-y-auto px-4 py-2">
              {children}
            </div>
          )}
          {stray.words && (
            <p role="alert" className="px-4 pt-1 text-amber-ink">
              {stray.words}
            </p>
          )}
          {footer && (
            <div
              data-dialog-footer=""
              className="mt-2 flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5 max-sm:*:h-11 max-sm:*:flex-1 short:*:h-7"
            >
              {footer}
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Confirms an action that can't be undone. With `danger`, Cancel has the focus. */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title,
  children,
  confirm = 'Confirm',
  cancel = 'Cancel',
  danger,
  busy,
}: {
  open: boolean
  onClose: () => void
  onConfirm: () => void
  title: ReactNode
  children?: ReactNode
  confirm?: string
  cancel?: string
  danger?: boolean
  busy?: boolean
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title={title}
      description={children}
      initialFocus={danger ? '[data-answer=cancel]' : '[data-answer=confirm]'}
      footer={
        <>
          <Button data-answer="cancel" onClick={onClose}>
            {cancel}
          </Button>
          <Button data-answer="confirm" variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    />
  )
}
