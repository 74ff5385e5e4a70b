import type { CallId } from '../../contract/calls.ts'
import { count, showTime } from '../../contract/format.ts'
import { nounOf, wordOf } from '../../contract/nounOf.ts'
import type { Subject } from '../commands/subject.ts'
import { commandOf, isCommandId } from '../commands/table.ts'
import { listed } from '../commands/words.ts'
import { ApiError } from '../data/api.ts'
import { api, onUndoable, type Undoable } from '../data/apiClient.ts'
import { tabStore } from '../data/browserStore.ts'
import { store } from '../data/jotaiStore.ts'
import { mapConcurrent } from '../data/mapConcurrent.ts'
import { sessionKeyAtom } from '../data/me.ts'
import { renewMe } from '../data/session.ts'
import { refreshAfter } from '../data/useCall.ts'
import { namesAtom } from '../workspace/paneState.ts'
import { undoAtom } from '../workspace/undoList.ts'
import { type Ending, type PendingWrite, pendingWrites } from './pendingWrites.ts'
import { nextKey } from './runnerState.ts'
import { working } from './tasks.ts'
import { dismiss, toast } from './toast.tsx'

/** What was done to which records; the names stay in this page. */
export interface About {
  /** "Reject", without names. */
  title: string
  subjects: readonly Pick<Subject, 'kind' | 'id' | 'name'>[]
  /** Its name, if that isn't title plus records. */
  what?: string | undefined
}

/** A step that can be undone or redone. */
interface Entry extends About {
  key: number
  /** Epoch ms. */
  at: number
  /** The server's change sets, in the order they were written. */
  steps: readonly number[]
  /** Set while it hasn't happened yet: functions to stop it, and to start it again. */
  waiting?: { stop(): void; again(): void }
  /** The time (epoch ms) until which it can be undone. */
  until?: number | undefined
  /** The server refused to undo it, so that earlier steps come first. */
  refused: boolean
  ended?(): void
}

const MOST = 50
let undo: Entry[] = []
let redo: Entry[] = []
/** The stack's owner; the stack ends with the session. */
let owner = ''

const kept = 'fieldwork.undo'
const who = (): string => store.get(sessionKeyAtom)

/** Formats a step: "Reject 3 rewards", "Add note – “Acme Tracker”". */
export function whatOf({ title, subjects, what }: About): string {
  if (what) return what
  if (!subjects.length) return title
  return `${title}${/\s/.test(title) ? ' –' : ''} ${listed(subjects as readonly Subject[])}`
}
const toastOf = (key: number) => `undo-${key}`

function changed(): void {
  const option = (sign: string, word: string) => (entry: Entry) => ({
    value: `${sign}${entry.key}`,
    label: `${word}${whatOf(entry)}`,
    detail: `${showTime(entry.at, 'time')}${canUndo(entry) ? '' : ' · can’t be undone'}`,
  })
  store.set(undoAtom, [...undo.map(option('u', '')).reverse(), ...redo.map(option('r', 'Redo: ')).reverse()])
  keep()
}
const canUndo = (entry: Entry): boolean => entry.waiting !== undefined || entry.steps.length > 0

/** Stores the stack for this tab across reloads: ids and what they are about, never a name. */
function keep(): void {
  const plain = (entries: readonly Entry[]) =>
    entries
      .filter((entry) => !entry.waiting)
      .map(({ title, subjects, at, steps, until }) => {
        return { title, at, steps, until, subjects: subjects.slice(0, 200).map(({ kind, id }) => [kind, id]) }
      })
  tabStore.set(kept, { whose: owner, undo: plain(undo), redo: plain(redo) })
}

type StoredEntry = Omit<Entry, 'subjects'> & { subjects: [Subject['kind'], number][] }

function load(): void {
  owner = who()
  // Nobody is signed in, or that isn't known yet.
  if (!owner) return
  try {
    const names = store.get(namesAtom)
    const stored = tabStore.get(kept) as { whose?: unknown; undo: StoredEntry[]; redo: StoredEntry[] } | null
    if (stored?.whose !== owner) {
      forget()
      return
    }
    const read = (entries: readonly StoredEntry[]): Entry[] =>
      entries.map(({ subjects, ...entry }) => {
        const named = subjects.map(([kind, id]) => ({ kind, id, name: names[`${kind}:${id}`] ?? `${wordOf(kind)} ${id}` }))
        return ending({ ...entry, key: nextKey(), refused: false, subjects: named })
      })
    undo = read(stored.undo)
    redo = read(stored.redo)
    changed()
  } catch {
    forget()
  }
}

