import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallId } from '../../contract/calls.ts'
import { restoreBackup } from '../../server/backup/load.ts'
import { readSettings } from '../../server/core/settings.ts'
import { openFiles } from '../../server/files/fileStore.ts'
import { buildApp } from '../../server/http/app.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { freshDatabase } from '../support/engine.ts'
import { requestOf } from './calling.ts'

/*
 * Release 0.2.0 made this backup on SQLite, of rows and responses that 0.1.0 had recorded.
 * Responses lack what depends on the moment or the caller.
 * A restore loads its rows into its own schema, and then runs every migration since, as an upgrade in place does.
 */
const BEFORE = new URL('../support/releases/0.2.0.tar.gz', import.meta.url).pathname
const TOO_OLD = new URL('../support/releases/0.1.0.tar.gz', import.meta.url).pathname
const responses = JSON.parse(readFileSync(new URL('../support/releases/0.2.0.json', import.meta.url), 'utf8')) as Record<
  CallId,
  object
>

const ID = { id: 1, project_id: 1, surveyId: 1 }

let app: Awaited<ReturnType<typeof buildApp>>
let services: Awaited<ReturnType<typeof createServices>>
let session: Record<string, string> = {}
const call = async (id: CallId, input: Record<string, unknown>) => {
  const { method, url, body } = requestOf(id, input as never)
  const sent = body === undefined ? {} : { payload: body as object }
  return app.inject({ method: method as 'GET', url, headers: session, ...sent })
}

beforeAll(async () => {
  const place = await freshDatabase()
  const settings = readSettings({ ...place, NODE_ENV: 'test', DEMO: 'none', PUBLIC_URL: 'http://fieldwork.test' })
  const where = place.DATABASE_URL ? { url: place.DATABASE_URL } : { file: join(place.DATA_DIR, 'fieldwork.db') }
  await restoreBackup(BEFORE, { where, files: await openFiles(settings), replace: false, resume: true })
  services = await createServices(settings, pino({ level: 'error' }))
  app = await buildApp(services)
  const { statusCode, body, headers } = await call('session.signIn', {
    email: 'admin@fieldwork.test',
    password: 'From-0.1-still',
  })
  expect(statusCode, body).toBe(200)
  session = Object.fromEntries(['access-token', 'client', 'uid'].map((name) => [name, String(headers[name])]))
}, 60_000)
afterAll(async () => {
  await app.close()
  await closeServices(services)
})

describe('after an upgrade from release 0.2.0, whose passwords sign in,', () => {
  test.each(Object.entries(responses))('%s still returns what it did', async (id, before) => {
    const { statusCode, body } = await call(id as CallId, ID)
    expect(statusCode, body).toBe(200)
    expect(JSON.parse(body)).toMatchObject(before)
  })

  test('its file has its content', async () => {
    const pieces: Uint8Array[] = []
    for await (const piece of await services.files.read('uploads/2026-03/kept.txt')) pieces.push(piece as Uint8Array)
    expect(Buffer.concat(pieces).toString()).toBe('a file of release 0.1.0')
  })

  test('its records are changed, and what it deleted is restored', async () => {
    const edited = await call('client.edit', { id: 1, name: 'Acme & Daughters' })
    expect([edited.statusCode, edited.json().data?.name], edited.body).toEqual([200, 'Acme & Daughters'])
    const restored = await call('team.restore', { id: 1 })
    expect(restored.statusCode, restored.body).toBe(200)
    const rows = [
      { respondent_id: 'r0', outcome: 'completes' },
      { respondent_id: 'new', outcome: 'completes' },
    ]
    const sent = await call('runtime.ingest', { surveyId: 1, rows: rows.map((row) => ({ ...row, at: '2026-03-06T10:00:00Z' })) })
    expect(sent.json().data, sent.body).toMatchObject({ added: 1, repeated: 1 })
  })
})

test('a backup of release 0.1.0 is refused with the release to use, and nothing is written', async () => {
  const place = await freshDatabase()
  const files = await openFiles(readSettings({ ...place, NODE_ENV: 'test', DEMO: 'none', PUBLIC_URL: 'http://fieldwork.test' }))
  const file = join(place.DATA_DIR, 'fieldwork.db')
  const where = place.DATABASE_URL ? { url: place.DATABASE_URL } : { file }
  const restoring = restoreBackup(TOO_OLD, { where, files, replace: true, resume: true })
  await expect(restoring).rejects.toThrow('made by release 0.1.0, and upgrades begin with 0.2. Restore it with that release.')
  expect(existsSync(file)).toBe(false)
})
