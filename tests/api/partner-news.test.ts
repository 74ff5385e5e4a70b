import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'
import { apiOf } from './undoing.ts'

// Every promise that partners read in a mail or on their page, kept in every way a decision can be made.

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const stranger = () => app.as('stranger')

interface Project {
  id: number
  partners: { id: number; name: string; email: string }[]
  proffers: number[]
}
/** A project on quote: the first `yes` partners offer 300 completes each, the others were emailed and are silent. */
async function asked(yes = 2, silent = 0): Promise<Project> {
  const { id } = await app.make.project({
    client_id: app.client.id,
    status: 'requirements',
    cost_cents: null,
    ordered: 400,
    requested_by: app.member.id,
    survey_url: 'https://survey.example/oats',
  })
  const partners = await Promise.all(Array.from({ length: yes + silent }, () => app.make.partner()))
  await admin().call('invitation.create', { id, partner_ids: partners.map((partner) => partner.id), title: 'Oats' })
  const proffers: number[] = []
  for (const partner of partners.slice(0, yes)) proffers.push(await offer(id, partner.id))
  return { id, partners, proffers }
}
async function offer(id: number, partner_id: number, answer: object = {}): Promise<number> {
  const { status, text } = await admin().call('proffer.create', {
    ...{ campaign_id: id, partner_id, fill_requirements: 'Yes', on_behalf: 'by phone' },
    ...{ feasible_completes: 300, cpi_cents: 600, ...answer },
  } as never)
  expect(status, text).toBe(200)
  const { round } = await app.db
    .selectFrom('project_partners')
    .select((eb) => eb.fn.max('round').as('round'))
    .where('project_id', '=', id)
    .executeTakeFirstOrThrow()
  const row = await app.db
    .selectFrom('proffers')
    .select('id')
    .where('project_id', '=', id)
    .where('partner_id', '=', partner_id)
    .where('round', '=', round)
    .executeTakeFirstOrThrow()
  return row.id
}
/** Prices a project, for the partners of these offers, and sends it to the client. */
async function price({ id }: Project, offers: number[] = [], more: object = {}) {
  const shares = offers.length ? { shares: offers.map((proffer_id) => ({ proffer_id, completes: 200 })) } : {}
  const { status, text } = await admin().call('project.setCost', { id, cost: 5000, notify: 1, ...shares, ...more } as never)
  expect(status, text).toBe(200)
}
const approve = async ({ id }: Project) => {
  const { status, text } = await client().call('project.approve', { project_id: id })
  expect(status, text).toBe(200)
}
const rejectQuote = async ({ id }: Project, reason: string) => {
  const { status, text } = await client().call('project.reject', { project_id: id, status: 'OnQuote', reason })
  expect(status, text).toBe(200)
}
const move = async ({ id }: Project, status: string, more: object = {}) => {
  const answer = await admin().call('project.setStatus', { id, status, reason: 'For a reason of ours', ...more } as never)
  expect(answer.status, answer.text).toBe(200)
}
/** The subjects of the mails to each partner since `from`, without invitations. */
async function newsOf({ id, partners }: Project): Promise<string[][]> {
  const rows = await app.db
    .selectFrom('mails')
    .select(['to_address', 'subject'])
    .where('about', '=', `project:${id}`)
    .orderBy('id')
    .execute()
  return partners.map(({ email }) =>
    rows
      .filter(({ to_address, subject }) => to_address === email && !/^(Can|Round 2: can) you field/.test(subject))
      .map(({ subject }) => subject.replace(/: Oats \(P-\d+\)$/, '')),
  )
}
const lastMail = async ({ id }: Project, email: string) =>
  (await app.db
    .selectFrom('mails')
    .selectAll()
    .where('about', '=', `project:${id}`)
    .where('to_address', '=', email)
    .orderBy('id', 'desc')
    .executeTakeFirst())!
/** What a partner's page says, by the link of a round. */
async function page(project: Project, at: number, round = 1) {
  const { id } = project
  const partner = project.partners[at]!
  const until = Math.floor(Date.now() / 1000) + 86_400
  const { link_version } = await app.db
    .selectFrom('project_partners')
    .select('link_version')
    .where('project_id', '=', id)
    .where('partner_id', '=', partner.id)
    .where('round', '=', round)
    .executeTakeFirstOrThrow()
  const token = app.services.secrets.sign('partner', [id, partner.id, round, link_version].join(':'), until)
  return stranger().call('invitation.get', { id }, { 'fieldwork-partner': token })
}
const stateOf = async (project: Project, at: number, round = 1) => (await page(project, at, round)).body.data.state

