import type { CallId, Input } from '../../contract/calls.ts'
import type { Subject } from '../../src/commands/subject.ts'
import { type Api, ApiError } from '../../src/data/api.ts'
import { doEach } from '../../src/runner/bulk.ts'
import { type CommandId, commandOf } from '../support/commands.ts'
import { requestOf } from './calling.ts'
import type { Fieldwork, Person } from './support.ts'
import { type Row, tablesOf } from './tables.ts'

/** A write's change sets from its responses, in order. */
export interface Made {
  steps: number[]
}

/** The workspace's api on the real server as a user; records what can be undone, like the runner. */
export function apiOf(person: Person, made: Made): Api {
  const fail = (answer: { status: number; body: unknown; headers: Record<string, unknown> }): never => {
    const body = answer.body as { message?: string; code?: string }
    if (answer.status >= 400) throw new ApiError(answer.status, body.code ?? '', body.message ?? '')
    if (answer.headers['x-undo']) made.steps.push(Number(answer.headers['x-undo']))
    return answer.body as never
  }
  return {
    read: async (id, input) => fail(await person.call(id, input as never)),
    write: async (id, input) => fail(await person.call(id, input as never)),
    dryRun: async (id, input) => fail(await person.call(id, { ...(input as object), dry: 1 } as never)),
    async upload(id, form) {
      const whole = new Response(form)
      const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
      const { method, url } = requestOf(id, fields)
      const body = Buffer.from(await whole.arrayBuffer())
      return fail(await person.raw(method, url, body, { 'content-type': whole.headers.get('content-type')! }))
    },
  }
}

export interface Given {
  subjects?: Subject[]
  answers?: Record<string, unknown>
  /** The workspace's state, for commands without a subject. */
  workspace?: object
}

/** Runs a command like the runner, and returns its writes' change sets. */
export async function does(
  person: Person,
  id: CommandId,
  { subjects = [], answers = {}, workspace = {} }: Given,
): Promise<number[]> {
  const made: Made = { steps: [] }
  const api = apiOf(person, made)
  const command = commandOf(id)
  const hooks = { api, progress: () => {}, signal: new AbortController().signal }
  // Runs `prepare` first, like the runner.
  if (command.prepare) subjects = [...(await command.prepare(api, subjects)).able]
  const any = new Proxy(workspace, { get: (known, key) => (known as Record<string | symbol, unknown>)[key] ?? (() => null) })
  if (command.each) await doEach(command as Parameters<typeof doEach>[0], subjects, answers, hooks)
  else await command.run!({ ...hooks, workspace: any as never, subjects, subject: subjects[0]!, answers: answers as never })
  return made.steps
}

/** Undoes change sets, latest first; throws refusals. */
export async function undoes(person: Person, steps: readonly number[], call: 'undo.take' | 'undo.redo' = 'undo.take') {
  const ordered = call === 'undo.take' ? [...steps].reverse() : steps
  for (const id of ordered) {
    const { status, body } = await person.call(call, { id } as Input<CallId>)
    if (status >= 400) throw new ApiError(status, body.code, body.message)
  }
}

/** History, events, change sets and the caller's own records; and market areas, which nobody changes. */
const NOT_COMPARED = /^(tombstones|history|events|attempts|change_sets|tries|sessions|news|dmas|kysely_.*)$/
/** Columns that every write changes, or that the server maintains. */
const STAMPS = new Set(['updated_at', 'lock_version', 'version', 'not_before', 'secrets', 'secrets_until', 'redacted_at'])

/** True for a mail that is delayed long enough to be undone; others are sent in the background. */
const waits = ({ created_at, not_before }: Record<string, unknown>) =>
  Date.parse(String(not_before)) - Date.parse(String(created_at)) > 5000

/** Rows sorted by their content; each row is serialized once. */
const inOrder = (rows: readonly object[]): unknown[] =>
  rows
    .map((row) => [JSON.stringify(row), row] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)

const compared = new WeakMap<readonly Row[], unknown[]>()

/** A table's rows without columns that every write changes; the same list for the same rows. */
function comparable(name: string, rows: readonly Row[]): unknown[] {
  const found =
    compared.get(rows) ??
    inOrder(
      rows
        // A total of no entries is the same as no row.
        .filter((row) => name !== 'entry_totals' || Number(row.count) !== 0 || Number(row.amount_cents) !== 0)
        // A withdrawn email stays in the Outbox as part of the history.
        .filter((row) => name !== 'mails' || (row.status !== 'withdrawn' && waits(row)))
        // The server creates thumbnails by itself, after an upload and after its undo.
        .filter((row) => name !== 'jobs' || row.kind !== 'thumbnails')
        // A due mail is sent meanwhile, whatever is undone.
        .map((row) => (name === 'mails' ? { ...row, status: 'queued', sent_at: null } : row))
        .map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !STAMPS.has(column)))),
    )
  compared.set(rows, found)
  return found
}

/** Every row of the database by table and key, without columns that every write changes. */
export async function wholeOf(app: Fieldwork): Promise<Record<string, unknown[]>> {
  const whole: Record<string, unknown[]> = {}
  for (const [name, rows] of await tablesOf(app, NOT_COMPARED)) {
    const found = comparable(name, rows)
    if (found.length) whole[name] = found
  }
  return whole
}
