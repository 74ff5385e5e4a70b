import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readSettings, SettingsError } from '../../server/core/settings.ts'
import { deleteHistory } from '../../server/domain/historyRetention.ts'
import { KINDS } from '../../server/jobRegistry.ts'
import { openLive } from '../../server/live/live.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const OLD = '2001-01-01T00:00:00.000Z'
const MIDDLE = '2003-01-01T00:00:00.000Z'
const db = () => app.services.database.db

describe('history past its retention', () => {
  const add = (subject: string, subject_id: number, at: string, many = 1) =>
    db()
      .insertInto('history')
      .values(
        Array.from({ length: many }, () => ({
          subject,
          subject_id,
          project_id: null,
          action: 'test',
          origin: 'event',
          at,
        })) as never,
      )
      .execute()
  const left = async (subject: string) => {
    const rows = await db()
      .selectFrom('history')
      .select(['subject_id', 'at'])
      .where('subject', '=', subject)
      .where('action', '=', 'test')
      .execute()
    return rows.map(({ subject_id, at }) => `${subject_id} ${at.slice(0, 4)}`).sort()
  }
  // The cursor stays behind the lines that a test adds.
  afterEach(async () => {
    await db().deleteFrom('meta').where('key', '=', 'history_swept').execute()
    await db().deleteFrom('history').where('action', '=', 'test').execute()
  })

  test('is deleted in batches; the newest line of each record stays', async () => {
    await add('activity', 900_001, OLD, 4500)
    await add('activity', 900_002, OLD)
    await add('activity', 900_001, new Date().toISOString())
    expect(await deleteHistory(app.services.database, MIDDLE)).toBe(4500)
    expect(await left('activity')).toEqual([`900001 ${new Date().getUTCFullYear()}`, '900002 2001'])
    expect(await deleteHistory(app.services.database, MIDDLE)).toBe(0)
  })

  test('stays where an audit needs it, and where targets count their versions', async () => {
    for (const subject of ['project', 'partner', 'reward', 'entry', 'import', 'user', 'token', 'target'])
      await add(subject, 900_003, OLD, 3)
    expect(await deleteHistory(app.services.database, MIDDLE)).toBe(0)
    for (const subject of ['project', 'partner', 'reward', 'entry', 'import', 'user', 'token', 'target'])
      expect(await left(subject), subject).toHaveLength(3)
  })

  test('is deleted by the job, by the setting', async () => {
    await add('survey', 900_004, OLD, 2)
    const years = (historyYears: number) => ({ ...app.services, settings: { ...app.services.settings, historyYears } })
    const run = (services: typeof app.services) => KINDS['history retention']!.tick!(services, new AbortController().signal)
    await run(years(0))
    expect(await left('survey')).toHaveLength(2)
    await run(years(100))
    expect(await left('survey')).toHaveLength(2)
    await run(years(3))
    expect(await left('survey')).toEqual(['900004 2001'])
  })

  test('stays while a stopping process ends the job', async () => {
    await add('survey', 900_005, OLD, 2)
    expect(await deleteHistory(app.services.database, MIDDLE, AbortSignal.abort())).toBe(0)
    expect(await left('survey')).toHaveLength(2)
  })
})

describe('events past their retention', () => {
  test('are deleted up to a time, but never the newest', async () => {
    for (let at = 0; at < 4; at++) await app.as('admin').call('client.create', { name: `Told ${at}` })
    const live = await openLive(app.services.database)
    const last = await live.last()
    await db()
      .updateTable('events')
      .set({ at: OLD })
      .where('id', '<=', last - 2)
      .execute()
    await live.sweep(MIDDLE)
    expect((await live.since(0)).map(({ id }) => id)).toEqual([last - 1, last])
    await db().updateTable('events').set({ at: OLD }).execute()
    await live.sweep(MIDDLE)
    expect((await live.since(0)).map(({ id }) => id)).toEqual([last])
    // A stream that has the one before can resume; an older one has to reload.
    expect([await live.reaches(last - 1), await live.reaches(last - 2)]).toEqual([true, false])
    await live.close()
  })

  test('are kept whatever their age without the setting', async () => {
    const live = await openLive(app.services.database)
    await app.as('admin').call('client.create', { name: 'Kept' })
    await db().updateTable('events').set({ at: OLD }).execute()
    const before = (await live.since(0)).length
    await live.sweep()
    expect(await live.since(0)).toHaveLength(before)
    await live.close()
  })
})

test('a retention is a whole number, and by default none', () => {
  expect(readSettings({})).toMatchObject({ historyYears: 0, eventMonths: 0 })
  expect(readSettings({ HISTORY_YEARS: '7', EVENT_MONTHS: '18' })).toMatchObject({ historyYears: 7, eventMonths: 18 })
  for (const [name, value] of [
    ['HISTORY_YEARS', '-1'],
    ['HISTORY_YEARS', '101'],
    ['EVENT_MONTHS', '1.5'],
    ['EVENT_MONTHS', 'all'],
  ] as const)
    expect(() => readSettings({ [name]: value })).toThrow(SettingsError)
})
