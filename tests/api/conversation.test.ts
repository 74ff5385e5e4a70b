import { beforeAll, describe, expect, test } from 'vitest'
import { otherWorld } from './other-world.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
let other: Person
beforeAll(async () => {
  app = await fieldwork({ LIMITS: 'messages_minute=4' })
  other = (await otherWorld(app)).person
})
const admin = () => app.as('admin')
const stranger = () => app.as('stranger')

const DAY_S = 86_400
const linkOf = (project: number, partner: number, days = 14) => ({
  'fieldwork-partner': app.services.secrets.sign(
    'partner',
    [project, partner, 1, 1].join(':'),
    Math.floor(Date.now() / 1000) + days * DAY_S,
  ),
})
/** A project on quote with two invited partners and their links, and authors of its own, so no limit is shared. */
async function world() {
  const { id } = await app.make.project({
    client_id: app.client.id,
    status: 'pricing',
    cost_cents: null,
    requested_by: app.member.id,
    name: 'Oat study',
  })
  const partners = [await app.make.partner(), await app.make.partner()] as const
  await admin().call('invitation.create', { id, partner_ids: partners.map((one) => one.id), mail: 0, title: 'Oats' })
  const of = async (role: 'admin' | 'client', more: object = {}): Promise<Person> =>
    app.signIn(await app.make.user({ role, ...(role === 'client' ? { clients: [app.client.id] } : {}), ...more }))
  return {
    id,
    partners,
    links: partners.map((one) => linkOf(id, one.id)),
    admin: await of('admin', { first_name: 'Olga', last_name: 'Owner' }),
    client: await of('client', { first_name: 'Carl', last_name: 'Colleague' }),
  }
}
const texts = (answer: { body: { data: readonly { text: string }[] } }) => answer.body.data.map(({ text }) => text)
const mails = async (id: number) =>
  (await app.db.selectFrom('mails').selectAll().where('about', '=', `project:${id}`).orderBy('id').execute()).filter(
    ({ status }) => status !== 'withdrawn',
  )
/** One message in each conversation of a project. */
async function three() {
  const made = await world()
  const [first, second] = made.partners
  expect((await made.client.call('message.send', { id: made.id, text: 'From the client' })).status).toBe(200)
  await stranger().call('invitation.ask', { id: made.id, text: 'From the first' }, made.links[0])
  await made.admin.call('message.send', { id: made.id, partner_id: second.id, text: 'To the second' })
  return { ...made, first, second }
}

