import { beforeAll, describe, expect, test } from 'vitest'
import { openLive } from '../../server/live/live.ts'
import { STREAMS_A_SESSION } from '../../server/live/stream.ts'
import { listenTo } from './listening.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
let base: string
beforeAll(async () => {
  app = await fieldwork()
  base = await app.app.listen({ port: 0, host: '127.0.0.1' })
})

const listen = (person: Person, after?: number) => listenTo(base, person, after)

describe('the live stream', () => {
  test('tells administrators of a change, and who made it', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const ear = await listen(app.as('admin'))
    await app.as('admin').call('project.edit', { id: project.id, name: 'Heard' })
    expect(await ear.until((event) => event.noun === 'project' && event.subject_id === project.id)).toMatchObject({ own: true })
    await ear.stop()
  })

  test('tells client users only of what they may see', async () => {
    const mine = await app.make.project({ client_id: app.client.id })
    const foreign = await app.make.project({ client_id: (await app.make.client()).id })
    const ear = await listen(app.as('client'))
    await app.as('admin').call('project.edit', { id: foreign.id, name: 'Secret' })
    await app.as('admin').call('note.create', { project_id: mine.id, note: 'for administrators' })
    await app.as('admin').call('project.edit', { id: mine.id, name: 'Open' })
    expect(await ear.until((event) => event.subject_id === mine.id && event.noun === 'project')).toMatchObject({ own: false })
    expect(ear.heard.map((event) => `${event.noun} ${event.subject_id}`)).toEqual([`project ${mine.id}`])
    await ear.stop()
  })

  test('resumes after Last-Event-ID without a gap', async () => {
    const before = await app.services.live.last()
    const made: number[] = []
    for (let at = 0; at < 5; at++) made.push((await app.as('admin').call('client.create', { name: `Missed ${at}` })).body.data.id)
    const ear = await listen(app.as('admin'), before)
    await ear.until((event) => event.subject_id === made.at(-1))
    expect(ear.heard.filter((event) => event.noun === 'client').map((event) => event.subject_id)).toEqual(made)
    await ear.stop()
  })

  test('under parallel writes every event arrives once, in order', async () => {
    const ear = await listen(app.as('admin'))
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => app.as('admin').call('client.create', { name: `Parallel ${at}` })),
    )
    const ids = answers.map((answer) => answer.body.data.id)
    for (const id of ids) await ear.until((event) => event.subject_id === id && event.noun === 'client')
    const heard = ear.heard.filter((event) => event.noun === 'client' && ids.includes(event.subject_id))
    expect(heard.map((event) => event.subject_id).sort()).toEqual([...ids].sort())
    expect(heard.map((event) => event.id)).toEqual(heard.map((event) => event.id).sort((a, b) => a - b))
    await ear.stop()
  })
})

