import { beforeAll, expect, test } from 'vitest'
import { DESK_RULE_IDS, type DeskRuleId, deskIdOf, deskRule } from '../../contract/deskRules.ts'
import { addDays } from '../../contract/pacing.ts'
import type { Subject } from '../../src/commands/subject.ts'
import type { CommandId } from '../support/commands.ts'
import { failedDelivery } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { does } from './undoing.ts'

// Each rule's command settles its line, tried from the table of rules on a record that has the line.

let app: Fieldwork
let today = ''
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
  today = app.make.today()
})
const admin = () => app.as('admin')

/** A record with a line, and what its command is answered. */
interface Trial {
  id: number
  answers?: Record<string, unknown>
  /** What the command runs on, if it isn't the line's record. */
  subjects?: Subject[]
}

const project = (given: object = {}) =>
  app.make.project({
    client_id: app.client.id,
    campaign_type: 'Survey',
    survey_url: 'https://survey.test/1',
    ordered: 100,
    cost_cents: 40_000,
    start_dt: addDays(today, -10),
    end_dt: addDays(today, 5),
    owner_id: app.admin.id,
    ...given,
  } as never)
/** A project with an invited partner, who may have answered. */
async function invited(answer?: object) {
  const { id } = await project({ status: 'requirements', cost_cents: null })
  const partner = await app.make.partner()
  await admin().call('invitation.create', { id, partner_ids: [partner.id], mail: 0 })
  if (answer)
    await admin().call('proffer.create', { campaign_id: id, partner_id: partner.id, on_behalf: 'By phone', ...answer } as never)
  return id
}
/** A project whose client has a quote, or is about to. */
async function quoted(state: 'prepared' | 'sent', valid_until: string) {
  const { id } = await project({ status: 'submit_approval', quote_valid_until: valid_until })
  const at = `${addDays(today, -5)}T12:00:00.000Z`
  const decision = { decided_at: null, decided_by: null, reason: '', opened_at: null, opened_by: null, lapse_mailed_at: null }
  const quote = { project_id: id, round: 1, revision: 1, cost_cents: 40_000, ordered: 100, valid_until, asked: '{}', state }
  await app.write((tx) =>
    tx
      .insertInto('quotes')
      .values({ ...quote, ...decision, sent_at: state === 'sent' ? at : null, sent_by: null, created_at: at, updated_at: at })
      .execute(),
  )
  return id
}
async function rewards(): Promise<Trial> {
  const { id } = await project({ status: 'active' })
  const entry = await app.make.entry({ project_id: id, amount_cents: 500, ip: '', email: `${id}@mail.test` })
  return { id, subjects: [{ kind: 'entry', id: entry.id, name: entry.email, record: { ...entry } }] }
}
async function failedJob(person: 'admin' | 'client') {
  const { id } = (await app.as(person).call('export.start', { source: 'jobs', filter: {}, columns: ['title'] } as never)).body
    .data
  await app.write((tx) => tx.updateTable('jobs').set({ status: 'failed', error: 'No disk' }).where('id', '=', id).execute())
  return { id }
}
const prices = { cost: 45_000, valid_until: '' }

/** Rules whose command opens the record or its list, where the line is settled one by one. */
const OPENS = ['flagged', 'importLines', 'results'] as const
type Settled = Exclude<DeskRuleId, (typeof OPENS)[number]>
const isSettled = (rule: DeskRuleId): rule is Settled => !(OPENS as readonly string[]).includes(rule)

