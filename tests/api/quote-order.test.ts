import { beforeAll, describe, expect, test } from 'vitest'
import type { CallId } from '../../contract/calls.ts'
import { STATUSES, type Status } from '../../contract/status.ts'
import { otherWorld } from './other-world.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { everywhere, testAll } from './wrong.ts'

// The quote flow as a state machine (decisions.md 2 and 4): every status, every call in both spellings, every caller.
// What is allowed succeeds once; everything else is refused with what is allowed now, and changes nothing.
const ROLES = ['admin', 'client', 'other client', 'partner', 'nobody'] as const
type Role = (typeof ROLES)[number]
/** The flow is the same for both generations, and so is what it refuses, on either engine. */
const GENERATIONS = (['project', 'campaign'] as const).filter((one) => everywhere || one === 'project')

let app: Fieldwork
let others: Person
beforeAll(async () => {
  app = await fieldwork()
  others = (await otherWorld(app)).person
})

/** A project in a status with an invited, mailed partner, and the quote that goes with the status. */
interface Cell {
  id: number
  partner: number
  /** A partner who isn't invited. */
  fresh: number
  link: Record<string, string>
}
const PRICED: readonly Status[] = ['submit_approval', 'approved', 'active', 'paused', 'completed', 'reporting']

async function cell(status: Status, generation: (typeof GENERATIONS)[number]): Promise<Cell> {
  const cost_cents = PRICED.includes(status) ? 150_000 : null
  const given = { client_id: app.client.id, requested_by: app.member.id, ordered: 400, status, generation, cost_cents }
  const { id } = await app.make.project(given)
  const [partner, fresh] = [(await app.make.partner()).id, (await app.make.partner()).id]
  await app.make.assign(id, partner)
  const now = new Date().toISOString()
  const times = { created_at: now, updated_at: now }
  await app.write(async (tx) => {
    await tx.updateTable('project_partners').set({ mailed_at: now }).where('project_id', '=', id).execute()
    if (cost_cents === null) return
    const state = status === 'submit_approval' ? ('sent' as const) : ('approved' as const)
    const quote = { project_id: id, round: 1, revision: 1, cost_cents, ordered: 400, valid_until: null, asked: '{}', state }
    const who = { sent_by: app.admin.id, opened_at: null, opened_by: null, decided_at: null, decided_by: null, reason: '' }
    await tx
      .insertInto('quotes')
      .values({ ...quote, ...who, ...times, sent_at: now, lapse_mailed_at: null })
      .execute()
  })
  const until = Math.floor(Date.now() / 1000) + 86_400
  return {
    id,
    partner,
    fresh,
    link: { 'fieldwork-partner': app.services.secrets.sign('partner', `${id}:${partner}:1:1`, until) },
  }
}

interface Step {
  call: CallId
  needs: readonly Status[]
  who: readonly Role[]
  input: (cell: Cell, role: Role) => object | Promise<object>
  /** Refused the second time, too. */
  once?: true
  to?: Status
}

const ANSWER = { fill_requirements: 'Yes', feasible_completes: 300, cpi_cents: 500 }
const answer = (role: Role, partner: number) => (role === 'admin' ? { partner_id: partner, on_behalf: 'by phone' } : {})
const onBehalf = (role: Role) => (role === 'admin' ? { reason: 'by phone' } : {})
const OPEN = ['requirements', 'pricing'] as const
const PENDING = ['requirements', 'pricing', 'submit_approval'] as const
const both = ['admin', 'client'] as const

