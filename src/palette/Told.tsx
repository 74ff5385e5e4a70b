import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { Told as Message } from '../workspace/runner/state.ts'

/** What a command has to say when it is done: the specification's words, or what was refused of many. */
export function Told({ told, onClose }: { told: Message; onClose: () => void }) {
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
        title={told.title}
        description={told.body}
        initialFocus="[data-answer=ok]"
        footer={
          <Button data-answer="ok" variant="primary" onClick={close}>
            OK
          </Button>
        }
      />
    )
  return (
    <Dialog
      open
      onClose={close}
      title={told.title}
      description={told.rows.length === 1 ? 'This one was refused:' : `These ${told.rows.length} were refused:`}
      footer={
        <>
          <Button
            onClick={() => {
              close()
              told.again()
            }}
          >
            Try these again
          </Button>
          <Button variant="primary" onClick={close}>
            Close
          </Button>
        </>
      }
    >
      <ul className="divide-y divide-line">
        {told.rows.map((row) => (
          <li key={row.id} className="flex flex-wrap justify-between gap-x-4 py-1.5">
            <span className="font-medium">{row.name}</span>
            <span className="text-muted">{row.reason}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