describe('an approval is told', () => {
  test('with partners chosen by name: to each who offered or was asked', async () => {
    const project = await asked(2, 1)
    await price(project, [project.proffers[0]!])
    expect(await stateOf(project, 0)).toBe('deciding')
    await approve(project)
    expect(await newsOf(project)).toEqual([['You were chosen'], ['Round closed'], ['Round closed']])
    expect([await stateOf(project, 0), await stateOf(project, 1)]).toEqual(['chosen', 'not_chosen'])
    const letter = await lastMail(project, project.partners[0]!.email)
    for (const words of ['200 completes of "Oats" at $6.00 each', 'when it starts', app.admin.email, 'Field dates:'])
      expect(letter.body).toContain(words)
    expect(letter.body).not.toContain('5,000')
  })

  test('without shares: nobody is chosen by name, and everybody learns it', async () => {
    const project = await asked(2)
    await price(project)
    await approve(project)
    expect(await newsOf(project)).toEqual([['Round closed'], ['Round closed']])
    expect((await lastMail(project, project.partners[0]!.email)).body).toContain('no partner was chosen by name')
    expect(await stateOf(project, 0)).toBe('closed')
  })

  test.each([
    [
      'in the older spelling',
      (project: Project) => client().call('campaign.authorize', { campaign_id: project.id, authorized: 'Yes' }),
    ],
    ['by an administrator on the client’s behalf', (project: Project) => move(project, 'approved')],
    [
      'by an edit of the project',
      (project: Project) => admin().call('project.edit', { id: project.id, status: 'approved', reason: 'By phone' } as never),
    ],
    [
      'by an edit of the campaign',
      (project: Project) => admin().call('campaign.edit', { id: project.id, status: 'approved', reason: 'By phone' } as never),
    ],
    ['by a jump to completed', (project: Project) => move(project, 'completed', { force: 1 })],
  ])('%s', async (_how, decide) => {
    const project = await asked(2)
    await price(project, [project.proffers[0]!])
    await decide(project)
    expect(await newsOf(project)).toEqual([['You were chosen'], ['Round closed']])
  })

  test('to those whose offer is of an earlier round', async () => {
    const project = await asked(2)
    await price(project)
    await rejectQuote(project, 'Timing: sooner')
    // The second partner doesn't answer again, and isn't even emailed.
    const offered = await offer(project.id, project.partners[0]!.id)
    expect([await stateOf(project, 0), await stateOf(project, 1)]).toEqual(['newer', 'newer'])
    await price(project, [offered])
    expect(await stateOf(project, 1)).toBe('deciding')
    await approve(project)
    expect(await newsOf(project)).toEqual([['You were chosen'], ['Round closed']])
    expect([await stateOf(project, 0), await stateOf(project, 0, 2), await stateOf(project, 1)]).toEqual([
      'newer',
      'chosen',
      'not_chosen',
    ])
  })

  test('not to those who declined', async () => {
    const project = await asked(1, 1)
    await offer(project.id, project.partners[1]!.id, { fill_requirements: 'No', reason: 'No panel' })
    await price(project)
    await approve(project)
    expect((await newsOf(project))[1]).toEqual([])
  })
})

describe('a project that is called off is told', () => {
  test('before a decision: to those who offered and those who were asked, whose link says it too', async () => {
    const project = await asked(1, 1)
    await client().call('project.reject', { project_id: project.id, status: 'Rejected', reason: 'No budget' })
    expect(await newsOf(project)).toEqual([['Called off'], ['Called off']])
    expect(await stateOf(project, 0)).toBe('cancelled')
    expect((await page(project, 1)).body).toMatchObject({ code: 'called_off' })
    expect((await lastMail(project, project.partners[0]!.email)).body).not.toContain('No budget')
  })

  test('after it: to the chosen one, that nothing more is to be delivered', async () => {
    const project = await asked(1)
    await price(project, project.proffers)
    await approve(project)
    await move(project, 'rejected', { force: 1 })
    expect(await newsOf(project)).toEqual([['You were chosen', 'Called off']])
    expect((await lastMail(project, project.partners[0]!.email)).body).toContain('deliver nothing more')
  })
})