/** A new session gets a new stack. */
function forget(): void {
  undo = []
  redo = []
  store.set(undoAtom, [])
  tabStore.set(kept, null)
}

load()
store.sub(sessionKeyAtom, () => {
  if (who() === owner) return
  if (owner) forget()
  if (who()) load()
})

/** Schedules when an entry can no longer be undone. */
function ending(entry: Entry): Entry {
  if (entry.until)
    setTimeout(
      () => {
        Object.assign(entry, { steps: [], until: undefined })
        redo = redo.filter((one) => one !== entry)
        changed()
        if (undo.includes(entry)) entry.ended?.()
        // Its Undo would do nothing any more, even if the notice has the focus.
        void dismiss(toastOf(entry.key))
      },
      Math.max(0, entry.until - Date.now()),
    )
  return entry
}

interface Done {
  steps?: readonly number[]
  waiting?: Entry['waiting']
  until?: number | undefined
  /** Called at `until` unless it was undone: what was delayed has been sent. */
  ended?(): void
}

/** Adds a step to the stack; without change sets it can't be undone. Returns its key and its toast's id. */
export function post(about: About, done: Done = {}): { key: number; toast: string; undo(): void } {
  const entry = ending({
    ...about,
    key: nextKey(),
    at: Date.now(),
    steps: done.steps ?? [],
    refused: false,
    ...(done.waiting ? { waiting: done.waiting } : {}),
    ...(done.until ? { until: done.until } : {}),
    ...(done.ended ? { ended: done.ended } : {}),
  })
  undo.push(entry)
  if (undo.length > MOST) undo.shift()
  // A new step clears the redo stack; redoing doesn't.
  if (!redoing) redo = []
  changed()
  for (const next of entryListeners.splice(0)) next()
  return { key: entry.key, toast: toastOf(entry.key), undo: () => void take(entry) }
}
let redoing = false

/** Drops an entry that has happened, or won't happen. */
export function drop(key: number): void {
  undo = undo.filter((entry) => entry.key !== key)
  changed()
}

const PREFERENCES: Readonly<Record<string, string>> = {
  theme: 'Change the theme',
  density: 'Change the row density',
  keys: 'Change a shortcut',
  single_keys: 'Turn single-letter keys on or off',
  time_zone: 'Change the time zone',
  hidden_widgets: 'Show or hide a widget',
  columns: 'Arrange columns',
}
/** Returns the noun and verb of a call: `client.editLocationGroup` edits a group. */
function partsOf(call: CallId): { noun: string; verb: string; of: string } {
  const [noun = '', name = ''] = call.split('.')
  const [verb = '', ...rest] = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ')
  const other = rest.at(-1) ?? ''
  return nounOf(other)?.words ? { noun: other, verb, of: wordOf(other) } : { noun, verb, of: rest.join(' ') || wordOf(noun) }
}

/** Returns a call's title: its command's, or else its noun and verb: `file.uploadDocument` is "Upload document". */
export function titleOf(call: CallId): string {
  if (isCommandId(call)) return commandOf(call).title.replace('…', '')
  const { verb, of } = partsOf(call)
  return `${verb === 'create' ? 'New' : verb.charAt(0).toUpperCase() + verb.slice(1)} ${of}`
}

/** Adds a write made without a command to the stack: a form's, an inline edit, a preference. */
export function noted({ id, call, input, named }: Undoable): void {
  const { noun } = partsOf(call)
  const kind = nounOf(noun)?.words ? (noun as Subject['kind']) : undefined
  const title = titleOf(call)
  const { id: record, name } = (input ?? {}) as { id?: number; name?: string }
  const subjects =
    kind && record
      ? [{ kind, id: record, name: name ?? store.get(namesAtom)[`${kind}:${record}`] ?? `${wordOf(kind)} ${record}` }]
      : []
  if (call === 'account.edit' && named) post({ title: PREFERENCES[named] ?? 'Change preferences', subjects: [] }, { steps: [id] })
  else post({ title, subjects, what: named }, { steps: [id] })
}

