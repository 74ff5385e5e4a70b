import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { MARKABLE } from '../../contract/view.ts'
import { fieldsOf, inputFor } from '../torture/input/generate.ts'
import { randomOf } from '../torture/random.ts'
import { requestOf, signedIn } from './calling.ts'
import { type Answer, type Fieldwork, fieldwork, type Person } from './support.ts'

const rows = Object.entries(calls) as [CallId, Call][]
/** Stands in every text of the other client: wherever it comes out, something leaked. */
const SECRET = 'Zanzibar'
const NOBODYS = 1_999_999_999

let app: Fieldwork
let theirs: Awaited<ReturnType<typeof otherWorld>>
const people: Record<string, Person> = {}

beforeAll(async () => {
  app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  theirs = await otherWorld()
  const { house, admin, member } = app
  const session = async (...given: Parameters<typeof signedIn>) => app.person(await signedIn(...given))
  const revoked = await session(house, admin)
  expect((await revoked.raw('DELETE', '/v3/portal/auth/sign_out')).status).toBe(200)
  Object.assign(people, {
    stranger: app.as('stranger'),
    client: app.as('client'),
    'other client': theirs.person,
    admin: app.as('admin'),
    'acting as': await session(house, member, { admin_id: admin.id }),
    'expired token': await session(house, admin, { expires_at: new Date(Date.now() - 1000).toISOString() }),
    'revoked token': revoked,
    'another device’s name': app.person({ ...app.as('admin').headers, client: 'somebody-else' }),
    'half a token': app.person({
      ...app.as('admin').headers,
      'access-token': app.as('admin').headers['access-token']!.slice(0, -1),
    }),
  })
})

