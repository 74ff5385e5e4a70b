import { beforeAll, describe, expect, test } from 'vitest'
import { ANSWER } from '../../contract/answer.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const stranger = () => app.as('stranger')
const DAY_S = 86_400

/** A project on quote with an invited partner, and the partner's link as a header. */
async function invited(given: object = {}) {
  const project = await app.make.project({
    client_id: app.client.id,
    status: 'pricing',
    cost_cents: null,
    ordered: 400,
    ...given,
  })
  const partner = await app.make.partner()
  const answer = await admin().call('invitation.create', { id: project.id, partner_ids: [partner.id], mail: 0 })
  expect(answer.status).toBe(200)
  return { project, partner, link: linkOf(project.id, partner.id) }
}
/** A link as mails contain it. */
const linkOf = (project: number, partner: number, { round = 1, version = 1, days = 14 } = {}) => ({
  'fieldwork-partner': app.services.secrets.sign(
    'partner',
    [project, partner, round, version].join(':'),
    Math.floor(Date.now() / 1000) + days * DAY_S,
  ),
})
const yes = (campaign_id: number, given: object = {}) => ({
  campaign_id,
  fill_requirements: 'Yes',
  feasible_completes: 300,
  cpi_cents: 650,
  ...given,
})
const read = (id: number, link: Record<string, string>) => stranger().call('invitation.get', { id }, link)