describe('a chosen partner is told', () => {
  const live = async () => {
    const project = await asked(2)
    await price(project, [project.proffers[0]!])
    await approve(project)
    const answer = await admin().call('project.goLive', { id: project.id })
    expect(answer.status, answer.text).toBe(200)
    return project
  }

  test('of the start, a pause, the resumption and the end, and nobody else is', async () => {
    const project = await live()
    const seen = [(await page(project, 0)).body.data.field]
    for (const status of ['paused', 'active', 'completed', 'reporting', 'active']) {
      await move(project, status, { force: 1 })
      seen.push((await page(project, 0)).body.data.field)
    }
    expect(await newsOf(project)).toEqual([
      [
        'You were chosen',
        ...['Fieldwork has started', 'Fieldwork is paused', 'Fieldwork goes on', 'Fieldwork has ended', 'Fieldwork goes on'],
      ],
      ['Round closed'],
    ])
    expect(seen).toEqual(['live', 'paused', 'live', 'ended', 'ended', 'live'])
    expect((await page(project, 1)).body.data).toMatchObject({ state: 'not_chosen', field: null, entry_url: null })
  })

  test('where to send respondents, once the agency has set it', async () => {
    const project = await asked(2)
    await price(project, project.proffers)
    await approve(project)
    const entry_url = 'https://entry.example/p?id=1'
    await admin().call('invitation.edit', { id: project.id, partner_ids: [project.partners[0]!.id], entry_url })
    await admin().call('project.goLive', { id: project.id })
    expect((await lastMail(project, project.partners[0]!.email)).body).toContain(entry_url)
    expect((await lastMail(project, project.partners[1]!.email)).body).toContain('Ask us before you start')
    expect((await page(project, 0)).body.data.entry_url).toBe(entry_url)
    expect((await page(project, 1)).body.data.entry_url).toBeNull()
  })

  test('of a new price: what they are chosen for now, or that their part has ended', async () => {
    const project = await asked(2)
    await price(project, [project.proffers[0]!])
    await approve(project)
    await price(project, [project.proffers[1]!], { cost: 6000, reason: 'More completes' })
    expect([await stateOf(project, 0), await stateOf(project, 1)]).toEqual(['deciding', 'deciding'])
    await approve(project)
    expect(await newsOf(project)).toEqual([
      ['You were chosen', 'Round closed'],
      ['Round closed', 'You were chosen'],
    ])
    expect((await lastMail(project, project.partners[0]!.email)).body).toContain('your part of it has ended')
    expect([await stateOf(project, 0), await stateOf(project, 1)]).toEqual(['not_chosen', 'chosen'])
    // The page names the completes of the newest approval, not the sum of all.
    expect((await page(project, 1)).body.data.proffer!.chosen_completes).toBe(200)
  })

  test('that a new price was rejected', async () => {
    const project = await asked(1)
    await price(project, project.proffers)
    await approve(project)
    await price(project, project.proffers, { cost: 6000, reason: 'More completes' })
    await rejectQuote(project, 'Price: too high')
    expect(await newsOf(project)).toEqual([['You were chosen', 'Round closed']])
    expect((await lastMail(project, project.partners[0]!.email)).body).toContain('your part of the order has ended')
  })

  test('by a link that can be renewed while they are chosen', async () => {
    const project = await live()
    const [chosen, other] = project.partners
    const expired = (partner: number) => ({
      'fieldwork-partner': app.services.secrets.sign('partner', [project.id, partner, 1, 1].join(':'), 1_000_000),
    })
    await app.write((tx) =>
      tx.updateTable('project_partners').set({ mailed_at: null }).where('project_id', '=', project.id).execute(),
    )
    for (const partner of [chosen!, other!])
      await stranger().call('invitation.requestLink', { id: project.id }, expired(partner.id))
    expect((await newsOf(project)).map((subjects) => subjects.at(-1))).toEqual(['Your new link', 'Round closed'])
  })
})

test('a withdrawn invitation is told to who was emailed or answered, once, without our reason', async () => {
  const project = await asked(1, 1)
  for (const partner of project.partners)
    await admin().call('invitation.revoke', { id: project.id, partner_id: partner.id, reason: 'Wrong panel' })
  await client().call('project.reject', { project_id: project.id, status: 'Rejected', reason: 'No budget' })
  expect(await newsOf(project)).toEqual([['Withdrawn'], ['Withdrawn']])
  expect((await lastMail(project, project.partners[0]!.email)).body).not.toContain('Wrong panel')
})

test('an organization that doesn’t tell partners who weren’t chosen promises nothing on the page', async () => {
  await admin().call('organization.edit', { tell_not_chosen: false })
  const project = await asked(2)
  expect((await page(project, 0)).body.data.tells).toBe(false)
  await price(project, [project.proffers[0]!])
  await approve(project)
  await admin().call('organization.edit', { tell_not_chosen: true })
  expect(await newsOf(project)).toEqual([['You were chosen'], []])
})

