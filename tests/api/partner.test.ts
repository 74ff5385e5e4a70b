import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

test('every call on partners is for administrators', async () => {
  const calls = [
    ['GET', '/v1/partners.json'],
    ['GET', '/v1/partners/1'],
    ['POST', '/v1/partners.json'],
    ['GET', '/v3/portal/partners/all?page=1'],
    ['GET', '/v3/portal/partners/?search='],
    ['GET', '/v3/portal/partners/getall_dropdown'],
    ['POST', '/v3/portal/partners/'],
    ['PUT', '/v3/portal/partners'],
    ['DELETE', '/v3/portal/partners/?id=1'],
  ] as const
  for (const [method, path] of calls) {
    expect((await app.as('stranger').raw(method, path, method === 'GET' ? undefined : {})).status, path).toBe(401)
    expect((await app.as('client').raw(method, path, method === 'GET' ? undefined : {})).status, path).toBe(403)
  }
})

test('a name is required, and an email, if given, must be valid', async () => {
  expect((await admin().raw('POST', '/v1/partners.json', { partner: {} })).body.fields).toEqual({ name: MESSAGES.partnerName })
  expect((await admin().call('partner.create', { name: 'Panel', email: 'not one' })).body.fields).toEqual({
    email: MESSAGES.inviteEmail,
  })
})

test('a record has both spellings', async () => {
  const { data } = (
    await admin().raw('POST', '/v1/partners.json', { partner: { name: 'Horizon Panels', email: 'Quotes@Horizon.test' } })
  ).body as unknown as { data: { id: number } }
  expect((await admin().call('partner.get', { id: data.id })).body.data).toMatchObject({
    name: 'Horizon Panels',
    email: 'quotes@horizon.test',
  })
  expect((await admin().call('partner.getOlder', { id: data.id })).body.data.company_name).toBe('Horizon Panels')
  expect((await admin().call('partner.listOlder', { search: 'horizon' })).body.data).toMatchObject({
    count: 1,
    data: [{ id: data.id }],
  })
  expect((await admin().call('partner.list', { search: 'quotes@' })).body.data.map((partner) => partner.id)).toEqual([data.id])
  expect((await admin().call('partner.dropdown')).body.data).toContainEqual({ id: data.id, name: 'Horizon Panels' })
})

test('an edit changes only the fields sent', async () => {
  const partner = await app.make.partner()
  expect(
    (await admin().call('partner.edit', { id: partner.id, phone: '212 555 0100', lock_version: 1 })).body.data,
  ).toMatchObject({ name: partner.name, phone: '2125550100', lock_version: 2 })
  expect((await admin().call('partner.edit', { id: partner.id, name: '' })).body.fields).toEqual({ name: MESSAGES.partnerName })
})

test('one with a pending answer can’t be deleted; afterwards it can', async () => {
  const partner = await app.make.partner()
  const project = await app.make.project({ client_id: app.client.id, status: 'pricing' })
  await app.make.assign(project.id, partner.id)
  const refused = await admin().call('partner.remove', { id: partner.id })
  expect([refused.status, refused.body.message]).toEqual([409, 'A project waits for its answer.'])
  await app.write((tx) => tx.updateTable('projects').set({ status: 'rejected' }).where('id', '=', project.id).execute())
  expect((await admin().call('partner.remove', { id: partner.id })).status).toBe(200)
  expect((await admin().call('partner.get', { id: partner.id })).status).toBe(404)
})

test('a partner has a contact and notes, and is found by name, email or contact', async () => {
  const fields = { name: 'Meridian Sample', contact: 'Ada Bell', notes: 'Strong in the South' }
  const { data } = (await admin().call('partner.create', fields)).body
  expect(data).toMatchObject(fields)
  const edited = await admin().call('partner.edit', { id: data.id, contact: 'Bo Lund', lock_version: data.lock_version })
  expect(edited.body.data).toMatchObject({ contact: 'Bo Lund', notes: 'Strong in the South' })
  for (const search of ['meridian', 'lund'])
    expect((await admin().call('partner.listAll', { search })).body.data.map((partner) => partner.id)).toEqual([data.id])
})