describe('the page behind a partner’s link', () => {
  test('shows what the request asks for, and no other field', async () => {
    const { project, partner, link } = await invited({ name: 'Crunchy Oats for Harvest & Pine', ordered: 1200 })
    const { status, body } = await read(project.id, link)
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(
      'answer_by audience campaign_type changes closes code company_name completes contact end entry_url field files id incidence loi_minutes markets message proffer requirements round start state survey_url tells title why'.split(
        ' ',
      ),
    )
    expect(body.data).toMatchObject({ completes: 1200, company_name: partner.name, state: 'open', proffer: null, round: 1 })
    expect(JSON.stringify(body)).not.toContain('Harvest')
  })

  test('is closed to strangers, forged links and links of other projects', async () => {
    const { project, link } = await invited()
    const other = await invited()
    expect((await stranger().call('invitation.get', { id: project.id })).status).toBe(401)
    expect((await read(project.id, { 'fieldwork-partner': `${link['fieldwork-partner']}x` })).status).toBe(401)
    expect((await read(other.project.id, link)).body.code).toBe('not_found')
    expect((await app.as('client').call('invitation.get', { id: project.id })).status).toBe(403)
  })

  test.each([
    ['has expired', 'link_expired', { days: -1 }],
    ['was replaced by a newer one', 'link_replaced', { version: 0 }],
    ['names a round that never was', 'not_found', { round: 7 }],
  ])('says of a genuine link that it %s', async (_, code, how) => {
    const { project, partner } = await invited()
    const { status, body } = await read(project.id, linkOf(project.id, partner.id, how))
    expect([status, body.code]).toEqual([404, code])
  })

  test('says when an invitation was withdrawn', async () => {
    const { project, partner, link } = await invited()
    await admin().call('invitation.revoke', { id: project.id, partner_id: partner.id, reason: 'wrong panel' })
    const { status, body } = await read(project.id, link)
    expect([status, body.code]).toEqual([404, 'withdrawn'])
    expect(body).toHaveProperty('date', expect.stringMatching(/^\d{4}-/))
  })

  test('closes with the round for partners who didn’t answer, and stays a receipt for those who did', async () => {
    const { project, partner, link } = await invited()
    const silent = await app.make.partner()
    await admin().call('invitation.create', { id: project.id, partner_ids: [silent.id], mail: 0 })
    await stranger().call('proffer.create', yes(project.id), link)
    await admin().call('project.setCost', { id: project.id, cost: 5000 })
    expect((await read(project.id, link)).body.data).toMatchObject({ state: 'deciding', proffer: { cpi_cents: 650 } })
    expect((await read(project.id, linkOf(project.id, silent.id))).body.code).toBe('round_closed')
    expect(partner.id).not.toBe(silent.id)
  })

  test('says when its round closed, beside the submitted answer', async () => {
    const { project, link } = await invited()
    await stranger().call('proffer.create', yes(project.id), link)
    const open = (await read(project.id, link)).body.data
    await admin().call('project.setCost', { id: project.id, cost: 5000 })
    const { status, body } = await read(project.id, link)
    const { updated_at } = await app.db
      .selectFrom('quotes')
      .select('updated_at')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ state: 'deciding', closes: updated_at })
    expect(open.closes).not.toBe(updated_at)
  })

  test('records nothing when an administrator opens the mailed link', async () => {
    const { project, link } = await invited()
    await admin().call('invitation.opened', { id: project.id }, link)
    const { opens } = await app.db
      .selectFrom('project_partners')
      .select('opens')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    expect(Number(opens)).toBe(0)
  })

  test('records who opened it, but not an administrator’s preview', async () => {
    const { project, partner, link } = await invited()
    await admin().call('invitation.opened', { id: project.id })
    const opens = async () =>
      (await app.db.selectFrom('project_partners').select('opens').where('project_id', '=', project.id).executeTakeFirstOrThrow())
        .opens
    expect(Number(await opens())).toBe(0)
    await stranger().call('invitation.opened', { id: project.id }, link)
    expect(Number(await opens())).toBe(1)
    const preview = await admin().call('invitation.get', { id: project.id, partner_id: partner.id })
    expect(preview.body.data).toMatchObject({ company_name: partner.name, closes: null })
  })

  test('previews for an administrator, without naming a partner, what the next invitee would read', async () => {
    const { project, partner } = await invited()
    const named = (await admin().call('invitation.get', { id: project.id, partner_id: partner.id })).body.data
    const { body, status } = await admin().call('invitation.get', { id: project.id })
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(Object.keys(named).sort())
    expect(body.data).toMatchObject({ id: project.id, completes: 400, company_name: '', state: 'open', proffer: null, files: [] })
    expect((await admin().call('proffer.create', { ...yes(project.id), on_behalf: 'by phone' })).status).toBe(404)
  })

  test('takes any spelling of the company, and says that another name doesn’t rename it', async () => {
    const { project, partner, link } = await invited()
    const answer = async (company_name: string) =>
      (await stranger().call('proffer.create', { ...yes(project.id), company_name, draft: true }, link)).body
    expect((await answer(partner.name.toUpperCase())).warnings).toEqual([])
    expect((await answer('Somebody else')).warnings).toEqual([`The company stays ${partner.name}: an answer doesn’t rename it`])
  })

  test('says in a second round what changed since the previous answer', async () => {
    const { project, partner, link } = await invited()
    await stranger().call('proffer.create', yes(project.id), link)
    await admin().call('project.setCost', { id: project.id, cost: 5000 })
    await admin().call('project.notifyCostNow', { id: project.id })
    await admin().call('project.reject', { project_id: project.id, status: 'OnQuote', reason: 'too dear' })
    await admin().call('project.edit', { id: project.id, goal: 250 })
    const { body } = await read(project.id, linkOf(project.id, partner.id, { round: 2 }))
    expect(body.data.changes).toEqual([{ field: 'Completes', was: '400', is: '250' }])
    expect(body.data.proffer).toMatchObject({ state: 'draft', cpi_cents: 650 })
    expect((await read(project.id, link)).body.data.state).toBe('newer')
  })

  /** A project in round 2 whose partner answered round 1; `again`: they are invited to round 2 too. */
  async function inSecondRound({ again = true } = {}) {
    const { project, partner, link } = await invited()
    await stranger().call('proffer.create', yes(project.id), link)
    await admin().call('project.setCost', { id: project.id, cost: 5000 })
    await admin().call('project.notifyCostNow', { id: project.id })
    await admin().call('project.reject', { project_id: project.id, status: 'OnQuote', reason: 'too dear' })
    if (!again) await admin().call('invitation.revoke', { id: project.id, partner_id: partner.id, reason: 'not needed' })
    return { project, partner, link }
  }

  test('gives a partner of an earlier round the link to the newer request', async () => {
    const { project, link } = await inSecondRound()
    const { headers } = await read(project.id, link)
    const newer = { 'fieldwork-partner': String(headers['fieldwork-partner']) }
    expect((await read(project.id, newer)).body.data).toMatchObject({ round: 2, proffer: { state: 'draft' } })
  })

  test('gives no link to a withdrawn newer request', async () => {
    const { project, link } = await inSecondRound({ again: false })
    const { headers, body } = await read(project.id, link)
    expect([headers['fieldwork-partner'], body.data.state]).toEqual([undefined, 'not_chosen'])
  })

  test('gives no link if there is no newer request', async () => {
    const { project, link } = await invited()
    expect((await read(project.id, link)).headers['fieldwork-partner']).toBeUndefined()
  })
})