describe('what the agency releases', () => {
  async function upload(project_id: number, name: string): Promise<number> {
    const form = new FormData()
    form.append('project_id', String(project_id))
    form.append('file', new File(['q1,q2'], name, { type: 'text/csv' }))
    await apiOf(admin(), { steps: [] }).upload('file.uploadDocument', form)
    const files = app.db.selectFrom('files').select('id').where('project_id', '=', project_id)
    return (await files.where('original_name', '=', name).executeTakeFirstOrThrow()).id
  }

  test('is nothing by itself', async () => {
    const project = await asked(0, 1)
    await upload(project.id, 'screener.csv')
    expect((await page(project, 0)).body.data).toMatchObject({ requirements: '', survey_url: null, files: [], why: '' })
  })

  test('requirements, a file and the survey: on the page and in the next mail, for the named partner alone', async () => {
    const project = await asked(0, 2)
    const file = await upload(project.id, 'screener.csv')
    await upload(project.id, 'brief.csv')
    const [one, other] = project.partners
    const changed = await admin().call('invitation.edit', {
      ...{ id: project.id, partner_ids: [one!.id], requirements: 'Half of them women.' },
      ...{ file_ids: [file], show_survey: true },
    })
    expect(changed.body.data.done.map(({ partner_id }) => partner_id)).toEqual([one!.id])
    const { data } = (await page(project, 0)).body
    expect(data).toMatchObject({ requirements: 'Half of them women.', survey_url: 'https://survey.example/oats' })
    expect(data.files.map(({ name }) => name)).toEqual(['screener.csv'])
    expect((await page(project, 1)).body.data).toMatchObject({ requirements: '', survey_url: null, files: [] })
    await app.write((tx) =>
      tx.updateTable('project_partners').set({ reminded_at: null }).where('project_id', '=', project.id).execute(),
    )
    await admin().call('invitation.remind', { id: project.id })
    const letter = (await lastMail(project, one!.email)).body
    for (const words of ['Half of them women.', '1 file and the questionnaire', app.admin.email]) expect(letter).toContain(words)
    expect((await lastMail(project, other!.email)).body).not.toContain('Half of them')
  })

  test('never a file of another project, nor to a partner of another', async () => {
    const [project, other] = [await asked(0, 1), await asked(0, 1)]
    const file = await upload(other.id, 'theirs.csv')
    const refused = await admin().call('invitation.edit', { id: project.id, file_ids: [file] })
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('isn’t this project’s')])
    expect(
      (await admin().call('invitation.edit', { id: project.id, partner_ids: [other.partners[0]!.id], why: 'x' })).status,
    ).toBe(404)
    expect((await client().call('invitation.edit', { id: project.id, why: 'x' })).status).toBe(403)
    expect((await stranger().call('invitation.edit', { id: project.id, why: 'x' })).status).toBe(401)
  })

  test('is changed by what is sent alone, says who sees it already, and is hidden from the client’s history', async () => {
    const project = await asked(0, 1)
    await admin().call('invitation.edit', { id: project.id, requirements: 'A', message: 'B' })
    const again = await admin().call('invitation.edit', { id: project.id, requirements: 'A' })
    expect(again.body.data.skipped).toHaveLength(1)
    expect((await page(project, 0)).body.data).toMatchObject({ requirements: 'A', message: 'B' })
    const refused = await admin().call('invitation.edit', { id: project.id, entry_url: 'javascript:alert(1)' })
    expect(Object.keys(refused.body.fields ?? {})).toEqual(['entry_url'])
    const nothing = await admin().call('invitation.edit', { id: project.id })
    expect(nothing.status).toBe(422)
    const lines = await client().call('project.history', { id: project.id } as never)
    expect(lines.text).not.toContain('partner_requirements')
    expect(lines.text).not.toMatch(/"action":"(invitation|proffer|project\.assignPartner)/)
  })

  test('a second round says why and what changed, without the client’s own words', async () => {
    const project = await asked(1)
    await price(project)
    await rejectQuote(project, 'Audience: only Harvest & Pine buyers')
    await admin().call('project.edit', { id: project.id, goal: 900 } as never)
    await admin().call('invitation.remind', { id: project.id })
    const letter = await lastMail(project, project.partners[0]!.email)
    expect(letter.subject).toContain('Round 2: can you field')
    for (const words of ['Why: Audience.', 'Completes: 400 → 900']) expect(letter.body).toContain(words)
    expect(letter.body).not.toContain('Harvest')
    expect((await page(project, 0, 2)).body.data).toMatchObject({ why: 'Audience', changes: [{ field: 'Completes' }] })
  })
})
