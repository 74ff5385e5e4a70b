import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ANONYMOUS } from '../../server/core/caller.ts'
import { HttpError } from '../../server/core/errors.ts'
import { readFromReplica } from '../../server/core/replicaReads.ts'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { engine } from '../support/engine.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

const CAUGHT_UP = { timeout: 30_000, interval: 50 }

/** SQLite is one file, so it has no replicas. */
describe.runIf(engine === 'postgres')('with a read replica', () => {
  let standby: Postgres
  let fw: Fieldwork
  /** An administrator who never writes, so that the replica may serve their reads however old it is. */
  let reader: Person
  let projectId: number

  beforeAll(async () => {
    const primary = await startPostgres()
    if ('reason' in primary) throw new Error(primary.reason)
    closeAfterFile(() => primary.stop())
    const DATABASE_URL = await primary.url('replicated')
    const database = connect({ url: DATABASE_URL })
    await migrate(database)
    await database.close()
    standby = await primary.standby()
    closeAfterFile(() => standby.stop())
    const readUrl = new URL(standby.adminUrl)
    readUrl.pathname = '/replicated'
    fw = await fieldwork({ DATABASE_URL, DATABASE_READ_URL: readUrl.href })
    projectId = (await fw.make.project({ client_id: fw.client.id, name: 'Soft drinks' })).id
    reader = await fw.signIn(await fw.make.user({ role: 'admin', email: 'reader@fieldwork.test' }))
    await vi.waitFor(async () => expect(await notesOf(reader)).toEqual([]), CAUGHT_UP)
  }, 120_000)

  const onReplica = () => fw.services.replicas!.reads().replica
  /** Runs a read, and returns what it returned and whether the replica served it. */
  const served = async <T>(read: () => Promise<T>) => {
    const before = onReplica()
    const answer = await read()
    return { answer, byReplica: onReplica() > before }
  }
  const note = async (text: string) => {
    const { status } = await fw.as('admin').call('note.create', { project_id: projectId, note: text })
    expect(status).toBe(200)
  }
  const notesOf = async (person: Person, headers: Record<string, string> = {}) => {
    const { status, body } = await person.call('note.list', { id: projectId }, headers)
    expect(status).toBe(200)
    return body.data.map((one) => one.note)
  }
  const ofStandby = async (statement: string) => {
    const client = new pg.Client(standby.adminUrl)
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  const catchUp = () => ofStandby('select pg_wal_replay_resume()')
  /** From now on the replica receives what is written, and doesn't show it. */
  const holdBack = async () => {
    onTestFinished(catchUp)
    await ofStandby('select pg_wal_replay_pause()')
  }

  test('a writer sees their own note at once, others once the replica has it', async () => {
    await holdBack()
    await note('Own write')
    expect(await served(() => notesOf(fw.as('admin')))).toEqual({ answer: ['Own write'], byReplica: false })
    expect(await served(() => notesOf(reader))).toEqual({ answer: [], byReplica: true })
    await catchUp()
    await vi.waitFor(async () => {
      expect(await served(() => notesOf(reader))).toEqual({ answer: ['Own write'], byReplica: true })
      expect(await served(() => notesOf(fw.as('admin')))).toEqual({ answer: ['Own write'], byReplica: true })
    }, CAUGHT_UP)
  })

  test('a read that names an event has what the event announced', async () => {
    await holdBack()
    await note('Announced')
    const headers = { 'x-live-seen': String(await fw.services.live.last()) }
    expect(await notesOf(reader)).not.toContain('Announced')
    expect(await notesOf(reader, headers)).toContain('Announced')
  })

  test('a page’s first reads, which name no event, are made on the primary', async () => {
    await holdBack()
    await note('Before the page')
    expect(await served(() => notesOf(reader, { 'x-live-seen': 'none' }))).toMatchObject({ byReplica: false })
    expect(await notesOf(reader, { 'x-live-seen': 'none' })).toContain('Before the page')
  })

  test('a client user loses a project that moves to another client at once', async () => {
    const list = async () => (await fw.as('client').call('project.list', {})).body.data.map(({ id }) => id)
    const other = await fw.make.client({ name: 'Other' })
    await vi.waitFor(async () => expect(await served(list)).toEqual({ answer: [projectId], byReplica: true }), CAUGHT_UP)
    await holdBack()
    const moved = await fw.as('admin').call('project.edit', { id: projectId, client_id: other.id })
    expect(moved.status).toBe(200)
    expect(await list()).toEqual([])
    expect((await fw.as('client').call('project.get', { id: projectId })).status).toBe(404)
  })

  test('an export waits for what its requester wrote before it', async () => {
    await holdBack()
    await fw.as('admin').call('client.create', { name: 'Just now' })
    const file = served(() => exported(fw, fw.as('admin'), 'clients'))
    // Long enough for the job to begin, and to look at the replica in vain.
    await delay(500)
    await catchUp()
    const { answer, byReplica } = await file
    expect(answer.text).toContain('Just now')
    expect(byReplica).toBe(true)
  })

  test('an error of a replica repeats the read on the primary, a refusal is final', async () => {
    const { services } = fw
    const caller = { ...ANONYMOUS, actor: { id: fw.admin.id + 1_000_000, role: 'admin' as const, admin_id: null } }
    const read = async (error: Error) =>
      readFromReplica(services, caller, 0, async (at) => {
        if (at.database !== services.database) throw error
        return 'primary'
      })
    const conflict = Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' })
    expect(await read(conflict)).toBe('primary')
    await expect(read(new HttpError(404, 'not_found', 'There is no such project.'))).rejects.toThrow('no such project')
  })

  test('the primary responds while the replica is gone, and the replica once it is back', async () => {
    await standby.kill()
    await note('Without a replica')
    expect(await notesOf(reader)).toContain('Without a replica')
    await standby.start()
    await vi.waitFor(async () => {
      const { answer, byReplica } = await served(() => notesOf(reader))
      expect(answer).toContain('Without a replica')
      expect(byReplica).toBe(true)
    }, CAUGHT_UP)
  })
})