describe('a conversation', () => {
  test('is read by those who take part in it, and by nobody else', async () => {
    const { id, first, second, links, ...people } = await three()
    const read = async (who: Person, input: object = {}, link?: Record<string, string>) => {
      const answer = await who.call('message.list', { id, ...input }, link)
      return answer.status === 200 ? texts(answer) : answer.status
    }
    expect(await read(people.admin)).toEqual(['To the second', 'From the first', 'From the client'])
    expect(await read(people.admin, { with: 'client' })).toEqual(['From the client'])
    expect(await read(people.admin, { with: 'partners' })).toEqual(['To the second', 'From the first'])
    expect(await read(people.admin, { partner_id: first.id })).toEqual(['From the first'])
    for (const input of [{}, { with: 'client' }]) expect(await read(people.client, input)).toEqual(['From the client'])
    for (const input of [{ with: 'partners' }, { partner_id: first.id }]) expect(await read(people.client, input)).toEqual([])
    expect(await read(other)).toBe(404)
    expect(await read(stranger())).toBe(401)
    expect(await read(stranger(), {}, links[0])).toBe(401)
    const page = async (link: Record<string, string>) =>
      texts((await stranger().call('invitation.messages', { id }, link)) as never)
    expect(await page(links[0]!)).toEqual(['From the first'])
    expect(await page(links[1]!)).toEqual(['To the second'])
    const asOther = await stranger().call('invitation.messages', { id, partner_id: second.id }, links[0])
    expect(asOther.status).toBe(404)
    expect((await stranger().call('invitation.messages', { id }, linkOf(id, first.id, -1))).body.code).toBe('link_expired')
  })

  test('gives single messages, searches, changes and files of its own messages alone', async () => {
    const { id, ...people } = await three()
    const all = (await people.admin.call('message.list', { id })).body.data
    const status = async (who: Person, one: number) => (await who.call('message.get', { id: one })).status
    expect(await Promise.all(all.map((one) => status(people.client, one.id)))).toEqual([404, 404, 200])
    expect(await Promise.all(all.map((one) => status(people.admin, one.id)))).toEqual([200, 200, 200])
    expect((await people.client.call('message.list', { id, search: 'the' })).body.count).toBe(1)
    expect((await people.client.call('message.list', { id, updated_since: '2020-01-01' })).body.count).toBe(1)
    expect((await people.client.call('message.list', { id, search: String(all[0]!.id) })).body.data).toEqual([])
  })

  test('is listed with what waits for the caller’s side', async () => {
    const { id, first, second, ...people } = await three()
    const listed = async (who: Person) =>
      (await who.call('message.conversations', { id })).body.data.map((one) => [one.partner_id, one.messages, one.waiting])
    expect(await listed(people.client)).toEqual([[null, 1, false]])
    const ours = await listed(people.admin)
    expect(ours[0]).toEqual([null, 1, true])
    expect(ours.slice(1)).toEqual(
      expect.arrayContaining([
        [first.id, 1, true],
        [second.id, 1, false],
      ]),
    )
    await people.admin.call('message.send', { id, text: 'Yes' })
    expect(await listed(people.client)).toEqual([[null, 2, true]])
  })

  test('stays with the client who had it', async () => {
    const { id, ...people } = await three()
    const other = await app.make.client()
    const heir = await app.signIn(await app.make.user({ role: 'client', clients: [other.id] }))
    await app.write((tx) => tx.updateTable('projects').set({ client_id: other.id }).where('id', '=', id).execute())
    expect((await heir.call('message.list', { id })).body.data).toEqual([])
    expect((await heir.call('message.conversations', { id })).body.data).toMatchObject([{ messages: 0, waiting: false }])
    expect((await people.client.call('message.list', { id })).status).toBe(404)
    expect(texts(await people.admin.call('message.list', { id, with: 'client' }))).toEqual([])
    expect(texts(await people.admin.call('message.list', { id }))).toContain('From the client')
  })

  test('is written in by its sides alone', async () => {
    const { id, partners, links, ...people } = await world()
    const write = async (who: Person, input: object = {}) =>
      (await who.call('message.send', { id, text: 'Hm?', ...input })).status
    expect(await write(people.client, { partner_id: partners[0].id })).toBe(404)
    expect(await write(people.admin, { partner_id: (await app.make.partner()).id })).toBe(404)
    expect([await write(other), await write(stranger())]).toEqual([404, 401])
    expect((await people.client.call('invitation.ask', { id, text: 'Hm?' })).status).toBe(403)
    expect((await stranger().call('message.send', { id, text: 'Hm?' }, links[0])).status).toBe(401)
    expect((await people.admin.call('message.list', { id })).body.count).toBe(0)
  })

  test('refuses a partner who can’t open it any more, by name', async () => {
    const { id, partners, links, ...people } = await world()
    const [silent, gone] = partners
    await admin().call('invitation.revoke', { id, partner_id: gone.id, reason: 'Wrong panel' })
    const write = async (partner_id: number) => (await people.admin.call('message.send', { id, partner_id, text: 'Hm?' })).body
    expect((await write(gone.id)).message).toBe(`${gone.name} can’t be written to: the request to them was withdrawn.`)
    await admin().call('project.setCost', { id, cost: 5000 })
    expect((await write(silent.id)).message).toBe(`${silent.name} can’t be written to: their round closed before they answered.`)
    expect((await stranger().call('invitation.ask', { id, text: 'Hm?' }, links[1])).body.code).toBe('withdrawn')
  })

  test('refuses blank and endless messages, and too many a minute, each by name', async () => {
    const { id, links, ...people } = await world()
    const blank = await people.client.call('message.send', { id, text: '  ' })
    expect([blank.status, blank.body.fields]).toEqual([422, { text: 'Please write your message' }])
    expect((await people.client.call('message.send', { id, text: 'x'.repeat(5001) })).body.fields).toHaveProperty('text')
    for (const [who, call, link] of [
      [people.client, 'message.send', undefined],
      [stranger(), 'invitation.ask', links[0]],
    ] as const) {
      for (let nth = 0; nth < 4; nth++) expect((await who.call(call, { id, text: `${nth}` }, link)).status).toBe(200)
      const fifth = await who.call(call, { id, text: 'one more' }, link)
      expect([fifth.status, fifth.body.code]).toEqual([429, 'limit_reached'])
      expect(fifth.body.message).toMatch(/^You’ve reached the limit of 4 messages a minute\. Try again in \d+ (seconds|minute)/)
    }
    expect((await stranger().call('invitation.ask', { id, text: 'the other partner' }, links[1])).status).toBe(200)
  })

  test('has a message once that a partner sends again after a lost response, and twice what they write twice', async () => {
    const { id, links, partners, ...people } = await world()
    const ask = (input: object, link = links[0]) =>
      stranger().call('invitation.ask', { id, text: 'Hm?', ...input } as never, link)
    const read = async () => texts(await people.admin.call('message.list', { id }))
    const [first, again] = await Promise.all([ask({ after: 0 }), ask({ after: 0 })])
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
    expect(await read()).toEqual(['Hm?'])
    expect((await mails(id)).length).toBe(1)
    await ask({ after: first.body.data.id })
    await ask({ after: 0, text: 'Hm!' })
    expect(await read()).toEqual(['Hm!', 'Hm?', 'Hm?'])
    // A repeat isn't counted, nor is another partner's message one.
    for (let nth = 0; nth < 4; nth++) expect((await ask({ after: 0 })).body.data.id).toBe(first.body.data.id)
    expect((await ask({ after: 0 }, links[1])).body.data.id).not.toBe(first.body.data.id)
    expect((await ask({ after: 'soon' })).body.fields).toHaveProperty('after')
  })

  test('counts a partner’s messages also if their link is opened by somebody who is signed in', async () => {
    const { id, links, ...people } = await world()
    const ask = () => people.client.call('invitation.ask', { id, text: 'Hm?' }, links[0])
    for (let nth = 0; nth < 4; nth++) expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(429)
  })

  test('follows a merged partner, whose old link opens it', async () => {
    const { id, first, links, ...people } = await three()
    const into = await app.make.partner()
    await admin().call('partner.merge', { id: first.id, into_id: into.id })
    expect(texts(await people.admin.call('message.list', { id, partner_id: into.id }))).toEqual(['From the first'])
    expect(texts((await stranger().call('invitation.messages', { id }, links[0])) as never)).toEqual(['From the first'])
  })

  test('is in the history for administrators, and not in that of clients', async () => {
    const { id, ...people } = await three()
    const lines = async (who: Person) =>
      (await who.call('project.history', { id, per_page: 50 } as never)).body.data.map((line) => JSON.stringify(line)).join('\n')
    const ours = await lines(people.admin)
    for (const text of ['From the client', 'From the first', 'To the second']) expect(ours).toContain(text)
    expect(await lines(people.client)).not.toMatch(/From the first|To the second/)
  })
})