describe('a listener', () => {
  /** A client user signed in twice: one session listens, changes affect the other. */
  async function somebody() {
    const client = await app.make.client()
    const user = await app.make.user({ clients: [client.id] })
    return { client, user, person: await app.signIn(user) }
  }

  test('gets an event when a project is lost, and no more events of it', async () => {
    const { client, person } = await somebody()
    const project = await app.make.project({ client_id: client.id })
    const ear = await listen(person)
    await app.as('admin').call('project.edit', { id: project.id, client_id: app.client.id })
    expect(await ear.until((event) => event.kind === 'drop')).toMatchObject({ noun: 'project', subject_id: project.id })
    const before = ear.heard.length
    await app.as('admin').call('project.edit', { id: project.id, name: 'Not theirs' })
    await app.as('admin').call('client.edit', { id: client.id, name: 'Theirs' })
    await ear.until((event) => event.noun === 'client')
    expect(ear.heard.slice(before).map((event) => event.noun)).not.toContain('project')
    await ear.stop()
  })

  test('gets an event at once when their projects change', async () => {
    const { user, person } = await somebody()
    await app.make.project({ client_id: app.client.id })
    const ear = await listen(person)
    await app.as('admin').call('client.addUser', { client_id: app.client.id, user_id: user.id })
    expect(await ear.until((event) => event.kind === 'scope')).toMatchObject({ noun: 'account', subject_id: user.id })
    await ear.stop()
  })

  test('is disconnected at once when their role changes, which requires a new sign-in', async () => {
    const { user, person } = await somebody()
    const ear = await listen(person)
    await app.as('admin').call('user.edit', { id: user.id, role: 'admin' })
    await ear.ended
    expect(ear.said.at(-1)).toContain('event: bye')
  })

  test('is disconnected at once when their account is deleted', async () => {
    const { user, person } = await somebody()
    const ear = await listen(person)
    await app.as('admin').call('user.remove', { id: user.id })
    await ear.ended
    expect(ear.said.at(-1)).toContain('event: bye')
  })

  test('is told to reload everything after coming back too late, or to another database', async () => {
    const last = await app.services.live.last()
    for (const [after, missed] of [
      [last, false],
      [last + 1000, true],
    ] as const) {
      const ear = await listen(app.as('admin'), after)
      await app.as('admin').call('client.create', { name: `After ${after}` })
      await ear.until((event) => event.noun === 'client')
      expect(ear.said[0]).toContain(`"missed":${missed}`)
      await ear.stop()
    }
  })

  test('a write’s response names its events', async () => {
    const { headers } = await app.as('admin').call('client.create', { name: 'Named' })
    const [first, last] = String(headers['x-live-own']).split('-').map(Number)
    expect(await app.services.live.since(first! - 1)).toHaveLength(last! - first! + 1)
    expect(last).toBe(await app.services.live.last())
  })

  test('a page’s first reads say up to which event they are complete, later ones don’t', async () => {
    const { id } = (await app.as('admin').call('client.create', { name: 'Before the page' })).body.data
    const read = (seen: string) => app.as('admin').call('client.get', { id }, { 'x-live-seen': seen })
    const last = String(await app.services.live.last())
    expect((await read('none')).headers).toMatchObject({ 'x-live-last': last })
    expect((await read(last)).headers).not.toHaveProperty('x-live-last')
  })
})

test('a session has twenty streams: the oldest makes room', async () => {
  const person = await app.signIn(await app.make.user({ role: 'admin' }))
  const ears: Awaited<ReturnType<typeof listen>>[] = []
  for (let nth = 0; nth < STREAMS_A_SESSION + 1; nth++) ears.push(await listen(person))
  await expect.poll(() => ears[0]!.said.join('')).toContain('retry: 60000')
  await app.as('admin').call('client.create', { name: 'Heard by the newest' })
  await ears.at(-1)!.until((event) => event.noun === 'client')
  for (const ear of ears) await ear.stop()
})

describe('swept events', () => {
  /** Sweeps like the server, but keeps only this many events. */
  async function sweepBut(kept: number) {
    const live = await openLive(app.services.database, kept)
    await live.sweep()
    await live.close()
  }
  let swept = 0
  const makeClients = async (many: number) => {
    for (let at = 0; at < many; at++) await app.as('admin').call('client.create', { name: `Swept ${at} of ${++swept}` })
  }

  test('are exactly all but the newest', async () => {
    await makeClients(4)
    const last = await app.services.live.last()
    const before = (await app.services.live.since(0)).map(({ id }) => id)
    await sweepBut(3)
    expect((await app.services.live.since(0)).map(({ id }) => id)).toEqual(before.filter((id) => id > last - 3))
  })

  test('make a listener who resumes before them reload; one who resumes after them gets each event', async () => {
    const before = await app.services.live.last()
    await makeClients(5)
    const last = await app.services.live.last()
    await sweepBut(2)
    for (const [after, missed, told] of [
      [before, true, []],
      [last - 3, true, []],
      [last - 2, false, [last - 1, last]],
    ] as const) {
      const ear = await listen(app.as('admin'), after)
      await expect.poll(() => ear.said.length).toBeGreaterThan(0)
      if (told.length) await ear.until((event) => event.id === last)
      expect(ear.said[0], `after ${after}`).toContain(`"missed":${missed}`)
      expect(ear.heard.map(({ id }) => id)).toEqual(told)
      await ear.stop()
    }
  })

  test('end an open stream that hasn’t sent them, so its reader resumes and reloads', async () => {
    const ear = await listen(app.as('admin'))
    await expect.poll(() => ear.said.length).toBeGreaterThan(0)
    const { live } = app.services
    const heard = live.sharedSince
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    live.sharedSince = async (...asked) => held.then(() => live.since(...asked))
    await makeClients(5)
    await sweepBut(2)
    live.sharedSince = heard
    goOn()
    await ear.ended
    expect(ear.heard).toEqual([])
  })

  test('cause the palette’s index to be sent in full', async () => {
    const { cursor } = (await app.as('admin').call('palette.index')).body
    await makeClients(3)
    await sweepBut(2)
    expect((await app.as('admin').call('palette.index', { since: cursor })).body.full).toBe(true)
    expect((await app.as('admin').call('palette.index', { since: cursor + 1 })).body.full).toBe(false)
  })
})

