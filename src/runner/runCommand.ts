import type { Command, Result } from '../commands/command.ts'
import { promptFor } from '../commands/commandQuestions.ts'
import type { Subject } from '../commands/subject.ts'
import { commandOf } from '../commands/table.ts'
import { named, plain } from '../commands/words.ts'
import type { WorkspaceApi } from '../commands/workspaceApi.ts'
import { ApiError, newAttempt, within } from '../data/api.ts'
import { api } from '../data/apiClient.ts'
import { takeClipboard } from '../data/clipboard.ts'
import { outsideSeconds } from '../data/outsideSeconds.ts'
import { currentMe } from '../data/session.ts'
import type { Where } from '../routing/layout.ts'
import { attention } from '../workspace/attention.ts'
import { rememberCommand } from '../workspace/commandHistory.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { focusedPane, pinPane } from '../workspace/navigation.ts'
import { doEach } from './bulk.ts'
import { countUse } from './commandUsage.ts'
import { countDown } from './countdown.ts'
import { closeQuestions, openQuestions } from './openQuestions.ts'
import { trackCommand } from './pendingWrites.ts'
import { present, resultOpening } from './present.ts'
import { rememberReasons } from './reasons.ts'
import type { CommandResult, Invocation } from './runnerState.ts'
import { mentionKeys } from './shortcutHint.ts'
import { working } from './tasks.ts'
import { type More, toast } from './toast.tsx'
import { type About, post } from './undo.ts'

const done: Invocation[] = []
const MOST = 50
/** Returns what was done, latest last, without basic moves of lists and panes. */
export const doneSoFar = (): readonly Invocation[] => done

/** True for a command worth repeating: it acts on records or creates one, and isn't a move in the workspace. */
const counts = (command: Command) =>
  !command.hidden && (command.on !== 'nothing' || command.asks !== undefined) && command.group !== 'workspace'

/** Runs a command with complete answers. Never throws: it reports errors itself, once. */
export function run(started: Invocation): void {
  const command = commandOf(started.id)
  if (command.copies) takeClipboard()
  const invocation = { ...started, attempt: started.attempt ?? newAttempt() }
  // A second click on a running command does nothing.
  if (runningAttempts.has(invocation.attempt)) return
  runningAttempts.add(invocation.attempt)
  remember(invocation, command)
  if (command.delay)
    countDown(invocation, outsideSeconds(), plain(command), {
      what: aboutOf(invocation, command).what,
      // After the countdown the user has moved on.
      go: () => void execute(invocation, command, NOT_ANY_MORE),
      stopped: () => runningAttempts.delete(invocation.attempt),
      again: () => run({ ...invocation, attempt: newAttempt() }),
    })
  else void execute(invocation, command, attention())
}

/** The user who started it has moved on. */
const NOT_ANY_MORE = () => false

/** Attempts that are running or counting down. */
const runningAttempts = new Set<string>()

function remember(invocation: Invocation, command: Command): void {
  const { id, subjects, via } = invocation
  if (via !== 'key' && !command.hidden) {
    countUse(currentMe().id, `${id} ${subjects[0]?.kind ?? ''}`)
  }
  rememberReasons(invocation)
  if (!counts(command)) return
  done.push(invocation)
  rememberCommand(invocation)
  if (done.length > MOST) done.shift()
  if (command.on !== 'nothing' && command.group !== 'screens') pinPane(focusedPane().id)
}