test('a partner is found by its ID, to which the palette leads', async () => {
  const { id } = await app.make.partner()
  expect((await admin().call('partner.list', { search: String(id) })).body.data.map((partner) => partner.id)).toContain(id)
})

test('a name that is taken is refused with the id of its owner, and free once that is deleted', async () => {
  const { id } = await app.make.partner({ name: 'Taken Panel' })
  const again = await admin().raw('POST', '/v1/partners.json', { partner: { name: ' taken  PANEL ' } })
  const sentence = 'A partner named Taken Panel exists'
  expect([again.status, again.body.message, again.body.fields]).toEqual([422, sentence, { name: sentence }])
  expect((again.body as unknown as { id: number }).id).toBe(id)
  await admin().call('partner.remove', { id })
  expect((await admin().call('partner.create', { name: 'Taken Panel' })).status).toBe(200)
})

describe('undo', () => {
  const undo = (answer: { headers: Record<string, unknown> }) =>
    admin().call('undo.take', { id: Number(answer.headers['x-undo']) })

  test('restores a deleted partner, and removes a new one that nobody has invited', async () => {
    const { id } = await app.make.partner()
    const gone = await admin().call('partner.remove', { id })
    expect((await undo(gone)).status).toBe(200)
    expect((await admin().call('partner.get', { id })).status).toBe(200)
    const made = await admin().call('partner.create', { name: 'Short Lived' })
    expect((await undo(made)).status).toBe(200)
    expect((await admin().call('partner.get', { id: made.body.data.id })).status).toBe(404)
  })

  test('keeps a new partner that was invited meanwhile', async () => {
    const made = await admin().call('partner.create', { name: 'Asked Already' })
    const project = await app.make.project({ client_id: app.client.id, status: 'pricing' })
    await app.make.assign(project.id, made.body.data.id)
    expect((await undo(made)).status).toBe(409)
    expect((await admin().call('partner.get', { id: made.body.data.id })).status).toBe(200)
  })
})

