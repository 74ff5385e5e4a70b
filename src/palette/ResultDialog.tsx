import { useRef, useState } from 'react'
import { stripBidi } from '../../contract/bidi.ts'
import { count } from '../../contract/format.ts'
import { NOT_TRIED } from '../runner/bulk.ts'
import { isMac, shownAs } from '../runner/keys/keyReading.ts'
import type { CommandResult as Message } from '../runner/runnerState.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { workspace } from '../workspace/currentWorkspace.ts'
import { NameList } from './NameList.tsx'

/** Describes failures: "These 3 were refused:", or that they weren't tried. */
function whatIsLeft(rows: readonly { reason: string }[]): string {
  const untried = rows.every(({ reason }) => reason === NOT_TRIED)
  return rows.length === 1
    ? `This one was ${untried ? 'not tried' : 'refused'}:`
    : `These ${count(rows.length)} were ${untried ? 'not tried' : 'refused'}:`
}

/** Reasons beyond this many share one group. */
const MOST_REASONS = 6

type Refused = Extract<Message, { kind: 'refused' }>
/** Groups failed records by reason, most frequent first. */
function groupsOf({ rows, subjects }: Refused): { reason: string; rows: Refused['rows']; subjects: Refused['subjects'] }[] {
  const known = new Map(subjects.map((subject) => [subject.id, subject]))
  const all = [...Map.groupBy(rows, ({ reason }) => reason)].sort((a, b) => b[1].length - a[1].length)
  const [shown, others] = [all.slice(0, all.length > MOST_REASONS ? MOST_REASONS - 1 : MOST_REASONS), all.slice(MOST_REASONS - 1)]
  const groups = all.length > MOST_REASONS ? [...shown, ['Other reasons', others.flatMap(([, some]) => some)] as const] : shown
  return groups.map(([reason, some]) => ({
    reason,
    rows: some,
    subjects: some.flatMap(({ id }) => known.get(id) ?? []),
  }))
}

/** Returns the focused list if it can select these records. */
function listFor({ subjects }: Refused) {
  const list = workspace.list()
  const kind = (list?.cursor ?? list?.selected[0])?.kind
  return list?.selectThese && kind !== undefined && subjects[0]?.kind === kind ? list : null
}

/** The failed records by reason, to select them in the list or to try again. */
function Reasons({ result, onClose }: { result: Refused; onClose: () => void }) {
  const groups = groupsOf(result)
  const list = listFor(result)
  return (
    <ul aria-label="Reasons" className="flex flex-col">
      {groups.map(({ reason, rows, subjects }) => (
        <li key={reason} className="flex min-h-8 items-center gap-2 border-b border-line py-1 last:border-b-0">
          <span className="min-w-0 flex-1">
            <b className="font-medium tabular-nums">{count(rows.length)}</b>{' '}
            <span className="text-muted">{stripBidi(reason)}</span>
          </span>
          {list && (
            <Button
              onClick={() => {
                onClose()
                list.selectThese?.(subjects)
              }}
            >
              {rows.length === 1 ? 'Select this' : 'Select these'}
            </Button>
          )}
          {groups.length > 1 && (
            <Button
              onClick={() => {
                onClose()
                result.again(subjects)
              }}
            >
              Retry
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A text shown once, copied by a button or selected by a click; if the browser refuses, the button selects it. */
function Copyable({ text }: { text: string }) {
  const shown = useRef<HTMLElement>(null)
  const [state, setState] = useState<'shown' | 'copied' | 'blocked'>('shown')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      setState('blocked')
    }
  }
  return (
    <>
      <div className="flex items-start gap-2">
        <code
          ref={shown}
          className="max-h-64 min-w-0 flex-1 select-all overflow-y-auto whitespace-pre-wrap break-all rounded-md border border-line bg-ground px-2 py-1.5"
        >
          {text}
        </code>
        <Button onClick={() => void copy()}>{state === 'copied' ? 'Copied' : 'Copy'}</Button>
      </div>
      <p role="status" className="mt-2 text-meta text-muted empty:hidden">
        {state === 'blocked' && `Your browser blocked copying. The text is selected: copy it with ${shownAs('Mod+c', isMac)}.`}
      </p>
    </>
  )
}

/** The result of a command: the specification's message, or the failed records. */
export function ResultDialog({ result, onClose }: { result: Message; onClose: () => void }) {
  const close = () => {
    onClose()
    if (result.kind === 'dialog') result.onOk?.()
  }
  if (result.kind === 'dialog')
    return (
      <Dialog
        open
        onClose={close}
        size="sm"
        title={stripBidi(result.title)}
        description={stripBidi(result.body)}
        initialFocus={result.retry ? '[data-answer=retry]' : '[data-answer=ok]'}
        footer={
          result.retry ? (
            <>
              <Button onClick={close}>Edit</Button>
              <Button
                data-answer="retry"
                variant="primary"
                onClick={() => {
                  close()
                  result.retry?.()
                }}
              >
                Retry
              </Button>
            </>
          ) : (
            <Button data-answer="ok" variant="primary" onClick={close}>
              OK
            </Button>
          )
        }
      >
        {result.copy && <Copyable text={result.copy} />}
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={close}
      title={stripBidi(result.title)}
      description={whatIsLeft(result.rows)}
      footer={
        <>
          <Button
            onClick={() => {
              close()
              result.again(result.subjects)
            }}
          >
            {result.rows.length === 1 ? 'Try this again' : `Try these ${count(result.rows.length)} again`}
          </Button>
          <Button variant="primary" onClick={close}>
            Close
          </Button>
        </>
      }
    >
      <Reasons result={result} onClose={close} />
      <NameList label="Refused, with reasons" rows={result.rows} />
    </Dialog>
  )
}