/** TABLE  "What is allowed when" of screens-quote-flow.md, in each spelling. */
const STEPS: Record<string, Step> = {
  'v3 projects/partner': {
    call: 'project.assignPartner',
    needs: OPEN,
    who: ['admin'],
    input: ({ id, fresh }) => ({ project_id: id, partner_id: fresh }),
    once: true,
    to: 'pricing',
  },
  'v3 clients/project/assign': {
    call: 'project.assign',
    needs: OPEN,
    who: ['admin'],
    input: ({ id, fresh }) => ({ project_id: id, partner_id: fresh, status: 'OnQuote' }),
    to: 'pricing',
  },
  'v1 send_mail to one not invited': {
    call: 'campaign.mailPartner',
    needs: OPEN,
    who: ['admin'],
    input: ({ id, fresh }) => ({ project_id: id, partner_id: fresh }),
    to: 'pricing',
  },
  'ours invitations': {
    call: 'invitation.create',
    needs: OPEN,
    who: ['admin'],
    input: ({ id, fresh }) => ({ id, partner_ids: [fresh] }),
    once: true,
    to: 'pricing',
  },
  'v3 send_mail': {
    call: 'project.mailPartnerNow',
    needs: ['pricing'],
    who: ['admin'],
    input: ({ id, partner }) => ({ project_id: id, partner_id: partner }),
    once: true,
    to: 'pricing',
  },
  'v3 send_mail by GET': {
    call: 'project.mailPartner',
    needs: ['pricing'],
    who: ['admin'],
    input: ({ id, partner }) => ({ project_id: id, partner_id: partner }),
    once: true,
    to: 'pricing',
  },
  'v1 send_mail': {
    call: 'campaign.mailPartner',
    needs: ['pricing'],
    who: ['admin'],
    input: ({ id, partner }) => ({ project_id: id, partner_id: partner }),
    once: true,
    to: 'pricing',
  },
  'ours remind': {
    call: 'invitation.remind',
    needs: ['pricing'],
    who: ['admin'],
    input: ({ id }) => ({ id }),
    once: true,
    to: 'pricing',
  },
  'ours link': {
    call: 'invitation.link',
    needs: ['pricing'],
    who: ['admin'],
    input: ({ id, partner }) => ({ id, partner_id: partner }),
    to: 'pricing',
  },
  'ours revoke': {
    call: 'invitation.revoke',
    needs: ['pricing'],
    who: ['admin'],
    input: ({ id, partner }) => ({ id, partner_id: partner, reason: 'wrong panel' }),
    to: 'pricing',
  },
  'v1 proffers': {
    call: 'proffer.create',
    needs: ['pricing'],
    who: ['admin', 'partner'],
    input: ({ id, partner }, role) => ({ campaign_id: id, ...ANSWER, ...answer(role, partner) }),
    once: true,
    to: 'pricing',
  },
  'v3 partners/project/quote': {
    call: 'proffer.quote',
    needs: ['pricing'],
    who: ['admin', 'partner'],
    input: ({ id, partner }, role) => ({ project_id: id, ...ANSWER, ...answer(role, partner) }),
    once: true,
    to: 'pricing',
  },
  'projects_cost with hold': {
    call: 'project.setCost',
    needs: OPEN,
    who: ['admin'],
    input: ({ id }) => ({ id, cost: 900, hold: 1, reason: 'a target' }),
  },
  projects_cost: {
    call: 'project.setCost',
    needs: ['pricing', 'submit_approval', 'approved', 'paused'],
    who: ['admin'],
    input: ({ id }) => ({ id, cost: 2000, reason: 'more work' }),
    to: 'submit_approval',
  },
  projects_cost_notification: {
    call: 'project.notifyCostNow',
    needs: ['submit_approval'],
    who: ['admin'],
    input: ({ id }) => ({ id }),
    to: 'submit_approval',
  },
  'projects_cost_notification by GET': {
    call: 'project.notifyCost',
    needs: ['submit_approval'],
    who: ['admin'],
    input: ({ id }) => ({ id }),
    to: 'submit_approval',
  },
  'v3 clients/project/approve': {
    call: 'project.approve',
    needs: ['submit_approval'],
    who: both,
    input: ({ id }, role) => ({ project_id: id, status: 'QuoteApproved', ...onBehalf(role) }),
    once: true,
    to: 'approved',
  },
  'v1 campaigns_authorization': {
    call: 'campaign.authorize',
    needs: ['submit_approval'],
    who: both,
    input: ({ id }, role) => ({ campaign_id: id, authorized: 'Yes', ...onBehalf(role) }),
    once: true,
    to: 'approved',
  },
  'clients/project/reject OnQuote': {
    call: 'project.reject',
    needs: ['submit_approval'],
    who: both,
    input: ({ id }) => ({ project_id: id, status: 'OnQuote', reason: 'too dear' }),
    once: true,
    to: 'pricing',
  },
  'clients/project/reject Rejected': {
    call: 'project.reject',
    needs: PENDING,
    who: both,
    input: ({ id }) => ({ project_id: id, status: 'Rejected', reason: 'no budget' }),
    once: true,
    to: 'rejected',
  },
  'PUT projects with signed documents': {
    call: 'project.edit',
    needs: ['approved', 'active', 'paused', 'completed', 'reporting'],
    who: ['admin'],
    input: async ({ id }) => ({
      id,
      project_docsigns_attributes: [{ id: (await app.make.file({ uploaded_by: app.admin.id })).id }],
    }),
  },
}