/** How long undo waits for a pending step; after that, the user has moved on. */
const PATIENCE_MS = 20_000
/** Undo and redo that wait, in the order they were pressed. */
let pressed: Promise<void> = Promise.resolve()
let waiting = 0
function enqueue(work: () => Promise<void> | void): void {
  waiting++
  pressed = pressed.then(work).finally(() => {
    waiting--
  })
}

// Called without delay from here on, because undo may be waiting for it.
onUndoable(noted)

/** Undoes the last step; a pending one is undone once it is done. */
export function undoLast(): void {
  const steps = pendingWrites(titleOf)
  const pressedAt = nextKey()
  if (steps.length || waiting) enqueue(() => takeOnceDone(steps, pressedAt))
  else void takeLast(pressedAt)
}

/** Undoes the last step before a key. Refused ones come last; one that can't be undone is reported and skipped. */
function takeLast(before: number): Promise<void> {
  const earlier = undo.filter((one) => one.key < before)
  const entry = earlier.findLast((one) => !one.refused) ?? earlier.at(-1)
  if (entry) return take(entry)
  void toast('Nothing to undo.')
  return Promise.resolve()
}

/** What an undo has waited for; a second undo continues with the step before. */
const waitedFor = new WeakSet<object>()

/** Waits for steps, latest first, and undoes the first that changed something; reports one that failed. */
async function takeOnceDone(steps: readonly PendingWrite[], pressedAt: number): Promise<void> {
  const session = owner
  for (const step of steps.filter(({ is }) => !waitedFor.has(is))) {
    waitedFor.add(step.is)
    const ended = await withTimeout(step.title, step.ended().then(posted))
    if (session !== owner) return
    if (ended === 'late' || ended === 'cancelled') {
      waitedFor.delete(step.is)
      return void toast(`${ended === 'late' ? `“${step.title}” is still under way. ` : ''}Nothing was undone.`)
    }
    if (ended.entry) return await take(ended.entry)
    if (ended.failed) return void toast(`“${step.title}” wasn’t done, so nothing was undone.`, because(ended.failed))
  }
  await takeLast(pressedAt)
}

const because = (failed: unknown) => ({ tone: 'bad' as const, ...(failed instanceof ApiError ? { detail: failed.message } : {}) })

/** Shows in the status line that undo waits; Cancel or a timeout ends that. */
const withTimeout = <T>(title: string, step: Promise<T>): Promise<T | 'late' | 'cancelled'> =>
  working(`Undo, once “${title}” is done`, async ({ signal }) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<'late' | 'cancelled'>((up) => {
      timer = setTimeout(up, PATIENCE_MS, 'late')
      signal.addEventListener('abort', () => up('cancelled'))
    })
    return await Promise.race([step, timeout]).finally(() => clearTimeout(timer))
  })

/** Called when the next entry is added. */
const entryListeners: (() => void)[] = []

/** Returns the entry of a step that ended; forms add theirs a moment after the response. */
async function posted({ key, steps = [], failed }: Ending): Promise<{ entry: Entry | undefined; failed: unknown }> {
  const find = () => undo.find((one) => one.key === key || one.steps.some((id) => steps.includes(id)))
  while (steps.length && !find()) await new Promise<void>((next) => entryListeners.push(next))
  return { entry: find(), failed }
}

/** Redoes the last undone step, after any undo that waits. */
export function redoLast(): void {
  if (waiting) enqueue(redoNow)
  else void redoNow()
}
function redoNow(): Promise<void> | void {
  const entry = redo.at(-1)
  if (entry) return again(entry)
  void toast('Nothing to redo.')
}

/** Undoes one write by its id, whether it is on the stack or not; the rest of its step stays there. */
export function undoWrite(id: number, about: About): void {
  const among = undo.find(({ steps }) => steps.length > 1 && steps.includes(id))
  if (among) among.steps = among.steps.filter((step) => step !== id)
  const alone = () => undo.find(({ steps }) => steps.includes(id))
  if (!alone()) post(about, { steps: [id] })
  void take(alone()!)
}

