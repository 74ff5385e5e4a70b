import * as Radix from '@radix-ui/react-dialog'
import { useAtom } from 'jotai'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { commandOf } from '../commands/table.ts'
import { nextKey, paletteAtom } from '../runner/runnerState.ts'
import { whereFocusIs } from '../workspace/paneElements.ts'
import { Browse } from './Browse.tsx'
import { Questions } from './Questions.tsx'

/** The palette: one list of commands, screens and records, with a command's questions as steps (workspace.md). */
export function Palette() {
  const [start, setStart] = useAtom(paletteAtom)
  const text = useRef('')
  const content = useRef<HTMLDivElement>(null)
  // Captured during render: the field takes the focus before effects run.
  const [restoreFocus] = useState(() => whereFocusIs())
  if (!start) return null
  const close = () => setStart(null)
  const { command } = start
  const focusField = () => content.current?.querySelector<HTMLElement>('[role=combobox]')?.focus()
  return (
    <Radix.Root open onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          ref={content}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            focusField()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            restoreFocus()
          }}
          onEscapeKeyDown={(event) => event.preventDefault()}
          data-palette=""
          className="floats fixed inset-x-3 top-[10vh] z-50 mx-auto flex max-h-[70vh] max-w-170 flex-col overflow-hidden rounded-xl border border-edge bg-raised shadow-float outline-none max-sm:inset-x-0 max-sm:top-0 max-sm:bottom-(--keyboard) max-sm:max-h-none max-sm:rounded-none max-sm:border-0 short:top-0"
        >
          <Radix.Title className="sr-only">{command ? commandOf(command.id).title : 'Search or run a command'}</Radix.Title>
          {/* By touch there is no Escape, and the palette covers what is behind it. */}
          <Radix.Close
            aria-label="Close"
            data-view=""
            className="absolute top-1 right-1 z-10 grid size-10 place-items-center rounded-md text-muted sm:hidden"
          >
            <X size={16} aria-hidden="true" />
          </Radix.Close>
          {command ? (
            <Questions
              key={command.key}
              asking={command}
              onClose={close}
              onLeave={() =>
                text.current || command.via === 'palette'
                  ? setStart({ key: nextKey(), text: text.current, at: start.at, pane: start.pane })
                  : close()
              }
            />
          ) : (
            <Browse
              key={start.key}
              start={start}
              onText={(typed) => {
                text.current = typed
              }}
              onClose={close}
            />
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