const TRIALS: Readonly<Record<Settled, () => Promise<Trial>>> = {
  invite: async () => ({
    id: (await project({ status: 'requirements', cost_cents: null })).id,
    answers: { partners: [(await app.make.partner()).id] },
  }),
  silent: async () => {
    const id = await invited()
    await app.write((tx) => tx.updateTable('project_partners').set({ answer_by: today }).where('project_id', '=', id).execute())
    return { id }
  },
  answers: async () => ({ id: await invited({ fill_requirements: 'Yes', feasible_completes: 100, cpi_cents: 200 }) }),
  declined: async () => ({
    id: await invited({ fill_requirements: 'No', reason: 'No sample' }),
    answers: { partners: [(await app.make.partner()).id] },
  }),
  unsent: async () => ({ id: await quoted('prepared', addDays(today, 9)) }),
  lapsing: async () => ({
    id: await quoted('sent', addDays(today, 1)),
    answers: { ...prices, valid_until: addDays(today, 9) },
  }),
  lapsed: async () => ({ id: await quoted('sent', addDays(today, -1)), answers: { ...prices, valid_until: addDays(today, 9) } }),
  launch: async () => ({ id: (await project({ status: 'approved', start_dt: addDays(today, 1) })).id }),
  lateStart: async () => ({ id: (await project({ status: 'approved' })).id }),
  missed: async () => ({
    id: (await project({ status: 'approved', end_dt: addDays(today, -1) })).id,
    answers: { end_dt: addDays(today, 9) },
  }),
  behindRed: async () => ({
    id: (await project({ status: 'active', delivered: 15 })).id,
    answers: { end_dt: addDays(today, 90) },
  }),
  behindOrange: async () => ({
    id: (await project({ status: 'active', delivered: 40 })).id,
    answers: { end_dt: addDays(today, 30) },
  }),
  ended: async () => ({ id: (await project({ status: 'active', end_dt: addDays(today, -1) })).id }),
  rewards,
  job: () => failedJob('admin'),
  mail: async () => {
    const at = new Date().toISOString()
    const mail = { to_address: 'a@mail.test', subject: 'Quote', body: '', html: '', status: 'failed' as const, error: 'Refused' }
    const rest = { about: '', not_before: at, created_at: at, sent_at: null, secrets: '[]', secrets_until: null }
    return app.write((tx) =>
      tx
        .insertInto('mails')
        .values({ ...mail, ...rest, redacted_at: null, user_id: null })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  },
  webhook: async () => ({ id: (await failedDelivery(app)).webhook_id }),
  webhookOff: async () => {
    const { webhook_id } = await failedDelivery(app)
    await app.write((tx) => tx.updateTable('webhooks').set({ status: 'disabled' }).where('id', '=', webhook_id).execute())
    return { id: webhook_id }
  },
  unowned: async () => ({ id: (await project({ status: 'active', owner_id: null })).id, answers: { owner: app.admin.id } }),
  clientAsks: async () => {
    const { id } = await project({ status: 'active' })
    await app.as('client').call('message.send', { id, text: 'How is it going?' })
    return { id, answers: { text: 'Well' } }
  },
  partnerAsks: async () => {
    const id = await invited()
    const [{ partner_id } = { partner_id: 0 }] = await app.db
      .selectFrom('project_partners')
      .select('partner_id')
      .where('project_id', '=', id)
      .execute()
    const until = Math.floor(Date.now() / 1000) + 86_400
    const link = app.services.secrets.sign('partner', [id, partner_id, 1, 1].join(':'), until)
    await app.as('stranger').call('invitation.ask', { id, text: 'Which markets?' }, { 'fieldwork-partner': link })
    return { id, answers: { partner: partner_id, text: 'All of them' } }
  },
  agencyWrote: async () => {
    const { id } = await project({ status: 'active' })
    await admin().call('message.send', { id, text: 'It is in field' })
    return { id, answers: { note: 'Thank you' } }
  },
  decide: async () => ({ id: await quoted('sent', addDays(today, 9)) }),
  renew: async () => ({ id: await quoted('sent', addDays(today, -1)), answers: { message: 'As before, please' } }),
  incomplete: async () => ({
    id: (await project({ status: 'requirements', survey_url: '' })).id,
    answers: { note: 'The survey comes on Friday' },
  }),
  ownJob: () => failedJob('client'),
}
const hasLine = async (rule: DeskRuleId, id: number) => {
  const { body } = await app.as(deskRule(rule).who).call('desk.list', { rule, whose: 'all', per_page: 500 })
  return body.data.some((line) => line.id === deskIdOf(rule, id))
}
/** The record as the runner reads it. */
async function subjectOf(rule: DeskRuleId, id: number): Promise<Subject> {
  const { subject: kind, who } = deskRule(rule)
  const read = { project: 'project.get', webhook: 'webhook.get', import: 'import.get' }[kind]
  const record = read ? (await app.as(who).call(read as 'project.get', { id })).body.data : { id, name: kind }
  return { kind: kind as 'project', id, name: String((record as { name?: string }).name ?? kind), record: record as never }
}

test('each rule’s command settles the line that names it', async () => {
  const wrong: string[] = []
  for (const rule of DESK_RULE_IDS.filter(isSettled)) {
    const { who, command } = deskRule(rule)
    const { id, answers = {}, subjects } = await TRIALS[rule]()
    if (!(await hasLine(rule, id))) {
      wrong.push(`${rule}: no line`)
      continue
    }
    try {
      await does(app.as(who), command as CommandId, { subjects: subjects ?? [await subjectOf(rule, id)], answers })
      if (await hasLine(rule, id)) wrong.push(`${rule}: the line stays after ${command}`)
    } catch (error) {
      wrong.push(`${rule}: ${command}: ${(error as Error).message}`)
    }
  }
  expect(wrong).toEqual([])
}, 60_000)