/** Calls that a client user may make at all. */
const OF_CLIENTS: readonly CallId[] = ['project.approve', 'campaign.authorize', 'project.reject']
const BY_LINK: readonly CallId[] = ['proffer.create', 'proffer.quote']

async function send(step: Step, at: Cell, role: Role) {
  const people: Record<Role, Person> = {
    admin: app.as('admin'),
    client: app.as('client'),
    'other client': others,
    partner: app.as('stranger'),
    nobody: app.as('stranger'),
  }
  const input = await step.input(at, role)
  return people[role].call(step.call as 'project.approve', input as never, role === 'partner' ? at.link : {})
}

/** The status for a caller who may never take this step; undefined if they may. */
function refusedAs(step: Step, role: Role): number | undefined {
  if (role === 'nobody') return 401
  if (role === 'partner') return BY_LINK.includes(step.call) ? undefined : 401
  if (role === 'admin') return undefined
  if (!OF_CLIENTS.includes(step.call)) return 403
  return role === 'other client' ? 404 : undefined
}

/** Everything a step could change in a project. */
async function traces(id: number) {
  const of = <T extends 'project_partners' | 'proffers' | 'quotes'>(table: T) =>
    app.db
      .selectFrom(table as 'quotes')
      .selectAll()
      .where('project_id', '=', id)
      .orderBy('round')
      .execute()
  const mails = app.db.selectFrom('mails').select('id').where('about', '=', `project:${id}`).execute()
  const project = app.db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return Promise.all([project, of('project_partners'), of('proffers'), of('quotes'), mails])
}
const statusOf = async (id: number) =>
  (await app.db.selectFrom('projects').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
const allowedNow = async (id: number, role: Role) =>
  (await (role === 'client' ? app.as('client') : app.as('admin')).call('project.get', { id })).body.data.transitions

describe('every step from every status, by every caller', () => {
  const all = Object.entries(STEPS).flatMap(([name, step]) =>
    STATUSES.filter((status) => everywhere || step.needs.includes(status)).map((status) => [name, status, step] as const),
  )
  for (const generation of GENERATIONS)
    testAll(`in a ${generation}`, all, async ([, status, step]) => {
      const at = await cell(status, generation)
      const before = await traces(at.id)
      const mayNow = (role: Role) => step.who.includes(role) && step.needs.includes(status)
      for (const role of ROLES) {
        if (mayNow(role)) continue
        const { status: code, body, text } = await send(step, at, role)
        const expected = refusedAs(step, role) ?? 409
        expect([role, code, expected === 409 ? '' : text], text).toEqual([role, expected, expected === 409 ? '' : text])
        if (expected !== 409) continue
        // A partner learns that the round is closed, and nothing about the project's state.
        if (role === 'partner') expect([body.code, Object.hasOwn(body, 'allowed')]).toEqual(['round_closed', false])
        else
          expect([role, body.code, (body as unknown as { allowed: string[] }).allowed]).toEqual([
            role,
            'not_now',
            await allowedNow(at.id, role),
          ])
      }
      const late = BY_LINK.includes(step.call) && !step.needs.includes(status)
      const after = await traces(at.id)
      // A partner's late answer is stored as a draft.
      expect(late ? after.with(2, []) : after).toEqual(before)
      if (late) expect(after[2]).toMatchObject([{ state: 'draft' }])
      for (const role of ROLES.filter(mayNow)) {
        const mine = await cell(status, generation)
        const first = await send(step, mine, role)
        expect([role, first.status], first.text).toEqual([role, 200])
        expect(await statusOf(mine.id)).toBe(step.to ?? status)
        if (!step.once) continue
        const done = await traces(mine.id)
        const again = await send(step, mine, role)
        expect([role, again.status], again.text).toEqual([role, 409])
        expect(await traces(mine.id)).toEqual(done)
      }
    })
})

describe('at the same moment', () => {
  const codes = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort()
  const historyOf = async (id: number, status: string) =>
    (
      await app.db.selectFrom('history').select('after').where('subject', '=', 'project').where('subject_id', '=', id).execute()
    ).filter(({ after }) => String(after).includes(`"status":"${status}"`)).length

  test('two partners answer, and both answers are kept', async () => {
    const at = await cell('pricing', 'project')
    await app.make.assign(at.id, at.fresh)
    const until = Math.floor(Date.now() / 1000) + 60
    const links = [at.partner, at.fresh].map((id) => app.services.secrets.sign('partner', `${at.id}:${id}:1:1`, until))
    const answers = await Promise.all(
      links.map((token) =>
        app.as('stranger').call('proffer.create', { campaign_id: at.id, ...ANSWER } as never, { 'fieldwork-partner': token }),
      ),
    )
    expect(codes(answers)).toEqual([200, 200])
    expect((await traces(at.id))[2]).toHaveLength(2)
  })

  test('two binding quotes within the target cost quote the project once', async () => {
    const at = await cell('pricing', 'project')
    await app.make.assign(at.id, at.fresh)
    await app.as('admin').call('project.setCost', { id: at.id, cost: 4000, hold: true })
    const until = Math.floor(Date.now() / 1000) + 60
    const links = [at.partner, at.fresh].map((id) => app.services.secrets.sign('partner', `${at.id}:${id}:1:1`, until))
    const binding = { project_id: at.id, fill_requirements: 'Yes', feasible_completes: 400, cpi_cents: 900 }
    const answers = await Promise.all(
      links.map((token) => app.as('stranger').call('proffer.quote', binding as never, { 'fieldwork-partner': token })),
    )
    // The second arrived after the first had closed the round, so it is stored as a draft.
    expect(codes(answers)).toEqual([200, 409])
    expect((await traces(at.id))[2].map((row) => (row as unknown as { state: string }).state).sort()).toEqual(['draft', 'sent'])
    expect([await statusOf(at.id), await historyOf(at.id, 'submit_approval')]).toEqual(['submit_approval', 1])
  })

  test('a link is used twice, and one answer is kept', async () => {
    const at = await cell('pricing', 'campaign')
    const twice = [1, 2].map((n) =>
      app.as('stranger').call('proffer.create', { campaign_id: at.id, ...ANSWER, cpi_cents: n * 100 } as never, at.link),
    )
    expect(codes(await Promise.all(twice))).toEqual([200, 409])
    expect((await traces(at.id))[2]).toHaveLength(1)
  })

  test('an approval meets the rejection that opens a new round, and one of them counts', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const at = await cell('submit_approval', 'project')
      const approve = () => app.as('client').call('project.approve', { project_id: at.id })
      const reject = () => app.as('admin').call('project.reject', { project_id: at.id, status: 'OnQuote', reason: 'a mistake' })
      const answers = await Promise.all(turn % 2 ? [approve(), reject()] : [reject(), approve()])
      expect(codes(answers)).toEqual([200, 409])
      const [project, , , quotes] = await traces(at.id)
      const state = (quotes as unknown as { state: string }[]).map((quote) => quote.state)
      expect([project.status, project.quote_round, state]).toEqual(
        project.status === 'approved' ? ['approved', 1, ['approved']] : ['pricing', 2, ['rejected']],
      )
    }
  })

  test('an approval meets a new price, and nobody approves a price they have not seen', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const at = await cell('submit_approval', 'project')
      const seen = (await app.as('client').call('campaign.authorization', { id: at.id })).body.data
      const approve = () =>
        app.as('client').call('project.approve', {
          project_id: at.id,
          quote_id: seen.quote_id!,
          lock_version: seen.lock_version!,
        })
      const price = () => app.as('admin').call('project.setCost', { id: at.id, cost: 9999 })
      const [one, two] = await Promise.all(turn % 2 ? [approve(), price()] : [price(), approve()])
      expect(codes([one!, two!])).toContain(200)
      const approved = (await traces(at.id))[3] as unknown as { state: string; cost_cents: number }[]
      for (const quote of approved) if (quote.state === 'approved') expect(quote.cost_cents).toBe(150_000)
    }
  })

  test('two approve in both spellings, and it is approved once', async () => {
    const at = await cell('submit_approval', 'campaign')
    const answers = await Promise.all([
      app.as('client').call('project.approve', { project_id: at.id }),
      app.as('client').call('campaign.authorize', { campaign_id: at.id, authorized: 'Yes' }),
    ])
    expect(codes(answers)).toEqual([200, 409])
    expect(await historyOf(at.id, 'approved')).toBe(1)
  })

  test('two invite the same partner, who is invited once', async () => {
    const at = await cell('requirements', 'project')
    const answers = await Promise.all([
      app.as('admin').call('project.assignPartner', { project_id: at.id, partner_id: at.fresh }),
      app.as('admin').call('invitation.create', { id: at.id, partner_ids: [at.fresh] }),
    ])
    expect(codes(answers)).toEqual([200, 409])
    expect((await traces(at.id))[1]).toHaveLength(2)
  })
})