/** `waits` tells whether the user still waits; only then may the result open something. */
async function execute(invocation: Invocation & { attempt: string }, command: Command, waits: () => boolean): Promise<void> {
  const { subjects, answers, attempt } = invocation
  const steps: number[] = []
  const undoable = (id: number) => void steps.push(id)
  const once = within(api, attempt, undoable)
  // A command that leaves nothing to undo doesn't delay an undo.
  const ends =
    command.undo === 'restores' || command.irreversible || command.delay ? trackCommand(plain(command), undoable) : undefined
  const posting = (until?: number) => {
    const posted = post(aboutOf(invocation, command), { steps, until })
    ends?.({ key: posted.key })
    return posted
  }
  const behind: string[] = []
  const made: unknown[] = []
  try {
    const result = await working(plain(command), ({ progress, signal }) =>
      command.each
        ? doEach(command as Parameters<typeof doEach>[0], subjects, answers, { api: once, progress, signal, made })
        : command.run!({
            api: once,
            workspace: workspaceFor(waits, behind),
            subjects,
            subject: subjects[0]!,
            answers: answers as never,
            progress,
            signal,
          }),
    )
    if (made.length) command.each?.ends?.(workspace, made)
    const posted = steps.length || command.irreversible || command.delay ? posting(result?.undoUntil) : null
    if (result || behind.length) showResult(invocation, command, result ?? {}, waits, steps.length ? posted : null, behind.at(-1))
    // Shown after the command's own message, one thing at a time.
    if (invocation.via !== 'key' && !command.hidden) mentionKeys(invocation.id)
  } catch (error) {
    runningAttempts.delete(attempt)
    // What was written before the failure can still be undone.
    if (steps.length) posting()
    ends?.({ failed: error })
    failed(invocation, command, error, waits)
  } finally {
    ends?.({})
    runningAttempts.delete(attempt)
  }
}

/** A workspace for slow commands: screens open only if the user still waits; otherwise their paths go to `behind`. */
const workspaceFor = (waits: () => boolean, behind: string[]): WorkspaceApi =>
  Object.create(workspace, {
    open: {
      value: (path: string, where?: Where) => {
        if (where === 'background' || waits()) return workspace.open(path, where)
        workspace.open(path, 'background')
        behind.push(path)
      },
    },
  }) as WorkspaceApi

/** Names the step for the undo stack: the command's title and records, or what it creates. */
function aboutOf({ subjects, answers }: Invocation, command: Command): About {
  const title = plain(command)
  const name = answers.name ?? answers.email
  const what = command.undoName?.(subjects) ?? (subjects.length || typeof name !== 'string' ? undefined : `${title} – “${name}”`)
  return { title, subjects, what }
}

function showResult(
  invocation: Invocation,
  command: Command,
  { message: done, note, dialog, refused, rest }: Result,
  waits: () => boolean,
  posted: ReturnType<typeof post> | null,
  behind?: string,
): void {
  const message: string | undefined = done ?? note
  const undoing = posted ? { label: 'Undo', run: posted.undo } : null
  const goOn = rest?.length ? { label: 'Go on', run: () => run({ ...invocation, subjects: rest }) } : null
  const opened = behind ? { label: 'Open', run: () => workspace.open(behind, 'tab') } : null
  const [action, second] = [undoing, goOn, opened].filter((one) => one !== null)
  const more: More = {
    tone: 'good',
    ...(posted ? { id: posted.toast } : {}),
    ...(action ? { action } : {}),
    ...(second ? { second } : {}),
    ...(goOn ? { lasts: 20_000 } : {}),
  }
  if (refused?.length) {
    const names = new Set(refused.map((row) => row.id))
    const subjects = invocation.subjects.filter((subject) => names.has(subject.id))
    // A write of one of several records may have been lost; its attempt's key tells the server.
    const attempt = command.each ? invocation.attempt : newAttempt()
    const again = (some: readonly Subject[]) => run({ ...invocation, subjects: some, attempt })
    const result: CommandResult = { kind: 'refused', title: message ?? plain(command), rows: refused, subjects, again }
    present(waits, resultOpening(result), result.title, { ...more, always: true })
  } else if (dialog && !(dialog.clicked && byKeys(invocation))) {
    const [subject] = invocation.subjects
    const sentence = subject ? `${dialog.title}: ${named(subject)}` : dialog.title
    const { leadsTo } = dialog
    const onOk = leadsTo === undefined ? {} : { onOk: () => workspace.open(leadsTo, 'here') }
    // A delayed run shows only this message.
    if (command.delay) void toast(sentence, { ...more, detail: dialog.body, lasts: 8000 })
    else
      present(waits, resultOpening({ kind: 'dialog', ...dialog, ...onOk }), dialog.clicked && message ? message : sentence, {
        ...more,
        // Next to the dialog, the toast still offers Undo.
        ...(dialog.clicked ? { always: true } : { lasts: Number.POSITIVE_INFINITY }),
      })
  } else if (message || behind) void toast(message ?? `“${plain(command)}” is done`, more)
}

/** True for a command started by keys, which answers in a notice where a click gets a dialog (decisions.md 14). */
const byKeys = ({ via }: Invocation): boolean => via === 'key' || via === 'palette'