/** Another client with one of everything, each of it marked, and a person of theirs. */
async function otherWorld() {
  const { make } = app
  const at = new Date().toISOString()
  // Ids that are nobody else's: an id of theirs must never be one of ours by chance.
  let serial = 500_000
  const id = () => {
    serial += 1000
    return serial
  }
  const kept = { created_at: at, updated_at: at }
  const client = await make.client({ id: id(), name: `${SECRET} Foods` })
  const user = await make.user({
    id: id(),
    first_name: SECRET,
    company: SECRET,
    email: 'zanzibar@mail.test',
    clients: [client.id],
  })
  const person = await app.signIn(user)
  const project = await make.project({
    id: id(),
    client_id: client.id,
    name: `${SECRET} Snacks`,
    description: SECRET,
    status: 'submit_approval',
    quote_valid_until: null,
  })
  const campaign = await make.project({
    id: id(),
    client_id: client.id,
    name: `${SECRET} Campaign`,
    generation: 'campaign',
    requested_by: user.id,
  })
  const child = await make.project({ id: id(), client_id: client.id, name: `${SECRET} Child`, parent_id: project.id })
  const team = await make.team({
    id: id(),
    client_id: client.id,
    name: `${SECRET} Team`,
    users: [user.id],
    projects: [campaign.id],
  })
  const survey = await make.survey({ id: id(), project_id: project.id, name: `${SECRET} Survey` })
  const entry = await make.entry({ id: id(), project_id: project.id, survey_id: survey.id, email: 'zanzibar-winner@mail.test' })
  const added = await app.write(async (tx) => {
    const note = await tx
      .insertInto('notes')
      .values({ id: id(), ...kept, project_id: project.id, note: SECRET, author_id: app.admin.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const activity = await tx
      .insertInto('activities')
      .values({
        id: id(),
        ...kept,
        project_id: project.id,
        name: SECRET,
        about: SECRET,
        activity_type: 'survey',
        action_type: '',
        social_type: '',
        social_text: SECRET,
        social_link: '',
        url: '',
        start_dt: null,
        end_dt: null,
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const target = await tx
      .insertInto('targets')
      .values({
        id: id(),
        activity_id: activity.id,
        version: 1,
        location_based: 'no',
        targeted_locations: '',
        age: SECRET,
        gender: '',
        hhi: '',
        ethnicity: '',
        marital_status: '',
        children: '',
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const question = await tx
      .insertInto('questions')
      .values({
        id: id(),
        ...kept,
        survey_id: survey.id,
        name: SECRET,
        position: 1,
        question_type: 'survey',
        options: `["${SECRET}"]`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const group = await tx
      .insertInto('location_groups')
      .values({ id: id(), ...kept, client_id: client.id, name: SECRET, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const views: number[] = []
    for (const shared of ['own', 'colleagues'] as const) {
      const view = { id: id(), ...kept, user_id: user.id, screen: 'allProjects', query: `search=${SECRET}`, shared }
      const name = `${SECRET} ${shared}`
      await tx
        .insertInto('views')
        .values({ ...view, name, name_key: name.toLowerCase() })
        .execute()
      views.push(view.id)
    }
    return {
      note: note.id,
      activity: activity.id,
      target: target.id,
      question: question.id,
      group: group.id,
      view: views[0]!,
      sharedView: views[1]!,
    }
  })
  await app.as('admin').call('runtime.ingest', {
    surveyId: survey.id,
    rows: [{ respondent_id: SECRET, outcome: 'completes', answers: { [added.question]: SECRET } }],
  })
  const file = await upload(person, project.id)
  const job = (await person.call('export.start', { source: 'projects', filter: {} })).body.data.id
  await app.house.jobs.settled(job, 10_000)
  const session = (await person.call('account.sessions')).body.data[0]!.id
  const moved = await app.write(async (tx) => {
    const to = { job: id(), file: id(), session: id() }
    await tx
      .updateTable('jobs')
      .set({ id: to.job as never })
      .where('id', '=', job)
      .execute()
    await tx
      .updateTable('files')
      .set({ id: to.file as never })
      .where('id', '=', file)
      .execute()
    await tx
      .updateTable('sessions')
      .set({ id: to.session as never })
      .where('id', '=', session)
      .execute()
    return to
  })
  const ids = {
    client: client.id,
    user: user.id,
    project: project.id,
    campaign: campaign.id,
    child: child.id,
    team: team.id,
    survey: survey.id,
    entry: entry.id,
    ...moved,
    ...added,
  }
  return { ids, person }
}

async function upload(who: Person, project_id: number, name = `${SECRET}.txt`): Promise<number> {
  const form = new FormData()
  form.append('project_id', String(project_id))
  form.append('file', new Blob([`${SECRET} inside`]), name)
  const request = new Request('http://fieldwork.test', { method: 'POST', body: form })
  const answer = await who.raw('POST', '/v3/portal/files', Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type')!,
  })
  return (answer.body as unknown as { data: { id: number }[] }).data?.[0]?.id ?? 0
}

/** Never by the table alone: what each call answers somebody, before it looks at what they want. */
function expected(row: Call, who: string): 401 | 403 | 'let in' {
  if (row.access === 'public') return 'let in'
  if (!['client', 'other client', 'admin', 'acting as'].includes(who)) return 401
  return who === 'admin' || row.access === 'client' ? 'let in' : 403
}

describe('every call answers as the table says', () => {
  // Ends the session it is called with, or waits for as long as somebody listens.
  const apart = [
    'session.signOut',
    'session.switchBack',
    'account.endSession',
    'account.endOtherSessions',
    'live.stream',
    'session.setPassword',
    'session.setPasswordSettlers',
  ]
  test.each([
    'stranger',
    'expired token',
    'revoked token',
    'another device’s name',
    'half a token',
    'client',
    'other client',
    'acting as',
    'admin',
  ])('to: %s', async (who) => {
    const wrong: string[] = []
    for (const [id, row] of rows) {
      const wanted = expected(row, who)
      if (wanted === 'let in' && apart.includes(id)) continue
      const { method, url, body } = requestOf(id, {})
      const { status, text } = await people[who]!.raw(method, url, body)
      const refused = status === 401 || (status === 403 && /Only an administrator can do this/.test(text))
      if (wanted === 'let in' ? (refused && row.access !== 'public') || status >= 500 : status !== wanted)
        wrong.push(`${id}: ${status} instead of ${wanted}`)
    }
    expect(wrong).toEqual([])
  })
})

/**
 * TABLE  what an administrator may do while acting as a client user: everything in that person's name, except what is theirs alone.
 * A write that is open to client users and not named here fails below: whoever adds one says which it is.
 */
const ACTING: Partial<Record<CallId, 'in their name' | 'refused' | 'by its own proof'>> = {
  'session.signIn': 'by its own proof',
  'session.signOut': 'in their name',
  'session.forgot': 'by its own proof',
  'session.setPassword': 'refused',
  'session.setPasswordSettlers': 'refused',
  'session.register': 'by its own proof',
  'session.requestAccount': 'by its own proof',
  'session.switchBack': 'in their name',
  'account.edit': 'refused',
  'account.endSession': 'refused',
  'account.endOtherSessions': 'refused',
  'user.setCompany': 'refused',
  'project.setStatus': 'in their name',
  'request.create': 'in their name',
  'request.check': 'in their name',
  'campaign.authorize': 'in their name',
  'project.approve': 'in their name',
  'project.reject': 'in their name',
  'file.upload': 'in their name',
  'file.uploadDocument': 'in their name',
  'file.link': 'in their name',
  'job.cancel': 'in their name',
  'job.retry': 'in their name',
  'job.link': 'in their name',
  'export.start': 'in their name',
  'snapshot.create': 'in their name',
  'usage.record': 'in their name',
  'view.create': 'in their name',
  'view.edit': 'in their name',
  'view.remove': 'in their name',
}

describe('an administrator who acts as a client user', () => {
  const writes = rows.filter(([, row]) => row.method !== 'GET' && (row.access === 'client' || row.access === 'public'))

  test('is expected something of every write there is', () => {
    expect(Object.keys(ACTING).sort()).toEqual(writes.map(([id]) => id).sort())
  })

  test('may do what the table above says, and no administrator’s call', async () => {
    const acting = app.person(await signedIn(app.house, app.member, { admin_id: app.admin.id }))
    const wrong: string[] = []
    for (const [id, row] of rows.filter(([, row]) => row.method !== 'GET')) {
      if (id === 'session.signOut' || id === 'session.switchBack') continue
      const given = { ...inputFor(row.input, randomOf(7)), reset_password_token: undefined }
      const passwords = id.includes('setPassword') ? { password: 'Fieldwork-2!', password_confirmation: 'Fieldwork-2!' } : {}
      const { method, url, body } = requestOf(id, { ...given, ...passwords, id: NOBODYS })
      const { status, body: said } = await acting.raw(method, url, body)
      const refused = status === 403 && (row.access === 'admin' ? said.code === 'forbidden' : said.code === 'acting')
      if (refused !== (row.access === 'admin' || row.access === 'partner' || ACTING[id] === 'refused'))
        wrong.push(`${id}: ${status} ${said.code}`)
    }
    expect(wrong).toEqual([])
    const me = await app.db.selectFrom('users').select(['company', 'password_hash']).where('id', '=', app.member.id).execute()
    expect(me).toEqual([{ company: app.member.company, password_hash: app.member.password_hash }])
  })

  test('acts no longer once they are no administrator', async () => {
    const boss = await app.make.user({ role: 'admin' })
    const acting = app.person(await signedIn(app.house, app.member, { admin_id: boss.id }))
    expect((await acting.call('session.validate')).status).toBe(200)
    await app.write((tx) => tx.updateTable('users').set({ role: 'client' }).where('id', '=', boss.id).execute())
    expect((await acting.call('session.validate')).status).toBe(401)
  })
})

describe('a client user and what is another client’s', () => {
  /** A refusal without what differs in every answer: the request's id, and the id that was asked for. */
  const told = ({ status, text }: Answer, id: number) =>
    `${status} ${text.replace(/"request_id":"[^"]*"/, '').replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#')}`
  /** Fields that name a record; whatever is called so tomorrow is tried tomorrow. */
  const idFields = (row: Call) =>
    [...Object.keys(fieldsOf(row.input)), ...[...row.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!)].filter((name) =>
      /(^|_)ids?$|Id$|^client$|^parent/.test(name),
    )
  /** Two inputs that are right in all but the record: what is asked for must be the only thing to refuse. */
  const rightInputs = (row: Call, named: object) => {
    const found: Record<string, unknown>[] = []
    for (let seed = 1; seed < 400 && found.length < 2; seed++) {
      const input = { ...inputFor(row.input, randomOf(seed)), ...named }
      if (row.input.safeParse(input).success) found.push(input)
    }
    return found.length ? found : [inputFor(row.input, randomOf(1))]
  }
  const open = rows.filter(([, row]) => row.access === 'client' && row.as !== 'stream' && row.as !== 'multipart')
  const holders = open.flatMap(([id, row]) => [...new Set(idFields(row))].map((field) => [id, field] as const))

  test.each(holders)('%s by %s: an id of theirs answers as one that nobody has', async (id, field) => {
    const row = calls[id] as Call
    const many = /ids$/.test(field)
    const wrong: string[] = []
    for (const base of rightInputs(row, { [field]: many ? [NOBODYS] : NOBODYS })) {
      const ask = async (value: number) => {
        const { method, url, body } = requestOf(id, {
          ...base,
          [field]: many ? [value] : value,
        })
        return people.client!.raw(method, url, body)
      }
      const nobodys = told(await ask(NOBODYS), NOBODYS)
      for (const [noun, value] of Object.entries(theirs.ids)) {
        const answer = await ask(value)
        if (answer.text.includes(SECRET)) wrong.push(`${noun}: tells ${answer.text.slice(0, 200)}`)
        if (told(answer, value) !== nobodys)
          wrong.push(`${noun} ${value}: ${told(answer, value).slice(0, 200)} is not ${nobodys.slice(0, 200)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('lists, searches and the palette’s index tell nothing', async () => {
    for (const [id] of open.filter(([, call]) => call.method === 'GET' && !call.path.includes('{'))) {
      for (const input of [
        {},
        { search: SECRET },
        { search: String(theirs.ids.project) },
        { since: 0 },
        { client: theirs.ids.client },
        { per_page: 500, status: 'all', generation: 'any' },
      ]) {
        const { method, url, body } = requestOf(id, input)
        expect((await people.client!.raw(method, url, body)).text, `${id} ${JSON.stringify(input)}`).not.toContain(SECRET)
      }
    }
  })

  test('marks of theirs mark nothing, in any list', async () => {
    const ids = Object.values(theirs.ids)
    for (const list of MARKABLE) {
      for (const filter of [
        {},
        { project_id: theirs.ids.project },
        { client_id: theirs.ids.client, client: theirs.ids.client },
      ]) {
        for (const wanted of [{ ids: ids.join() }, {}]) {
          const input = { list, filter: JSON.stringify(filter), ...wanted }
          const answer = await people.client!.call('list.marks', input as never)
          expect(answer.text, JSON.stringify(input)).not.toContain(SECRET)
          expect([200, 403, 404, 422]).toContain(answer.status)
          const marked = answer.status === 200 ? answer.body.rows.map(([id]) => id) : []
          expect(marked.filter((id) => ids.includes(id))).toEqual([])
        }
      }
    }
  })

  test('a saved view of theirs is shared with their colleagues and with nobody else', async () => {
    const colleague = await app.signIn(await app.make.user({ clients: [theirs.ids.client] }))
    const names = async (who: Person) =>
      (await who.call('view.list')).body.data.filter((view) => !view.mine).map((view) => view.name)
    expect(await names(colleague)).toEqual([`${SECRET} colleagues`])
    expect(await names(people.client!)).toEqual([])
    for (const id of [theirs.ids.view, theirs.ids.sharedView]) {
      expect((await people.client!.call('view.edit', { id, name: 'Mine' })).status).toBe(404)
      expect((await people.client!.call('view.remove', { id })).status).toBe(404)
    }
    // Who sees it may not change it.
    expect((await colleague.call('view.edit', { id: theirs.ids.sharedView, name: 'Mine' })).status).toBe(403)
    expect((await colleague.call('view.edit', { id: theirs.ids.view, name: 'Mine' })).status).toBe(404)
  })

  test('a view that is deleted leaves the index of who saw it, and is not named to anybody else', async () => {
    const made = (await people.client!.call('view.create', { screen: 'allProjects', name: 'Ours' })).body.data
    const others = (await theirs.person.call('view.create', { screen: 'allProjects', name: 'Theirs', shared: 'colleagues' })).body
      .data
    const { cursor } = (await people.client!.call('palette.index')).body
    await people.client!.call('view.remove', { id: made.id })
    await theirs.person.call('view.remove', { id: others.id })
    const { drop, full } = (await people.client!.call('palette.index', { since: cursor })).body
    expect({ drop, full }).toEqual({ drop: [['view', made.id]], full: false })
  })

  test('a layout that was kept opens none of theirs: it is read with the reader’s own rights', async () => {
    const layout = JSON.stringify({ columns: [{ tabs: [{ ref: `/dashboard/project/${theirs.ids.project}/overview` }] }] })
    const { id } = (await theirs.person.call('snapshot.create', { layout })).body.data
    expect(id.length).toBeGreaterThanOrEqual(12)
    expect((await people.client!.call('snapshot.get', { id })).body.data.layout).toBe(layout)
    expect((await people.client!.call('project.get', { id: theirs.ids.project })).status).toBe(404)
    expect((await app.as('stranger').call('snapshot.get', { id })).status).toBe(401)
    for (const near of [
      id.slice(0, -1),
      `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`,
      id.toLowerCase() === id ? id.toUpperCase() : id.toLowerCase(),
    ])
      expect((await people.client!.call('snapshot.get', { id: near })).status, near).toBe(404)
  })

  test('an export that is begun again is written with the rights of now', async () => {
    const project = await app.make.project({ client_id: app.client.id, name: 'Wanders' })
    const survey = await app.make.survey({ project_id: project.id, name: `${SECRET} later` })
    await app.as('admin').call('runtime.ingest', { surveyId: survey.id, rows: [{ respondent_id: 'x', outcome: 'completes' }] })
    const { id } = (await people.client!.call('export.start', { source: 'responses', filter: { project_id: project.id } })).body
      .data
    await app.house.jobs.settled(id, 10_000)
    await app.write(async (tx) => {
      await tx.updateTable('jobs').set({ status: 'failed', result: '{}' }).where('id', '=', id).execute()
      await tx.updateTable('projects').set({ client_id: theirs.ids.client }).where('id', '=', project.id).execute()
    })
    // Whoever begins it: what comes out is for who asked for it first.
    for (const who of [people.client!, app.as('admin')]) {
      const again = await who.call('job.retry', { id })
      expect(again.status, again.text).toBe(200)
      const job = await app.house.jobs.settled(again.body.data.id, 10_000)
      expect({ status: job.status, error: job.error }).toEqual({ status: 'failed', error: 'This project was not found.' })
      expect((await people.client!.call('job.link', { id: job.id })).status).not.toBe(200)
      await app.write((tx) => tx.updateTable('jobs').set({ status: 'failed' }).where('id', '=', id).execute())
    }
    expect((await people['other client']!.call('job.retry', { id })).status).toBe(404)
  })

  test('exports hold nothing of theirs, whatever the filter asks for', async () => {
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
        const started = await people.client!.call('export.start', { source, filter })
        if (started.status !== 200) continue
        const job = await app.house.jobs.settled(started.body.data.id, 10_000)
        if (job.status !== 'done') continue
        const link = await people.client!.call('job.link', { id: job.id })
        const file = await app.as('stranger').raw('GET', new URL(link.body.data.url, 'http://fieldwork.test').pathname)
        expect(file.status).toBe(200)
        expect(file.text, `${source} ${JSON.stringify(filter)}`).not.toContain(SECRET)
      }
    }
    const csv = await people.client!.call('campaign.exportCsv', { id: theirs.ids.campaign })
    expect(csv.status).toBe(404)
  })

  test('a file can’t be put into a project of theirs, and a link can’t be made to say another file', async () => {
    expect(await upload(people.client!, theirs.ids.project, 'mine.txt')).toBe(0)
    const own = await app.make.project({ client_id: app.client.id })
    const mine = await upload(people.client!, own.id, 'mine.txt')
    const { url } = (await people.client!.call('file.link', { id: mine })).body.data
    const path = new URL(url, 'http://fieldwork.test').pathname
    expect((await app.as('stranger').raw('GET', path)).status).toBe(200)
    const signed = path.split('/').at(-1)!
    // Every letter of it turned, one at a time.
    for (let at = 0; at < signed.length; at++) {
      const turned = `${signed.slice(0, at)}${signed[at] === 'A' ? 'B' : 'A'}${signed.slice(at + 1)}`
      const answer = await app.as('stranger').raw('GET', path.replace(signed, turned))
      // The last letter of base64 may hold bits that mean nothing; then it is the same link.
      if (answer.status === 200) expect(answer.text).toBe(`${SECRET} inside`)
      else expect(answer.status, turned).toBe(404)
    }
    expect((await people.client!.call('file.link', { id: theirs.ids.file })).status).toBe(404)
  })

  test('live events of theirs are not heard, nor what an index says changed', async () => {
    const heard = await listening(people.client!)
    const before = (await people.client!.call('palette.index')).body.cursor
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
    const { put, drop, full } = (await people.client!.call('palette.index', { since: before })).body
    expect(put.filter((row) => row.join(' ').includes(SECRET))).toEqual([])
    expect({ drop, full }).toEqual({ drop: [], full })
  })

  test('a project that goes to another client leaves the index of the first', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const { cursor, put } = (await people.client!.call('palette.index')).body
    expect(put.some(([, id]) => id === project.id)).toBe(true)
    await app.as('admin').call('project.edit', { id: project.id, client_id: theirs.ids.client })
    const after = (await people.client!.call('palette.index', { since: cursor })).body
    expect(after.put.some(([, id]) => id === project.id)).toBe(false)
    // Named as gone, as it was theirs; nothing else is.
    expect(after.full ? [['project', project.id]] : after.drop.filter(([kind]) => kind === 'project')).toEqual([
      ['project', project.id],
    ])
  })

  test('what a caller may not set is not set, however it is sent', async () => {
    const more = {
      role: 'admin',
      role_id: 2,
      id: theirs.ids.user,
      user_id: theirs.ids.user,
      email: 'zanzibar@mail.test',
      clients: [theirs.ids.client],
      client_id: theirs.ids.client,
      deleted_at: null,
      password_hash: 'x',
      status: 'invited',
      must_change_password: 1,
    }
    for (const body of [
      { ...more, first_name: 'Cleo', last_name: 'Client', phone: '2125550100' },
      { user: more },
      { account: more, first_name: 'Cleo' },
    ]) {
      await people.client!.raw('PUT', `/v3/portal/account?id=${theirs.ids.user}&role=admin`, body)
    }
    const me = await app.db.selectFrom('users').selectAll().where('id', '=', app.member.id).executeTakeFirstOrThrow()
    expect(me).toMatchObject({ role: 'client', email: 'client@fieldwork.test', status: 'active', must_change_password: 0 })
    const other = await app.db.selectFrom('users').selectAll().where('id', '=', theirs.ids.user).executeTakeFirstOrThrow()
    expect(other).toMatchObject({ first_name: SECRET, role: 'client' })
    expect((await people.client!.call('client.get', { id: theirs.ids.client })).status).toBe(404)
  })

  const stops: (() => void)[] = []
  afterAll(() => {
    for (const stop of stops) stop()
  })
  /** Hears a live stream over a real connection. */
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