describe('the figures of a partner', () => {
  const ago = (days: number, hours = 0) => new Date(Date.now() - days * 86_400_000 + hours * 3_600_000).toISOString()
  /** An invitation some days ago, and the answer some hours later. */
  async function asked(
    partner_id: number,
    days: number,
    answer: { hours: number; yes: boolean; cpi_cents?: number } | null,
    status: 'pricing' | 'approved' = 'approved',
  ) {
    const project = await app.make.project({ client_id: app.client.id, status })
    await app.make.assign(project.id, partner_id)
    await app.write((tx) =>
      tx
        .updateTable('project_partners')
        .set({ assigned_at: ago(days), mailed_at: ago(days) })
        .where('project_id', '=', project.id)
        .execute(),
    )
    if (!answer) return { project, proffer: null }
    const sent_at = ago(days, answer.hours)
    const fill_requirements = answer.yes ? ('Yes' as const) : ('No' as const)
    const given = { cpi_cents: answer.cpi_cents ?? null, fill_requirements, sent_at, state: 'sent' as const }
    const proffer = await app.make.proffer({ project_id: project.id, partner_id, round: 1, ...given })
    return { project, proffer }
  }
  const rowOf = async (id: number) => (await admin().call('partner.get', { id })).body.data
  const found = async (filter: 'open' | 'silent' | 'no_email' | 'never_asked') =>
    (await admin().call('partner.list', { filter, per_page: 500 })).body.data.map((partner) => partner.id)

  test('are empty before its first invitation', async () => {
    const { id } = await app.make.partner()
    expect(await rowOf(id)).toMatchObject({
      open_count: 0,
      answer_rate: null,
      answer_hours: null,
      yes_rate: null,
      cpi_cents: null,
      chosen_count: 0,
      answered_at: null,
    })
  })

  test('count the invitations and answers of the last 365 days', async () => {
    const { id } = await app.make.partner()
    const first = await asked(id, 20, { hours: 2, yes: true, cpi_cents: 400 })
    await asked(id, 15, { hours: 10, yes: true, cpi_cents: 700 })
    const last = await asked(id, 10, { hours: 30, yes: false })
    await asked(id, 5, null, 'pricing')
    await asked(id, 400, { hours: 1, yes: true, cpi_cents: 10_000 })
    await app.make
      .quote({ project_id: first.project.id, state: 'approved' })
      .then(({ id: quote_id }) =>
        app.write((tx) =>
          tx
            .insertInto('quote_shares')
            .values({ quote_id, proffer_id: first.proffer!.id, completes: 10, cpi_cents: 400 })
            .execute(),
        ),
      )
    expect(await rowOf(id)).toMatchObject({
      open_count: 1,
      answer_rate: 75,
      answer_hours: 10,
      yes_rate: 67,
      cpi_cents: 550,
      chosen_count: 1,
      answered_at: last.proffer!.sent_at,
    })
  })

  test('date an answer without a sent time, as an older release leaves it, by when it was written', async () => {
    const { id } = await app.make.partner()
    const { proffer } = await asked(id, 4, { hours: 6, yes: true, cpi_cents: 250 })
    const written = { sent_at: null, created_at: proffer!.sent_at! }
    await app.write((tx) => tx.updateTable('proffers').set(written).where('id', '=', proffer!.id).execute())
    const answered_at = proffer!.sent_at
    expect(await rowOf(id)).toMatchObject({ answer_hours: 6, yes_rate: 100, cpi_cents: 250, answered_at })
  })

  test('count as waiting what keeps it from being deleted', async () => {
    const { id } = await app.make.partner()
    await asked(id, 3, null, 'pricing')
    await asked(id, 2, null, 'pricing')
    const refused = await admin().call('partner.remove', { id })
    expect([refused.status, refused.body.message, (await rowOf(id)).open_count]).toEqual([
      409,
      '2 projects wait for its answer.',
      2,
    ])
  })

  test('are sorted with the empty ones last in either direction', async () => {
    const ids = await Promise.all([1, 2, 3].map(async (nth) => (await app.make.partner({ name: `Sorted ${nth}` })).id))
    await asked(ids[0]!, 9, { hours: 5, yes: true, cpi_cents: 300 })
    await asked(ids[2]!, 9, { hours: 7, yes: true, cpi_cents: 200 })
    const sorted = async (column: 'cpi_cents' | 'answer_hours' | 'answered_at', order: 'asc' | 'desc') =>
      (await admin().call('partner.list', { search: 'Sorted', column, order })).body.data.map((partner) =>
        ids.indexOf(partner.id),
      )
    expect([await sorted('cpi_cents', 'asc'), await sorted('cpi_cents', 'desc')]).toEqual([
      [2, 0, 1],
      [0, 2, 1],
    ])
    expect([await sorted('answer_hours', 'asc'), await sorted('answered_at', 'desc')]).toEqual([
      [0, 2, 1],
      [2, 0, 1],
    ])
  })

  test('narrow the list: open invitations, silent over 30 days, no email, never asked', async () => {
    const [open, silent, unreachable, new_] = await Promise.all([
      app.make.partner(),
      app.make.partner(),
      app.make.partner({ email: '' }),
      app.make.partner(),
    ])
    await asked(open.id, 3, null, 'pricing')
    await asked(silent.id, 31, null, 'pricing')
    await asked(unreachable.id, 40, { hours: 3, yes: false })
    expect(await found('open')).toEqual(expect.arrayContaining([open.id, silent.id]))
    const waits = await found('silent')
    expect([waits.includes(silent.id), waits.includes(open.id)]).toEqual([true, false])
    expect((await found('no_email')).includes(unreachable.id)).toBe(true)
    const never = await found('never_asked')
    expect([never.includes(new_.id), never.includes(unreachable.id)]).toEqual([true, false])
    expect((await admin().raw('GET', '/v3/portal/partners?filter=loud')).body.fields).toHaveProperty('filter')
  })
})
