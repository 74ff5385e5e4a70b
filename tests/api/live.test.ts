import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
let base: string
beforeAll(async () => {
  app = await fieldwork()
  base = await app.app.listen({ port: 0, host: '127.0.0.1' })
})

interface Heard {
  id: number
  noun: string
  subject_id: number
  own: boolean
}

/** Listens to the live stream; `until` waits for an event, `stop` hangs up. */
async function listen(person: Person, after?: number) {
  const stop = new AbortController()
  const headers = { ...person.headers, ...(after === undefined ? {} : { 'last-event-id': String(after) }) }
  const answer = await fetch(`${base}/v3/portal/live`, { headers, signal: stop.signal })
  const heard: Heard[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (\{"id".*)$/m.exec(text.slice(0, end))?.[1]
        if (data) heard.push(JSON.parse(data) as Heard)
        text = text.slice(end + 2)
      }
    }
  })().catch(() => {})
  const until = async (fits: (event: Heard) => boolean, ms = 4000) => {
    for (const end = Date.now() + ms; Date.now() < end; await new Promise((next) => setTimeout(next, 10))) {
      const found = heard.find(fits)
      if (found) return found
    }
    return null
  }
  const hangUp = () => {
    stop.abort()
    return reading
  }
  return { heard, until, stop: hangUp }
}

describe('the live stream', () => {
  test('tells an administrator of a change, and whose it was', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const ear = await listen(app.as('admin'))
    await app.as('admin').call('project.edit', { id: project.id, name: 'Heard' })
    expect(await ear.until((event) => event.noun === 'project' && event.subject_id === project.id)).toMatchObject({ own: true })
    await ear.stop()
  })

  test('tells a client user of what they may see, and of nothing else', async () => {
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
    const before = await app.house.live.last()
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

describe('the palette’s index', () => {
  test('holds what the caller may see, and only that', async () => {
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

  test('with a cursor answers only what changed since, and what is gone', async () => {
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

describe('a shared workspace', () => {
  test('is kept for good under a short id', async () => {
    const layout = JSON.stringify({ v: 1, columns: [] })
    const { body } = await app.as('admin').call('snapshot.create', { layout })
    expect((await app.as('client').call('snapshot.get', { id: body.data.id })).body.data.layout).toBe(layout)
    expect((await app.as('client').call('snapshot.get', { id: 'nonsense_id' })).status).toBe(404)
  })
})
