import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build.ts'
import { readFeed } from '../../src/search/feed.ts'
import { openIndex } from '../../src/search/searcher.ts'
import { otherWorld, SECRET, upload } from './other-world.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
let theirs: Awaited<ReturnType<typeof otherWorld>>
beforeAll(async () => {
  app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  theirs = await otherWorld(app)
})
const client = () => app.as('client')

describe('nothing sent to a client user belongs to another client', () => {
  test('a deleted view is removed from the index of those who saw it, and announced to nobody else', async () => {
    const made = (await client().call('view.create', { screen: 'allProjects', name: 'Ours' })).body.data
    const others = (await theirs.person.call('view.create', { screen: 'allProjects', name: 'Theirs', shared: 'colleagues' })).body
      .data
    const { cursor } = (await client().call('palette.index')).body
    await client().call('view.remove', { id: made.id })
    await theirs.person.call('view.remove', { id: others.id })
    const { drop, full } = (await client().call('palette.index', { since: cursor })).body
    expect({ drop, full }).toEqual({ drop: [['view', made.id]], full: false })
  })

  test('the palette’s index contains no word, address, code or letter of theirs, even after a change of theirs', async () => {
    const { text } = await client().raw('GET', '/v3/portal/palette/index')
    const mine = readFeed(text)
    await app.as('admin').call('client.edit', { id: theirs.ids.client, name: `${SECRET} Renamed` })
    const later = readFeed((await client().raw('GET', `/v3/portal/palette/index?since=${mine.cursor}`)).text)
    const all = readFeed((await app.as('admin').raw('GET', '/v3/portal/palette/index')).text)
    const wordsOf = ({ put }: ReturnType<typeof readFeed>) => {
      const packed = buildIndex(put)
      const utf8 = [packed.nameText, packed.detailText].map((bytes) => Buffer.from(bytes).toString())
      const units = [packed.wordText, packed.codeText].map((list) => String.fromCharCode(...list))
      return [...utf8, ...units].join(' ').toLowerCase()
    }
    const secret = SECRET.toLowerCase()
    expect(wordsOf(all)).toContain(secret)
    expect(wordsOf(mine)).not.toContain(secret)
    expect(wordsOf(later)).not.toContain(secret)
    // The second line and addresses are searched by lists of their own.
    const asked = [secret, `${secret} project`, `${secret}@mail.test`, 'mail.test', `${secret}-winner`, SECRET.slice(0, 4)]
    const finds = (feed: typeof all, typed: string) =>
      openIndex(buildIndex(feed.put))
        .search(typed)
        .hits.some(({ name, detail }) => `${name} ${detail}`.includes(SECRET))
    expect(asked.filter((typed) => finds(all, typed))).toEqual(expect.arrayContaining([secret, `${secret}@mail.test`]))
    expect(asked.filter((typed) => finds(mine, typed))).toEqual([])
  })

  test('a stored layout opens nothing of theirs: it is read with the reader’s access', async () => {
    const layout = JSON.stringify({ columns: [{ tabs: [{ ref: `/dashboard/project/${theirs.ids.project}/overview` }] }] })
    const { id } = (await theirs.person.call('snapshot.create', { layout })).body.data
    expect(id.length).toBeGreaterThanOrEqual(12)
    expect((await client().call('snapshot.get', { id })).body.data.layout).toBe(layout)
    expect((await client().call('project.get', { id: theirs.ids.project })).status).toBe(404)
    expect((await app.as('stranger').call('snapshot.get', { id })).status).toBe(401)
    for (const near of [
      id.slice(0, -1),
      `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`,
      id.toLowerCase() === id ? id.toUpperCase() : id.toLowerCase(),
    ])
      expect((await client().call('snapshot.get', { id: near })).status, near).toBe(404)
  })

  test('a restarted export uses current access', async () => {
    const project = await app.make.project({ client_id: app.client.id, name: 'Wanders' })
    const survey = await app.make.survey({ project_id: project.id, name: `${SECRET} later` })
    await app.as('admin').call('runtime.ingest', { surveyId: survey.id, rows: [{ respondent_id: 'x', outcome: 'completes' }] })
    const { id } = (await client().call('export.start', { source: 'responses', filter: { project_id: project.id } })).body.data
    await app.services.jobs.settled(id, 10_000)
    await app.write(async (tx) => {
      await tx.updateTable('jobs').set({ status: 'failed', result: '{}' }).where('id', '=', id).execute()
      await tx.updateTable('projects').set({ client_id: theirs.ids.client }).where('id', '=', project.id).execute()
    })
    // Its title names the project, so its requester doesn't see the job any more.
    expect((await client().call('job.retry', { id })).status).toBe(404)
    // The result belongs to the first requester, even if somebody else retries it.
    const again = await app.as('admin').call('job.retry', { id })
    expect(again.status, again.text).toBe(200)
    const job = await app.services.jobs.settled(again.body.data.id, 10_000)
    expect({ status: job.status, error: job.error }).toEqual({ status: 'failed', error: `Project ${project.id} was not found.` })
    expect((await client().call('job.link', { id: job.id })).status).not.toBe(200)
    expect((await theirs.person.call('job.retry', { id })).status).toBe(404)
  })

  test('exports contain nothing of theirs, whatever the filter', async () => {
    const filters = [
      {},
      { search: SECRET },
      { project_id: theirs.ids.project },
      { id: theirs.ids.project },
      { survey_id: theirs.ids.survey, surveyId: theirs.ids.survey },
      { client_id: theirs.ids.client, client: theirs.ids.client },
      { ids: Object.values(theirs.ids) },
      { ids: Object.values(theirs.ids), status: 'all', generation: 'any' },
    ]
    const sources = ['projects', 'campaigns', 'clients', 'users', 'entries', 'responses'] as const
    for (const source of sources) {
      for (const filter of filters) {
        const started = await client().call('export.start', { source, filter })
        if (started.status !== 200) continue
        const job = await app.services.jobs.settled(started.body.data.id, 10_000)
        if (job.status !== 'done') continue
        const link = await client().call('job.link', { id: job.id })
        const file = await app.as('stranger').raw('GET', new URL(link.body.data.url, 'http://fieldwork.test').pathname)
        expect(file.status).toBe(200)
        expect(file.text, `${source} ${JSON.stringify(filter)}`).not.toContain(SECRET)
      }
    }
    const csv = await client().call('campaign.exportCsv', { id: theirs.ids.campaign })
    expect(csv.status).toBe(404)
  })

  test('a file can’t be put into their project, and a link can’t be altered to another file', async () => {
    expect(await upload(client(), theirs.ids.project, 'mine.txt')).toBe(0)
    const own = await app.make.project({ client_id: app.client.id })
    const mine = await upload(client(), own.id, 'mine.txt')
    const { url } = (await client().call('file.link', { id: mine })).body.data
    const path = new URL(url, 'http://fieldwork.test').pathname
    expect((await app.as('stranger').raw('GET', path)).status).toBe(200)
    const signed = path.split('/').at(-1)!
    // With every character changed, one at a time.
    for (let at = 0; at < signed.length; at++) {
      const turned = `${signed.slice(0, at)}${signed[at] === 'A' ? 'B' : 'A'}${signed.slice(at + 1)}`
      const answer = await app.as('stranger').raw('GET', path.replace(signed, turned))
      // The last base64 character may have unused bits; then it is the same link.
      if (answer.status === 200) expect(answer.text).toBe(`${SECRET} inside`)
      else expect(answer.status, turned).toBe(404)
    }
    expect((await client().call('file.link', { id: theirs.ids.file })).status).toBe(404)
  })

  test('their live events aren’t received, nor their index changes', async () => {
    const heard = await listening(client())
    const before = (await client().call('palette.index')).body.cursor
    const admin = app.as('admin')
    await admin.call('project.edit', { id: theirs.ids.project, description: `${SECRET} again` })
    await admin.call('note.create', { project_id: theirs.ids.project, note: SECRET })
    await admin.call('client.edit', { id: theirs.ids.client, name: `${SECRET} Foods & Co` })
    await theirs.person.call('view.create', { screen: 'allProjects', name: `${SECRET} ours`, shared: 'colleagues' })
    await theirs.person.call('account.edit', { first_name: SECRET, last_name: 'X', phone: '2125550123' })
    await admin.call('entry.reject', { ids: [theirs.ids.entry], reason: SECRET })
    const own = await app.make.project({ client_id: app.client.id })
    await admin.call('project.edit', { id: own.id, description: 'Ours' })
    const frames = await heard.until((frame) => frame.project_id === own.id)
    expect(frames.filter((frame) => frame.project_id !== own.id)).toEqual([])
    const { put, drop, full } = (await client().call('palette.index', { since: before })).body
    expect(put.filter((row) => row.join(' ').includes(SECRET))).toEqual([])
    expect({ drop, full }).toEqual({ drop: [], full })
  })

  test('a project moved to another client leaves the first one’s index', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const { cursor, put } = (await client().call('palette.index')).body
    expect(put.some(([, id]) => id === project.id)).toBe(true)
    await app.as('admin').call('project.edit', { id: project.id, client_id: theirs.ids.client })
    const after = (await client().call('palette.index', { since: cursor })).body
    expect(after.put.some(([, id]) => id === project.id)).toBe(false)
    // Reported as gone because they could see it before; nothing else is.
    expect(after.full ? [['project', project.id]] : after.drop.filter(([kind]) => kind === 'project')).toEqual([
      ['project', project.id],
    ])
  })

  const stops: (() => void)[] = []
  afterAll(() => {
    for (const stop of stops) stop()
  })
  /** Listens to a live stream over a real connection. */
  async function listening(who: Person) {
    const { port } = app.app.server.address() as { port: number }
    const stop = new AbortController()
    stops.push(() => stop.abort())
    const answer = await fetch(`http://127.0.0.1:${port}/v3/portal/live`, { headers: who.headers, signal: stop.signal })
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    await reader.read()
    return {
      async until(fits: (frame: { project_id: number | null }) => boolean) {
        const frames: { project_id: number | null }[] = []
        for (let text = ''; ; ) {
          const { value, done } = await reader.read()
          if (done) return frames
          text += value
          const whole = text.split('\n\n')
          text = whole.pop()!
          for (const one of whole) {
            const data = /^data: (.*)$/m.exec(one)?.[1]
            if (data && data !== '{}') frames.push(JSON.parse(data))
          }
          if (frames.some(fits)) return frames
        }
      },
    }
  }
})