function failed(invocation: Invocation, command: Command, error: unknown, waits: () => boolean): void {
  if (error instanceof DOMException && error.name === 'AbortError') return void toast(`“${plain(command)}” was cancelled.`)
  if (!(error instanceof ApiError)) console.error(error)
  const trouble =
    error instanceof ApiError ? error : new ApiError(0, 'broken', 'Something went wrong in the workspace. Try again.')
  if (trouble.status === 401) return
  const questions = promptFor(command, invocation.answers, invocation.subjects).map(([key]) => key)
  const fields = Object.entries(trouble.fields)
  if (trouble.status === 422 && fields.length && questions.length) {
    const errors = Object.fromEntries(
      fields.map(([field, sentence]) => [questions.find((key) => isField(key, field)) ?? '', sentence]),
    )
    askLater(invocation, { errors }, waits, `“${plain(command)}” wasn’t done: ${fields[0]![1]}`)
    return
  }
  // A command with a confirmation asks again if the server says what has changed.
  if (trouble.code === 'stale' && (questions.length || (command.confirm && trouble.more.theirs))) {
    askAgain(invocation, trouble, questions, waits)
    return
  }
  const sentence = `“${plain(command)}” wasn’t done: ${trouble.message}`
  const more: More = {
    tone: 'bad',
    lasts: 12_000,
    ...(trouble.requestId ? { detail: `Request ${trouble.requestId}` } : {}),
    action:
      trouble.code === 'stale' && trouble.more.theirs
        ? keepingMine(invocation, trouble)
        : { label: 'Retry', run: () => run(invocation) },
    ...(questions.length ? { second: { label: 'Edit answers', run: () => openQuestions(invocation, {}) } } : {}),
  }
  if (command.failure !== 'dialog' || byKeys(invocation)) return void toast(sentence, more)
  const result: CommandResult = { kind: 'dialog', title: `“${plain(command)}” wasn’t done`, body: trouble.message }
  present(waits, resultOpening(result), sentence, { ...more, always: true })
}

/** Sends the same again over the other user's version; a mere retry would be refused again. */
const keepingMine = (invocation: Invocation, { more }: ApiError) => ({
  label: 'Keep mine',
  run: () => run({ ...invocation, subjects: withTheirs(invocation, more.theirs as Record<string, unknown>) }),
})

/** Returns the subjects, the first with the values that the other user saved. */
const withTheirs = ({ subjects }: Invocation, theirs: Record<string, unknown>) =>
  subjects.map((subject, at) => (at ? subject : { ...subject, record: { ...subject.record, ...theirs } }))

/** True if the server's field belongs to the question: `cost_cents` to `cost`, `partner_id` to `partner`. */
const isField = (key: string, field: string) => field === key || field.replace(/_(id|cents|ids)$/, '') === key

/** After a concurrent edit, shows the other user's values and keeps the answers, to be saved over them. */
function askAgain(invocation: Invocation, trouble: ApiError, questions: readonly string[], waits: () => boolean): void {
  const theirs = (trouble.more.theirs ?? {}) as Record<string, unknown>
  const clashes = Array.isArray(trouble.more.clashes) ? trouble.more.clashes.map(String) : []
  const subjects = withTheirs(invocation, theirs)
  const before: Readonly<Record<string, unknown>> = { ...invocation.subjects[0]?.record }
  const fields = clashes.map((field) => ({
    field,
    question: questions.find((key) => isField(key, field)) ?? null,
    value: theirs[field] ?? null,
    was: before[field] ?? null,
  }))
  // Returns to the first conflicting question with its answer, to change it or save it over theirs.
  const first = fields.find(({ question }) => question !== null)?.question ?? ''
  const more = { errors: { [first]: trouble.message }, theirs: fields }
  askLater({ ...invocation, subjects }, more, waits, `“${plain(commandOf(invocation.id))}” wasn’t done: ${trouble.message}`)
}

/** Returns to the questions if the user still waits; otherwise a toast offers to. */
function askLater(
  invocation: Invocation,
  more: Parameters<typeof openQuestions>[1],
  waits: () => boolean,
  sentence: string,
): void {
  present(waits, { open: () => openQuestions(invocation, { ...more, unasked: waits() }), close: closeQuestions }, sentence, {
    tone: 'bad',
  })
}
