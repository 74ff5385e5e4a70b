import { beforeAll, expect, test } from 'vitest'
import { DESK_RULES, type DeskRuleId, deskIdOf } from '../../contract/deskRules.ts'
import { addDays, pacingOf } from '../../contract/pacing.ts'
import { STATUSES } from '../../contract/status.ts'
import { randomOf } from '../../server/demo/random.ts'
import { fixedSeed } from '../support/seed-of-day.ts'
import { failedDelivery } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork, type Person, withoutDeliveries } from './support.ts'

// The desk: lines that SQL derives, against a count by hand over every record of random worlds.

let app: Fieldwork
let today = ''
let next: () => number
let nextMessage: () => number
const below = (most: number) => Math.floor(next() * most)
const one = <T>(values: readonly T[]): T => values[below(values.length)]!
const near = () => addDays(today, below(9) - 4)
const isoOf = (day: string) => `${day}T15:00:00.000Z`

beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
  today = app.make.today()
  next = randomOf('desk', fixedSeed('DESK_SEED')).next
  nextMessage = randomOf('desk messages', fixedSeed('DESK_SEED')).next
})

/** Adds projects in every state, with invitations, answers, quotes, rewards, and failures of every kind. */
async function addWorld(projects: number): Promise<void> {
  const other = await app.make.client({ name: 'Other client' })
  const colleague = await app.make.user({ role: 'admin' })
  const gone = await app.make.user({ role: 'admin', deleted_at: isoOf(today) })
  const partners = await Promise.all([0, 1, 2].map(() => app.make.partner()))
  for (let nth = 0; nth < projects; nth++) {
    const status = one(STATUSES)
    const start = next() < 0.1 ? null : near()
    const round = 1 + below(2)
    const { id } = await app.make.project({
      client_id: one([app.client.id, app.client.id, other.id]),
      generation: one(['project', 'campaign'] as const),
      campaign_type: one(['Survey', 'Content'] as const),
      status,
      ordered: one([0, 40, 100, 250]),
      delivered: one([0, below(60), below(160)]),
      cost_cents: one([null, 40_000, 125_050]),
      start_dt: start,
      end_dt: next() < 0.1 ? null : addDays(start ?? today, below(6)),
      quote_round: round,
      quote_valid_until: status === 'submit_approval' && next() < 0.9 ? near() : null,
      survey_url: one(['', 'https://survey.test/1']),
      requested_by: null,
      owner_id: one([null, app.admin.id, colleague.id, gone.id]),
      deleted_at: next() < 0.1 ? isoOf(today) : null,
    } as never)
    await app.write(async (tx) => {
      for (const partner of partners) {
        if (next() < 0.4) continue
        await tx
          .insertInto('project_partners')
          .values({
            project_id: id,
            partner_id: partner.id,
            round: one([round, 1]),
            assigned_at: isoOf(near()),
            mailed_at: null,
            answer_by: one([null, near()]),
            reminded_at: one([null, new Date(Date.now() - 3_600_000).toISOString(), isoOf(addDays(today, -3))]),
            revoked_at: one([null, null, null, isoOf(today)]),
          })
          .execute()
        if (next() < 0.5) continue
        await tx
          .insertInto('proffers')
          .values({
            project_id: id,
            partner_id: partner.id,
            round,
            fill_requirements: one(['Yes', 'No'] as const),
            reason: '',
            feasible_completes: one([null, 100, 100, 100]),
            cpi_cents: one([null, 300, 300, 300]),
            incidence: null,
            loi_minutes: null,
            field_days: null,
            valid_until: one([null, null, near()]),
            created_at: isoOf(today),
            state: one(['draft', 'sent', 'sent'] as const),
            sent_at: isoOf(today),
          })
          .execute()
      }
      if (['submit_approval', 'approved'].includes(status))
        for (let revision = 1; revision <= 1 + below(2); revision++)
          await tx
            .insertInto('quotes')
            .values({
              project_id: id,
              round,
              revision,
              cost_cents: 40_000,
              ordered: 100,
              valid_until: null,
              asked: '{}',
              state: one(['prepared', 'sent'] as const),
              sent_at: isoOf(today),
              sent_by: null,
              opened_at: null,
              opened_by: null,
              decided_at: null,
              decided_by: null,
              reason: '',
              lapse_mailed_at: null,
              created_at: isoOf(today),
              updated_at: isoOf(today),
            })
            .execute()
      await tx
        .insertInto('jobs')
        .values({
          kind: 'export',
          title: `Export ${nth}`,
          input: '{}',
          status: one(['failed', 'done'] as const),
          result: '{}',
          error: '',
          created_by: one([app.admin.id, app.member.id]),
          made_as: one(['admin', 'client'] as const),
          project_id: one([null, id]),
          created_at: isoOf(today),
          started_at: null,
          not_before: isoOf(today),
          worker: null,
          beat_at: null,
          ended_at: isoOf(today),
        })
        .execute()
      await tx
        .insertInto('mails')
        .values({
          to_address: 'a@b.test',
          subject: `Mail ${nth}`,
          body: '',
          html: '',
          status: one(['failed', 'sent'] as const),
          error: '',
          about: '',
          not_before: isoOf(today),
          created_at: isoOf(today),
          sent_at: null,
          secrets: '[]',
          secrets_until: null,
          redacted_at: null,
          user_id: null,
        })
        .execute()
    })
    await addMessages(id, partners, [app.client.id, other.id])
    if (nth % 10 === 0) await addFailures(id)
    if (next() < 0.5)
      await app.make.entries(
        Array.from({ length: 1 + below(3) }, () => ({
          project_id: id,
          email: one(['same@mail.test', `${below(1e9)}@mail.test`]),
          status: one(['pending', 'pending', 'sent', 'rejected'] as const),
          amount_cents: one([500, 1000]),
          ip: '',
        })) as never,
      )
  }
}