describe('the palette’s index', () => {
  test('contains only what the caller may see', async () => {
    const mine = await app.make.project({ client_id: app.client.id, name: 'Findable' })
    const foreign = await app.make.project({ client_id: (await app.make.client()).id, name: 'Hidden' })
    const forAdmin = (await app.as('admin').call('palette.index')).body
    const forClient = (await app.as('client').call('palette.index')).body
    const keys = (index: typeof forAdmin) => index.put.map(([kind, id]) => `${kind}:${id}`)
    expect(keys(forAdmin)).toEqual(expect.arrayContaining([`project:${mine.id}`, `project:${foreign.id}`]))
    expect(keys(forClient)).toContain(`project:${mine.id}`)
    expect(keys(forClient)).not.toContain(`project:${foreign.id}`)
    expect(forClient.put.some(([kind]) => kind === 'user' || kind === 'partner')).toBe(false)
  })

  test('comes with an entry per line, to be parsed as it arrives, and compressed where accepted', async () => {
    await app.make.project({ client_id: app.client.id, name: 'Two\nlines "quoted"' })
    const { text } = await app.as('admin').raw('GET', '/v3/portal/palette/index')
    const lines = text.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^\{"cursor":\d+,"full":true,"drop":\[\],"put":\[$/)
    expect(lines.at(-1)).toBe(']}')
    const entries = lines.slice(1, -1).map((line) => JSON.parse(line.replace(/,$/, '')) as unknown[])
    expect(entries).toEqual(JSON.parse(text).put)
    expect(entries.map(([, , name]) => name)).toContain('Two\nlines "quoted"')
    const { headers } = await app.as('admin').raw('GET', '/v3/portal/palette/index', undefined, { 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
  })

  test('returns only changes and removals since a cursor', async () => {
    const client = await app.make.client({ name: 'Leaving' })
    const project = await app.make.project({ client_id: app.client.id, name: 'Old name' })
    const { cursor } = (await app.as('admin').call('palette.index')).body
    await app.as('admin').call('project.edit', { id: project.id, name: 'New name' })
    await app.as('admin').call('client.remove', { id: client.id })
    const { full, put, drop } = (await app.as('admin').call('palette.index', { since: cursor })).body
    expect(full).toBe(false)
    expect(put.map(([kind, id, name]) => [kind, id, name])).toContainEqual(['project', project.id, 'New name'])
    expect(drop).toContainEqual(['client', client.id])
  })
})

describe('a renamed client', () => {
  test('is renamed in the second line of its projects', async () => {
    const client = await app.make.client({ name: 'Before' })
    const project = await app.make.project({ client_id: client.id })
    const { cursor } = (await app.as('admin').call('palette.index')).body
    await app.as('admin').call('client.edit', { id: client.id, name: 'After' })
    const { put } = (await app.as('admin').call('palette.index', { since: cursor })).body
    expect(put.find(([kind, id]) => kind === 'project' && id === project.id)?.[3]).toContain('After')
  })
})

describe('a shared workspace', () => {
  test('is kept permanently under a short id', async () => {
    const layout = JSON.stringify({ v: 1, columns: [] })
    const { body } = await app.as('admin').call('snapshot.create', { layout })
    expect((await app.as('client').call('snapshot.get', { id: body.data.id })).body.data.layout).toBe(layout)
    expect((await app.as('client').call('snapshot.get', { id: 'nonsense_id' })).status).toBe(404)
  })
})
