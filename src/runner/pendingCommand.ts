import { wordOf } from '../../contract/nounOf.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import { evaluate } from '../commands/availability.ts'
import { currentId } from '../commands/commandAliases.ts'
import { currentAnswers, ON, readAnswers, readSubjects } from '../commands/commandLink.ts'
import { kindsOfAsk } from '../commands/commandQuestions.ts'
import type { Subject } from '../commands/subject.ts'
import { type CommandId, commandOf, isCommandId } from '../commands/table.ts'
import { ApiError } from '../data/api.ts'
import { store } from '../data/jotaiStore.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { paneStateAtom } from '../workspace/paneState.ts'
import { kindToCome } from './keys/activeContext.ts'
import { start } from './lazyRunner.ts'
import { prepared } from './prepare.ts'
import { subjectOf } from './subjectOf.ts'
import { toast } from './toast.tsx'

const SUBJECT_WAIT_MS = 10_000
/** A list appears shortly after its pane. */
const LIST_WAIT_MS = 3000
type LinkedCommand = { command: string; answers: Record<string, string> }
type Waits = () => boolean

/**
 * Prefills a link's command and opens its review once its subjects are known; calls `over` when it stops waiting.
 * Returns a function that stops it. `waits` returns false once the user has moved on (attention.ts).
 */
export function openPrefilled(linked: LinkedCommand, waits: Waits, over: () => void): () => void {
  const id = currentId(linked.command)
  const pending = { command: id, answers: currentAnswers(linked.command, linked.answers) }
  const named = pending.answers[ON]
  if (isCommandId(id) && !commandOf(id).hidden && named === undefined) return whenThere(id, pending, over, waits)
  over()
  if (!isCommandId(id) || commandOf(id).hidden) void toast('This link names an unknown command.')
  else void onNamed(id, pending, named!, waits)
  return () => {}
}

async function fill(id: CommandId, pending: LinkedCommand, on: readonly Subject[], waits: Waits): Promise<void> {
  const command = commandOf(id)
  const { able, left } = evaluate(id, command, on, workspace)
  const read = await prepared(command, able).catch(() => null)
  // A command that can't run reports that when it starts.
  const subjects = read?.able.length && !left.length ? read.able : on
  const answers = readAnswers(command, pending.answers, subjects, workspace)
  const gone: string[] = []
  await Promise.all(
    Object.entries(command.asks ?? {}).map(async ([key, ask]) => {
      const kinds = kindsOfAsk(ask)
      const [kind] = kinds
      // A project of either generation can be read by id alone.
      if (!kind || !(key in answers) || (kinds.length > 1 && kind !== 'project')) return
      const ids = [answers[key]].flat() as number[]
      const there = await readable(kind, ids, gone)
      if (there.length === ids.length) return
      if (ask.type === 'entities' && there.length) answers[key] = there.map((one) => one.id)
      else delete answers[key]
    }),
  )
  if (gone.length) void toast(`${gone.join(', ')} ${gone.length === 1 ? 'doesn’t' : 'don’t'} exist, or you don’t have access.`)
  const open = () => start(id, { subjects, answers, via: 'link', prepared: subjects !== on })
  if (waits()) return open()
  // If the user has moved on, a toast opens it (docs/decisions/keys.md).
  const title = command.title.replace(/…$/, '')
  void toast(`The command from this link is ready: ${title}.`, { lasts: 20_000, action: { label: 'Open', run: open } })
}

/** Reads the records that the user may see as command subjects; adds the others to `gone`. */
async function readable(kind: SubjectKind, ids: readonly number[], gone: string[]): Promise<Subject[]> {
  const read = await Promise.all(
    ids.map((id) => {
      const name = `${wordOf(kind)} ${id}`
      return subjectOf(kind, id, name).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        gone.push(name.charAt(0).toUpperCase() + name.slice(1))
        return null
      })
    }),
  )
  return read.filter((one) => one !== null)
}

/** Waits until the page provides the subject. */
function whenThere(id: CommandId, pending: LinkedCommand, over: () => void, waits: Waits): () => void {
  const command = commandOf(id)
  const needless = command.on === 'nothing'
  // Commands of a list need the list.
  const known = () => (needless ? !command.disabledReason?.(workspace, []) : workspace.subjects().focused !== null)
  const go = () => {
    end()
    over()
    const { focused } = workspace.subjects()
    // Never the cursor's row, because the user hasn't chosen it.
    void fill(id, pending, focused ? [focused] : [], waits)
  }
  const look = () => {
    if (known()) go()
  }
  const stop = store.sub(paneStateAtom, look)
  const timer = setTimeout(go, needless ? LIST_WAIT_MS : kindToCome() ? SUBJECT_WAIT_MS : 0)
  const end = () => {
    stop()
    clearTimeout(timer)
  }
  look()
  return end
}

/** Reads the subjects named by the link, without missing or inaccessible ones. */
async function onNamed(id: CommandId, pending: LinkedCommand, named: string, waits: Waits): Promise<void> {
  const found = readSubjects(commandOf(id), named)
  if (!found) return void toast('This link doesn’t say what its command acts on.')
  const { kind, ids } = found
  const gone: string[] = []
  const subjects = await readable(kind, ids, gone)
  if (gone.length)
    void toast(
      `${gone.length === 1 ? `${gone[0]} doesn’t` : `${gone.length} ${wordOf(kind, true)} of this link don’t`} exist, or you don’t have access.`,
    )
  if (subjects.length) void fill(id, pending, subjects, waits)
}