/** Undoes or redoes a listed entry. */
export function takeListed(value: string): void {
  const key = Number(value.slice(1))
  const entry = (value[0] === 'u' ? undo : redo).find((one) => one.key === key)
  if (!entry) void toast('It’s no longer in the list.')
  else if (value[0] === 'u') void take(entry)
  else void again(entry)
}

/** Runs undos in sequence, because the second may concern the record that the first restores. */
let before: Promise<unknown> = Promise.resolve()
const inOrder = (work: () => Promise<void>): Promise<void> => {
  const mine = before.then(work)
  before = mine.catch(() => {})
  return mine
}

function take(entry: Entry): Promise<void> {
  const at = undo.indexOf(entry)
  if (at < 0) return Promise.resolve()
  undo.splice(at, 1)
  void dismiss(toastOf(entry.key))
  if (!canUndo(entry)) {
    changed()
    const next = undo.at(-1)
    void toast(`“${whatOf(entry)}” can’t be undone.`, next ? { detail: `The step before it is “${whatOf(next)}”.` } : {})
    return Promise.resolve()
  }
  if (entry.waiting) {
    entry.waiting.stop()
    redo.push(entry)
    changed()
    void toast(`Undone: ${whatOf(entry)}`, { id: toastOf(entry.key), action: { label: 'Redo', run: () => void again(entry) } })
    return Promise.resolve()
  }
  changed()
  return inOrder(() => run(entry, 'undo.take', at))
}

function again(entry: Entry): Promise<void> {
  const at = redo.indexOf(entry)
  if (at < 0) return Promise.resolve()
  redo.splice(at, 1)
  void dismiss(toastOf(entry.key))
  if (entry.waiting) {
    redoing = true
    entry.waiting.again()
    redoing = false
    return Promise.resolve()
  }
  changed()
  return inOrder(() => run(entry, 'undo.redo', at))
}

/** Undoes or redoes an entry's change sets on the server, each entirely or not at all; refused ones stay listed. */
async function run(entry: Entry, call: 'undo.take' | 'undo.redo', place: number): Promise<void> {
  const back = call === 'undo.take'
  const [from, to] = back ? [() => undo, () => redo] : [() => redo, () => undo]
  const steps = (back ? [...entry.steps].reverse() : entry.steps).map((id) => ({ id, name: whatOf(entry) }))
  const session = owner
  const written = new Set<string>()
  const { done, refused, rest, lost } = await working(`${back ? 'Undo' : 'Redo'}: ${whatOf(entry)}`, (hooks) =>
    mapConcurrent(steps, hooks, async ({ id }) => {
      const { data } = await api.write(call, { id })
      written.add(data.call)
    }),
  )
  for (const id of written) refreshAfter(id as CallId)
  if (written.has('account.edit')) void renewMe()
  if (session !== owner) return
  const left = new Set([...refused.map(({ subject }) => subject.id), ...rest.map(({ id }) => id)])
  if (done.length) to().push({ ...entry, key: nextKey(), steps: entry.steps.filter((id) => !left.has(id)), refused: false })
  const word = back ? 'undone' : 'redone'
  if (!left.size) {
    changed()
    const now = to().at(-1)!
    const [label, run] = back ? ['Redo', () => void again(now)] : ['Undo', () => void take(now)]
    return void toast(`${back ? 'Undone' : 'Redone'}: ${whatOf(entry)}`, { id: toastOf(now.key), action: { label, run } })
  }
  // Kept for another attempt, because the network or the record may be available again soon.
  const still: Entry = {
    ...entry,
    key: nextKey(),
    steps: entry.steps.filter((id) => left.has(id)),
    refused: refused.length > 0 && back,
  }
  from().splice(Math.min(place, from().length), 0, still)
  changed()
  const why = lost?.message ?? refused[0]?.reason ?? 'Cancelled.'
  void toast(`Not ${done.length ? 'all ' : ''}${word}: ${whatOf(entry)}`, {
    id: toastOf(still.key),
    tone: 'bad',
    detail: done.length
      ? `${count(done.length)} of ${count(steps.length)} ${done.length === 1 ? 'was' : 'were'} ${word}. ${why}`
      : why,
    lasts: 12_000,
    action: { label: 'Try again', run: () => void (back ? take(still) : again(still)) },
  })
}