describe('a message is mailed to the other side, once to each', () => {
  const found = async (id: number) => (await mails(id)).map(({ to_address, subject }) => `${to_address}: ${subject}`)

  test('from the client: to the owner and who invited the partners, after the time for an undo', async () => {
    const { id, ...people } = await world()
    const owner = await app.make.user({ role: 'admin', email: 'olaf@fieldwork.test' })
    await app.write((tx) => tx.updateTable('projects').set({ owner_id: owner.id }).where('id', '=', id).execute())
    const sent = await people.client.call(
      'message.send',
      { id, text: 'Are teens included?' },
      { 'idempotency-key': 'asked-once' },
    )
    await people.client.call('message.send', { id, text: 'Are teens included?' }, { 'idempotency-key': 'asked-once' })
    expect(sent.body.message).toBe('Your message is on its way.')
    expect(await found(id)).toEqual(['olaf@fieldwork.test: Carl Colleague wrote about "Oat study"'])
    const [mail] = await mails(id)
    expect(mail!.body).toContain('Are teens included?')
    expect(mail!.body).toContain(`/dashboard/project-info/${id}/specifications?section=conversation&do=project.writeClient`)
    expect(Date.parse(mail!.not_before!) - Date.parse(mail!.created_at)).toBe(8000)
  })

  test('from the agency: to the requester, the approvers and who wrote, if they see the project', async () => {
    const { id, ...people } = await world()
    await people.client.call('message.send', { id, text: 'Hello' })
    const before = (await found(id)).length
    await people.admin.call('message.send', { id, text: 'Yes, from 13 on' })
    const users = (await found(id)).slice(before)
    expect(users).toHaveLength(2)
    expect(users[0]).toContain(`${app.member.email}: Olga Owner wrote about "Oat study"`)
    const team = await app.make.team({ client_id: app.client.id })
    await app.write((tx) => tx.insertInto('team_projects').values({ team_id: team.id, project_id: id }).execute())
    await people.admin.call('message.send', { id, text: 'Only for the team' })
    expect((await found(id)).slice(before + 2)).toEqual([`${app.member.email}: Olga Owner wrote about "Oat study"`])
  })

  test('to a partner: with a signed link that opens the conversation, and never our name of the project', async () => {
    const { id, partners, ...people } = await world()
    await people.admin.call('message.send', { id, partner_id: partners[0].id, text: 'From 13 on' })
    expect(await found(id)).toEqual([`${partners[0].email}: Olga Owner wrote about "Oats"`])
    const [mail] = await mails(id)
    expect(mail!.body).not.toContain('Oat study')
    const url = new URL(/http\S+/.exec(mail!.body)![0])
    expect(url.searchParams.get('reply')).toBe('1')
    const link = { 'fieldwork-partner': url.searchParams.get('token')! }
    expect(texts((await stranger().call('invitation.messages', { id }, link)) as never)).toEqual(['From 13 on'])
  })

  test('from a partner: to who invited them', async () => {
    const { id, partners, links } = await world()
    await stranger().call('invitation.ask', { id, text: 'Which markets?' }, links[0])
    expect(await found(id)).toEqual([`${app.admin.email}: ${partners[0].name} wrote about "Oat study"`])
    expect((await mails(id))[0]!.body).toContain(
      `/specifications?section=conversation&do=project.writePartner&partner=${partners[0].id}`,
    )
  })

  test('leaves nothing behind if undone within that time', async () => {
    const { id, ...people } = await world()
    const sent = await people.client.call('message.send', { id, text: 'Sent too early' })
    expect((await people.client.call('undo.take', { id: Number(sent.headers['x-undo']) })).status).toBe(200)
    expect((await people.admin.call('message.list', { id })).body.count).toBe(0)
    expect(await mails(id)).toEqual([])
  })
})
