import { useState } from 'react'
import { count } from '../../contract/format.ts'
import { stripBidi } from '../data/bidi.ts'
import { NOT_TRIED } from '../runner/bulk.ts'
import type { CommandResult as Message } from '../runner/runnerState.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Names } from './Names.tsx'

/** "These 3 were refused:", or that they weren't tried. */
function whatIsLeft(rows: readonly { reason: string }[]): string {
  const untried = rows.every(({ reason }) => reason === NOT_TRIED)
  return rows.length === 1
    ? `This one was ${untried ? 'not tried' : 'refused'}:`
    : `These ${count(rows.length)} were ${untried ? 'not tried' : 'refused'}:`
}

/** A text shown once: fully visible, selected by a click, copied by a button. */
function Copyable({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <div className="flex items-start gap-2">
      <code className="min-w-0 flex-1 select-all break-all rounded-md border border-line bg-ground px-2 py-1.5">{text}</code>
      <Button onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}

/** A command's closing message: the specification's words, or the refused records. */
export function ResultDialog({ told, onClose }: { told: Message; onClose: () => void }) {
  const close = () => {
    onClose()
    if (told.kind === 'dialog') told.onOk?.()
  }
  if (told.kind === 'dialog')
    return (
      <Dialog
        open
        onClose={close}
        size="sm"
        title={stripBidi(told.title)}
        description={stripBidi(told.body)}
        initialFocus="[data-answer=ok]"
        footer={
          <Button data-answer="ok" variant="primary" onClick={close}>
            OK
          </Button>
        }
      >
        {told.copy && <Copyable text={told.copy} />}
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={close}
      title={stripBidi(told.title)}
      description={whatIsLeft(told.rows)}
      footer={
        <>
          <Button
            onClick={() => {
              close()
              told.again()
            }}
          >
            {told.rows.length === 1 ? 'Try this again' : `Try these ${count(told.rows.length)} again`}
          </Button>
          <Button variant="primary" onClick={close}>
            Close
          </Button>
        </>
      }
    >
      <Names label="Refused, with reasons" rows={told.rows} />
    </Dialog>
  )
}