/** Adds up to four messages of conversations about a project, by draws that don't shift those of the projects. */
async function addMessages(project_id: number, partners: readonly { id: number }[], clients: readonly number[]): Promise<void> {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(nextMessage() * values.length)]!
  const times = { created_at: isoOf(today), updated_at: isoOf(today) }
  const rows = Array.from({ length: pick([0, 1, 2, 3, 4]) }, () => {
    const partner_id = pick([0, 0, ...partners.map(({ id }) => id)])
    const side = partner_id ? pick(['agency', 'partner'] as const) : pick(['agency', 'client'] as const)
    return { ...times, project_id, partner_id, client_id: partner_id ? 0 : pick(clients), side, author_id: null, text: 'Hm?' }
  })
  for (const row of rows) await app.write((tx) => tx.insertInto('messages').values(row).execute())
}

/** Adds an import with or without errors, and a webhook with or without failed messages. */
async function addFailures(project_id: number): Promise<void> {
  const at = isoOf(today)
  const stamps = { created_at: at, updated_at: at }
  const { id: webhook_id } = await failedDelivery(app)
  await app.write(async (tx) => {
    const { id: file_id } = await tx
      .insertInto('files')
      .values({
        ...stamps,
        project_id,
        activity_id: null,
        kind: 'location',
        asset_type: '',
        original_name: 'stores.csv',
        storage_key: `desk/${project_id}`,
        mime: 'text/csv',
        size: 1,
        description: '',
        uploaded_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const failed = below(3)
    await tx
      .insertInto('imports')
      .values({
        ...stamps,
        kind: 'location',
        file_id,
        file_hash: '',
        project_id: one([null, project_id]),
        client_id: null,
        group_id: null,
        activity_id: null,
        mapping: '[]',
        failed,
        status: one(['done', 'failed', 'running', 'undone'] as const),
        job_id: null,
        errors_file_id: null,
        created_by: app.admin.id,
        ended_at: at,
      })
      .execute()
    await tx
      .updateTable('webhooks')
      .set({ status: one(['active', 'active', 'disabled', 'paused'] as const), deleted_at: one([null, null, at]) })
      .where('id', '=', webhook_id)
      .execute()
  })
}

/** The lines that an administrator or the client's user has, by reading every row. */
async function byHand(role: 'admin' | 'client'): Promise<number[]> {
  const projects = (await app.db.selectFrom('projects').selectAll().where('deleted_at', 'is', null).execute()).filter(
    ({ client_id }) => role === 'admin' || client_id === app.client.id,
  )
  const invitations = await app.db.selectFrom('project_partners').selectAll().execute()
  const proffers = await app.db.selectFrom('proffers').selectAll().where('state', '=', 'sent').execute()
  const messages = await app.db.selectFrom('messages').selectAll().orderBy('id').execute()
  const quotes = await app.db.selectFrom('quotes').selectAll().orderBy('revision').execute()
  const entries = await app.db.selectFrom('entries').selectAll().where('status', '=', 'pending').execute()
  const jobs = await app.db.selectFrom('jobs').selectAll().where('status', '=', 'failed').execute()
  const mails = await app.db.selectFrom('mails').selectAll().where('status', '=', 'failed').execute()
  const admins = new Set(
    (await app.db.selectFrom('users').selectAll().where('role', '=', 'admin').where('deleted_at', 'is', null).execute()).map(
      ({ id }) => id,
    ),
  )
  const lines: number[] = []
  const add = (rule: DeskRuleId, id: number) => {
    if (DESK_RULES[rule].who === role) lines.push(deskIdOf(rule, id))
  }
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  const soon = addDays(today, 2)
  for (const project of projects) {
    const { id, status, start_dt, end_dt, quote_valid_until: until } = project
    const invited = invitations.filter(
      (row) => row.project_id === id && row.round === project.quote_round && row.revoked_at === null,
    )
    const answers = proffers.filter((row) => row.project_id === id && row.round === project.quote_round)
    const unanswered = invited.filter((row) => !answers.some(({ partner_id }) => partner_id === row.partner_id))
    const quote = quotes.filter((row) => row.project_id === id && row.round === project.quote_round).at(-1)
    const offer = answers.some(
      (row) =>
        row.fill_requirements === 'Yes' &&
        row.feasible_completes !== null &&
        row.cpi_cents !== null &&
        (row.valid_until === null || row.valid_until >= today),
    )
    if (status === 'requirements' || (status === 'pricing' && !answers.length && !invited.length)) add('invite', id)
    if (
      status === 'pricing' &&
      unanswered.some(
        ({ answer_by, reminded_at }) => answer_by && answer_by <= addDays(today, 1) && (!reminded_at || reminded_at <= yesterday),
      )
    )
      add('silent', id)
    if (status === 'pricing' && answers.length && offer) add('answers', id)
    if (status === 'pricing' && answers.length && !offer && !unanswered.length) add('declined', id)
    if (status === 'submit_approval') {
      const isUnsent = quote?.state === 'prepared'
      if (isUnsent) add('unsent', id)
      else {
        if (until && until >= today && until <= soon) add('lapsing', id)
        if (until && until < today) add('lapsed', id)
        add(until && until < today ? 'renew' : 'decide', id)
      }
    }
    if (status === 'approved') {
      if (end_dt && end_dt < today) add('missed', id)
      else add(start_dt && start_dt <= today ? 'lateStart' : 'launch', id)
    }
    if (status === 'active') {
      const pace = pacingOf({ ...project, start: start_dt, end: end_dt }, today)
      if (pace.state === 'running' && project.ordered > 0 && pace.color === 'Red') add('behindRed', id)
      if (pace.state === 'running' && project.ordered > 0 && pace.color === 'Orange') add('behindOrange', id)
    }
    if ((status === 'active' || status === 'paused') && end_dt && end_dt < today) add('ended', id)
    const rewards = entries.filter((row) => row.project_id === id)
    if (rewards.some(({ flags }) => !flags)) add('rewards', id)
    if (rewards.some(({ flags }) => flags)) add('flagged', id)
    if (!['completed', 'reporting', 'rejected'].includes(status) && !admins.has(project.owner_id ?? 0)) add('unowned', id)
    if ((status === 'requirements' || status === 'pricing') && project.campaign_type === 'Survey' && !project.survey_url)
      add('incomplete', id)
    if (status === 'reporting') add('results', id)
    const ofClient = messages.filter((row) => row.project_id === id && !row.partner_id && row.client_id === project.client_id)
    const last = ofClient.at(-1)?.side
    if (last === 'client') add('clientAsks', id)
    if (last === 'agency') add('agencyWrote', id)
    const ofPartners = Map.groupBy(
      messages.filter((row) => row.project_id === id && row.partner_id),
      (row) => row.partner_id,
    )
    if ([...ofPartners.values()].some((rows) => rows.at(-1)!.side === 'partner')) add('partnerAsks', id)
  }
  for (const { id, created_by, made_as, project_id } of jobs) {
    if (project_id && !projects.some((project) => project.id === project_id)) continue
    if (role === 'admin') add('job', id)
    else if (created_by === app.member.id && made_as === 'client') add('ownJob', id)
  }
  for (const { id } of mails) add('mail', id)
  for (const { id, status, failed, project_id } of await app.db.selectFrom('imports').selectAll().execute()) {
    if (project_id && !projects.some((project) => project.id === project_id)) continue
    if ((status === 'done' || status === 'failed') && failed > 0) add('importLines', id)
  }
  const failed = await app.db.selectFrom('webhook_deliveries').selectAll().where('status', '=', 'failed').execute()
  for (const { id, status } of await app.db.selectFrom('webhooks').selectAll().where('deleted_at', 'is', null).execute()) {
    if (status === 'disabled') add('webhookOff', id)
    if (status === 'active' && failed.some(({ webhook_id }) => webhook_id === id)) add('webhook', id)
  }
  return lines.sort((a, b) => a - b)
}

/** Every line that a person has, read page by page. */
async function linesOf(person: Person, more: object = {}): Promise<{ id: number; rule: string }[]> {
  const lines: { id: number; rule: string }[] = []
  for (let page = 1; ; page++) {
    const { body, status } = await person.call('desk.list', { state: 'all', whose: 'all', per_page: 100, page, ...more })
    expect(status).toBe(200)
    lines.push(...body.data)
    if (lines.length >= body.count || !body.data.length) return lines
  }
}
const idsOf = (lines: readonly { id: number }[]) => lines.map(({ id }) => id).sort((a, b) => a - b)

test('lists the lines that a count over every record finds, in three random worlds', async () => {
  const tried = new Set<string>()
  for (let world = 0; world < 3; world++) {
    await addWorld(100)
    for (const role of ['admin', 'client'] as const) {
      const lines = await linesOf(app.as(role))
      expect(idsOf(lines)).toEqual(await byHand(role))
      for (const { rule } of lines) tried.add(rule)
    }
  }
  // Each rule found lines, so none of them agrees by chance.
  expect(Object.keys(DESK_RULES).filter((rule) => !tried.has(rule))).toEqual([])
})

/** A project whose client waits for it to go live, and its line. */
async function approved(given: object = {}) {
  const { id, name } = await app.make.project({
    client_id: app.client.id,
    status: 'approved',
    start_dt: addDays(today, 3),
    end_dt: addDays(today, 9),
    cost_cents: 50_000,
    owner_id: app.admin.id,
    ...given,
  } as never)
  return { id, name, line: deskIdOf('launch', id) }
}
const lineNow = async (id: number, person = app.as('admin')) => {
  const { body } = await person.call('desk.list', { state: 'all', whose: 'all', per_page: 500 })
  return body.data.find((line) => line.id === id)
}

test('a line that is acknowledged or snoozed is open again once its cause changes', async () => {
  const { id, line } = await approved()
  const person = app.as('admin')
  const state = async () => (await lineNow(line))?.state
  expect(await state()).toBe('open')
  expect((await person.call('desk.acknowledge', { ids: [line] })).body.message).toBe('1 line acknowledged.')
  expect(await lineNow(line)).toMatchObject({ state: 'acknowledged', acknowledged_by: 'Ada Admin' })
  await app.write((tx) => tx.updateTable('projects').set({ cost_cents: 60_000 }).where('id', '=', id).execute())
  expect(await state()).toBe('open')
  await person.call('desk.snooze', { ids: [line] })
  expect(await lineNow(line)).toMatchObject({ state: 'snoozed', snoozed_until: null, snoozed_by: 'Ada Admin' })
  await app.write((tx) => tx.updateTable('projects').set({ cost_cents: 70_000 }).where('id', '=', id).execute())
  expect(await state()).toBe('open')
  const until = new Date(Date.now() + 60_000).toISOString()
  await person.call('desk.snooze', { ids: [line], until })
  expect(await lineNow(line)).toMatchObject({ state: 'snoozed', snoozed_until: until })
  expect((await person.call('desk.count')).body.data.changes_at).toBe(until)
  await app.write((tx) =>
    tx
      .updateTable('desk_marks')
      .set({ snoozed_until: isoOf(addDays(today, -1)) })
      .execute(),
  )
  expect(await state()).toBe('open')
  expect((await person.call('desk.snooze', { ids: [line], until: isoOf(addDays(today, -2)) })).status).toBe(422)
})

test('a line goes with its cause, and says what is missing while it is there', async () => {
  const { id, line } = await approved({ survey_url: 'https://survey.test/1' })
  expect(await lineNow(line)).toMatchObject({
    command: 'project.goLive',
    kind: 'project',
    subject_id: id,
    cost_cents: 50_000,
    missing: ['questions', 'audience', 'markets', 'rewards', 'partners'],
    ready: ['dates', 'order', 'cost', 'survey'],
  })
  const live = await app.as('admin').call('project.goLive', { id })
  expect(live.status).toBe(200)
  expect(await lineNow(line)).toBeUndefined()
  expect((await app.as('admin').call('desk.count')).body.data.settled_today).toBeGreaterThan(0)
})

test('a line is its owner’s until it is handed over, and everybody’s without one', async () => {
  const second = await app.make.user({ role: 'admin', first_name: 'Sam', last_name: 'Second', email: 'sam@fieldwork.test' })
  const sam = await app.signIn(second)
  const { id, line } = await approved()
  const isOn = async (person: Person) => idsOf(await linesOf(person, { state: 'open', whose: 'mine' })).includes(line)
  expect([await isOn(app.as('admin')), await isOn(sam)]).toEqual([true, false])
  const handed = await app.as('admin').call('desk.handOver', { ids: [line], owner_id: second.id })
  expect(handed.body.message).toBe('1 line handed over to Sam Second.')
  expect([await isOn(app.as('admin')), await isOn(sam)]).toEqual([false, true])
  await app.as('admin').raw('POST', `/v3/portal/undo/${handed.headers['x-undo']}`)
  expect([await isOn(app.as('admin')), await isOn(sam)]).toEqual([true, false])
  expect((await app.as('admin').call('desk.handOver', { ids: [line], owner_id: app.member.id })).body.fields).toEqual({
    owner_id: 'owner_id is not an administrator',
  })
  await app.write((tx) => tx.updateTable('projects').set({ owner_id: null }).where('id', '=', id).execute())
  expect([await isOn(app.as('admin')), await isOn(sam)]).toEqual([true, true])
})

test('nobody decides about a line that they don’t have', async () => {
  const { line } = await approved()
  for (const call of ['desk.acknowledge', 'desk.snooze', 'desk.reopen'] as const)
    expect((await app.as('client').call(call, { ids: [line] })).status).toBe(404)
  expect((await app.as('client').call('desk.handOver', { ids: [line], owner_id: app.admin.id })).status).toBe(403)
  const partly = await app.as('admin').call('desk.acknowledge', { ids: [line, deskIdOf('launch', 999_999)] })
  expect(partly.body.data).toEqual({ changed: 1, gone: [deskIdOf('launch', 999_999)] })
})