describe('a partner’s answer', () => {
  test('can be sent once a round: a second one is refused', async () => {
    const { project, link } = await invited()
    expect((await stranger().call('proffer.create', yes(project.id), link)).status).toBe(200)
    const again = await stranger().call('proffer.create', yes(project.id, { cpi_cents: 1 }), link)
    expect([again.status, again.body.code]).toEqual([409, 'already_submitted'])
    expect((await read(project.id, link)).body.data.proffer).toMatchObject({ cpi_cents: 650 })
  })

  test('sent twice concurrently is saved once', async () => {
    const { project, link } = await invited()
    const both = await Promise.all(
      [1, 2].map((n) => stranger().call('proffer.create', yes(project.id, { cpi_cents: n * 100 }), link)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('is corrected with the version that was read, and withdrawn as a No', async () => {
    const { project, link } = await invited()
    const { body } = await stranger().call('proffer.create', yes(project.id), link)
    const seen = body.data.lock_version
    const corrected = await stranger().call('proffer.create', yes(project.id, { cpi_cents: 700, lock_version: seen }), link)
    expect(corrected.body.data).toMatchObject({ cpi_cents: 700, corrections: 1 })
    const stale = await stranger().call('proffer.create', yes(project.id, { cpi_cents: 1, lock_version: seen }), link)
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    expect(stale.body).toHaveProperty('theirs.cpi_cents', 700)
    const now = corrected.body.data.lock_version
    const no = { campaign_id: project.id, fill_requirements: 'No', reason: 'panel is sold out', lock_version: now }
    expect((await stranger().call('proffer.create', no, link)).body.data).toMatchObject({
      fill_requirements: 'No',
      corrections: 2,
    })
  })

  test('as a draft is visible only to the partner', async () => {
    const { project, link } = await invited()
    const draft = { campaign_id: project.id, cpi_cents: 900, draft: 1 }
    expect((await stranger().call('proffer.create', draft, link)).status).toBe(200)
    expect((await read(project.id, link)).body.data).toMatchObject({
      state: 'draft',
      proffer: { fill_requirements: null, cpi_cents: 900 },
    })
    expect((await admin().call('project.proffers', { id: project.id })).body.data).toEqual([])
    expect((await stranger().call('proffer.create', yes(project.id), link)).body.data.state).toBe('sent')
  })

  test('that arrives after the round closed is refused, and kept as a draft', async () => {
    const { project, link } = await invited()
    await stranger().call('proffer.create', { campaign_id: project.id, draft: 1 }, link)
    await app.write((tx) => tx.updateTable('projects').set({ status: 'submit_approval' }).where('id', '=', project.id).execute())
    const late = await stranger().call('proffer.create', yes(project.id, { cpi_cents: 777 }), link)
    expect([late.status, late.body.code]).toEqual([409, 'round_closed'])
    expect(late.body).toHaveProperty('draft.cpi_cents', 777)
    const row = await app.db
      .selectFrom('proffers')
      .select(['state', 'cpi_cents'])
      .where('project_id', '=', project.id)
      .executeTakeFirst()
    expect(row).toMatchObject({ state: 'draft', cpi_cents: 777 })
  })

  test.each([
    ['fill_requirements', {}, ANSWER.choose],
    ['fill_requirements', { fill_requirements: 'maybe' }, 'must be one of yes, no'],
    ['reason', { fill_requirements: 'No' }, ANSWER.reason],
    ['feasible_completes', { fill_requirements: 'Yes', feasible_completes: 0 }, ANSWER.completes],
    ['cpi_cents', { fill_requirements: 'Yes', cpi_cents: 1_000_001 }, ANSWER.cpi],
    ['incidence', { fill_requirements: 'Yes', incidence: 101 }, ANSWER.incidence],
    ['loi_minutes', { fill_requirements: 'Yes', loi_minutes: 181 }, ANSWER.loi],
    ['field_days', { fill_requirements: 'Yes', field_days: 0 }, ANSWER.days],
    ['valid_until', { fill_requirements: 'Yes', valid_until: '2020-01-01' }, ANSWER.valid],
  ])('with an invalid %s is refused: %j', async (field, given, sentence) => {
    const { project, link } = await invited()
    const { status, body } = await stranger().call('proffer.create', { campaign_id: project.id, ...given } as never, link)
    expect(status).toBe(422)
    expect(body.fields[field]).toContain(sentence)
  })

  test('without its reason, and already ended, gets both errors at once', async () => {
    const { project, link } = await invited()
    const { body } = await stranger().call(
      'proffer.create',
      { campaign_id: project.id, fill_requirements: 'No', valid_until: '2020-01-01' },
      link,
    )
    expect(body.fields).toEqual({ reason: ANSWER.reason, valid_until: ANSWER.valid })
  })

  test('corrected after the round closed is refused, says since when, and changes nothing', async () => {
    const { project, link } = await invited()
    const { body } = await stranger().call('proffer.create', yes(project.id), link)
    await admin().call('project.setCost', { id: project.id, cost: 5000 })
    const late = await stranger().call(
      'proffer.create',
      yes(project.id, { cpi_cents: 1, lock_version: body.data.lock_version }),
      link,
    )
    expect([late.status, late.body.code]).toEqual([409, 'round_closed'])
    expect(late.body).toHaveProperty('date', expect.stringMatching(/^\d{4}-.*Z$/))
    expect((await read(project.id, link)).body.data.proffer).toMatchObject({ cpi_cents: 650, corrections: 0 })
  })

  test('corrected from an outdated page gets a conflict on the partner’s own fields only', async () => {
    const { project, link } = await invited()
    const { body } = await stranger().call('proffer.create', yes(project.id), link)
    const stale = await stranger().call('proffer.create', yes(project.id, { lock_version: body.data.lock_version + 7 }), link)
    expect(stale.body).toHaveProperty('theirs')
    for (const name of ['asked', 'entered_by', 'partner_id', 'project_id'])
      expect(stale.body).not.toHaveProperty(`theirs.${name}`)
  })

  test('for more than was asked is accepted with a warning', async () => {
    const { project, link } = await invited({ ordered: 100 })
    const { status, body } = await stranger().call(
      'proffer.create',
      yes(project.id, { feasible_completes: 101, field_days: 99 }),
      link,
    )
    expect(status).toBe(200)
    expect(body.warnings).toHaveLength(2)
  })

  test('can be entered by an administrator with a reason, and says so', async () => {
    const { project, partner } = await invited()
    const given = yes(project.id, { partner_id: partner.id })
    expect((await admin().call('proffer.create', given)).body.fields).toHaveProperty('on_behalf')
    expect((await admin().call('proffer.create', { ...given, on_behalf: 'by phone' })).status).toBe(200)
    const [row] = await app.db.selectFrom('proffers').selectAll().where('project_id', '=', project.id).execute()
    expect(Number(row!.entered_by)).toBe(app.admin.id)
  })

  test('is mailed to the administrator who invited the partner', async () => {
    const { project, partner, link } = await invited()
    await stranger().call('proffer.create', yes(project.id), link)
    const mails = await app.db
      .selectFrom('mails')
      .select(['to_address', 'subject'])
      .where('about', '=', `project:${project.id}`)
      .execute()
    expect(mails).toEqual([{ to_address: app.admin.email, subject: `${partner.name} answered "${project.name}"` }])
  })
})

describe('a binding quote', () => {
  const binding = (project_id: number, given: object = {}) => ({
    project_id,
    status: 'Quoted',
    fill_requirements: 'Yes',
    feasible_completes: 400,
    cpi_cents: 1000,
    ...given,
  })
  const statusOf = async (id: number) => (await admin().call('project.get', { id })).body.data.stored_status

  test.each([
    ['a target cost that holds it quotes the project', 4000, {}, 'submit_approval'],
    ['a target cost below it leaves the project on quote', 3999, {}, 'pricing'],
    ['fewer completes than ordered leave it on quote', 4000, { feasible_completes: 399 }, 'pricing'],
  ])('%s', async (_, cost, given, status) => {
    const { project, link } = await invited()
    await admin().call('project.setCost', { id: project.id, cost, hold: 1 })
    expect((await stranger().call('proffer.quote', binding(project.id, given), link)).status).toBe(200)
    expect(await statusOf(project.id)).toBe(status)
  })

  test('without a target cost doesn’t change the status', async () => {
    const { project, link } = await invited()
    expect((await stranger().call('proffer.quote', binding(project.id), link)).status).toBe(200)
    expect(await statusOf(project.id)).toBe('pricing')
  })

  test('with another status is refused by name', async () => {
    const { project, link } = await invited()
    expect(
      (await stranger().call('proffer.quote', binding(project.id, { status: 'Rejected' }), link)).body.fields,
    ).toHaveProperty('status')
  })
})

describe('invitations', () => {
  test('of several partners at once mail each their own link', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'requirements', cost_cents: null })
    const partners = [await app.make.partner(), await app.make.partner()]
    const { body } = await admin().call('invitation.create', {
      id: project.id,
      partner_ids: partners.map(({ id }) => id),
      title: 'Oats',
    })
    expect(body.data.done).toHaveLength(2)
    const mails = await app.db.selectFrom('mails').selectAll().where('about', '=', `project:${project.id}`).execute()
    expect(mails.map((mail) => mail.to_address).sort()).toEqual(partners.map(({ email }) => email).sort())
    const tokens = mails.map((mail) => /token=([\w.~-]+)/.exec(mail.body)![1]!)
    expect(new Set(tokens).size).toBe(2)
    expect((await admin().call('project.get', { id: project.id })).body.data.stored_status).toBe('pricing')
  })

  test('skip partners already invited, and are refused if nobody is left', async () => {
    const { project, partner } = await invited()
    const fresh = await app.make.partner()
    const both = await admin().call('invitation.create', { id: project.id, partner_ids: [partner.id, fresh.id] })
    expect(both.body.data.skipped).toMatchObject([{ partner_id: partner.id }])
    const again = await admin().call('invitation.create', { id: project.id, partner_ids: [partner.id] })
    expect([again.status, again.body.message]).toEqual([409, `${partner.name} is invited already.`])
  })

  test('are reminded at most once a day', async () => {
    const { project } = await invited()
    expect((await admin().call('invitation.remind', { id: project.id })).status).toBe(200)
    const again = await admin().call('invitation.remind', { id: project.id })
    expect(again.status).toBe(409)
    expect(again.body.message).toMatch(/^Reminded today\. Next from \d/)
  })

  test('get a new link, which invalidates earlier ones', async () => {
    const { project, partner, link } = await invited()
    const { body } = await admin().call('invitation.link', { id: project.id, partner_id: partner.id })
    const token = new URL(body.data.url).searchParams.get('token')!
    expect((await read(project.id, { 'fieldwork-partner': token })).status).toBe(200)
    expect((await read(project.id, link)).body.code).toBe('link_replaced')
  })

  test('that were withdrawn can be renewed only by a new link', async () => {
    const { project, partner, link } = await invited()
    await admin().call('invitation.revoke', { id: project.id, partner_id: partner.id, reason: 'by mistake' })
    await admin().call('invitation.create', { id: project.id, partner_ids: [partner.id], mail: 0 })
    expect((await read(project.id, link)).body.code).toBe('link_replaced')
    expect((await read(project.id, linkOf(project.id, partner.id, { version: 2 }))).status).toBe(200)
  })

  test('with an expired link mail a new one on request, once a day, and respond the same to everyone', async () => {
    const { project, partner } = await invited()
    const expired = linkOf(project.id, partner.id, { days: -1 })
    const asked = await stranger().call('invitation.requestLink', { id: project.id }, expired)
    const again = await stranger().call('invitation.requestLink', { id: project.id }, expired)
    expect(asked.body).toEqual(again.body)
    const mails = await app.db.selectFrom('mails').select('to_address').where('about', '=', `project:${project.id}`).execute()
    expect(mails).toEqual([{ to_address: partner.email }])
  })
})
