import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import type { Ask, Command, Result } from '../../src/commands/command.ts'
import type { Subject } from '../../src/commands/subject.ts'
import type { Api } from '../../src/data/api.ts'
import { doEach } from '../../src/runner/bulk.ts'
import { type CommandId, commandIds, commandOf } from '../support/commands.ts'

/** Commands that act outside this page: they sign out, or load another module. */
const ELSEWHERE = new Set<CommandId>(['session.signOut'])
/** Commands of cells, which need a plan: `tests/api/undo-commands.test.ts` undoes them. */
const OF_CELLS = new Set<CommandId>(['quota.setTarget', 'quota.move', 'quota.close'])

const answerTo = (ask: Ask): unknown =>
  ({
    entity: 7,
    entities: [7, 8],
    option: ask.type === 'option' && typeof ask.options !== 'function' ? ask.options[0]?.value : 'x',
    several: [],
    text: 'Words',
    number: 100,
    date: '2026-11-24',
    file: [],
  })[ask.type]

/** A response that suits every command. */
const ANY = {
  data: {
    id: 1,
    project_id: 1,
    name: 'Name',
    key: 'k',
    url: '/file',
    done: [1],
    refused: [],
    skipped: [],
    job_id: 3,
    path: '/w/1',
    lock_version: 2,
    mine: true,
    added: true,
    removed: true,
    ids: [1],
    joined: [],
    users: [],
    projects: [],
  },
  effect: {
    gain: { users: 0, projects: 0 },
    lose: { users: 0, projects: 0 },
    rows: [],
    opens: { projects: [], users: 0 },
    closes: { projects: [], users: 0 },
  },
  moved: { invitations: 1, answers: 1 },
  message: 'Done.',
}

/** Runs a command on one subject with an API that allows everything; returns its write calls and its result. */
async function tryOut(id: CommandId): Promise<{ wrote: CallId[]; result: Result | undefined }> {
  const command = commandOf(id) as Command
  const wrote: CallId[] = []
  const write = async (call: CallId) => {
    wrote.push(call)
    return call === 'file.upload' ? { data: [{ id: 1 }], message: 'Done.' } : ANY
  }
  const lists: Partial<Record<CallId, object>> = {
    ...Object.fromEntries(
      ['survey.questions', 'survey.ofProject', 'reward.ofProject'].map((call) => [
        call,
        { data: [5, 4].map((id) => ({ id, project_id: 7 })) },
      ]),
    ),
    'project.get': { data: { activities: [] } },
    'quota.ofProject': { data: null },
  }
  const read = async (call: CallId) => lists[call] ?? ANY
  const api = { read, write, upload: write } as unknown as Api
  // A workspace that returns itself for everything.
  const workspace: unknown = new Proxy(() => {}, {
    get: (_, key) => (key === 'then' ? undefined : key === Symbol.toPrimitive ? () => '' : workspace),
    apply: () => workspace,
  })
  const kind = command.on === 'nothing' ? null : typeof command.on === 'string' ? command.on : command.on[0]!
  const subject = {
    kind,
    id: 4,
    name: 'Subject',
    record: { status: 'active', project_id: 4, note: 'n', screen: 'clients', query: '', shared: 'own' },
  } as unknown as Subject
  const answers = Object.fromEntries(Object.entries(command.asks ?? {}).map(([key, ask]) => [key, answerTo(ask)]))
  const hooks = { api, progress: () => {}, signal: new AbortController().signal }
  const result = command.each
    ? await doEach(command as Parameters<typeof doEach>[0], [subject], answers, hooks)
    : await command.run!({ ...hooks, workspace: workspace as never, subjects: [subject], subject, answers: answers as never })
  return { wrote, result: result ?? undefined }
}

const rows = commandIds().filter((id) => !ELSEWHERE.has(id) && !OF_CELLS.has(id) && !commandOf(id).opens)

describe('undo (workspace.md)', () => {
  beforeAll(() => {
    vi.stubGlobal('location', { assign: () => {}, origin: '', reload: () => {} })
    vi.stubGlobal('document', { documentElement: { dataset: {} }, querySelector: () => null })
    vi.stubGlobal('navigator', { clipboard: { writeText: async () => {} } })
    // Moving several questions asks for confirmation before the page closes.
    vi.stubGlobal('addEventListener', () => {})
    vi.stubGlobal('removeEventListener', () => {})
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
  })
  afterAll(() => void vi.unstubAllGlobals())

  it('is defined for every writing command: restored by the server, a delay, or a review that says it can’t be undone', async () => {
    const unsettled: CommandId[] = []
    for (const id of rows) {
      const { undo, delay, irreversible } = commandOf(id)
      if (undo || delay || irreversible) continue
      if ((await tryOut(id)).wrote.length) unsettled.push(id)
    }
    // Give these `undo: 'restores'`, or `'needless'` if nothing needs undoing, a `delay`, or `irreversible: true`.
    expect(unsettled).toEqual([])
  })
  it('is stored by the server for every write of a restoring command', async () => {
    const without: string[] = []
    for (const id of rows)
      if (commandOf(id).undo === 'restores')
        for (const call of (await tryOut(id)).wrote) if (!(calls[call] as Call).undo) without.push(`${id}: ${call}`)
    // Give the call `undo: true` in the calls table, or mark the command as irreversible.
    expect(without).toEqual([])
  })
  it('is never promised by an irreversible command', () =>
    expect(rows.filter((id) => commandOf(id).irreversible && (commandOf(id).undo || commandOf(id).delay))).toEqual([]))
})
