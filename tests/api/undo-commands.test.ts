import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { deskIdOf } from '../../contract/deskRules.ts'
import { type BrandInfoController, registerBrandInfo } from '../../src/commands/brandInfoController.ts'
import { type ReportController, registerReport } from '../../src/commands/reportController.ts'
import { idAbove, type Subject } from '../../src/commands/subject.ts'
import { type CommandId, commandIds, commandOf } from '../support/commands.ts'
import {
  award as awardOf,
  expired,
  givenService,
  locationFile,
  madeOf,
  refusedLine,
  sendExample,
  serviceOf,
  vip as vipOf,
  WRITE_EXAMPLES,
} from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { apiOf, does, type Given, undoes, wholeOf } from './undoing.ts'
import { everywhere, testAll } from './wrong.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
  // Thumbnails are created in the background, whatever is undone.
  app.services.jobs.define('thumbnails', { run: async () => ({}) })
  // Moving several questions asks for confirmation before the page closes.
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
})
afterAll(() => void vi.unstubAllGlobals())

/** The record as in its list, for commands that need the row. */
const subject = (kind: Subject['kind'], record: { id: number; name?: string }): Subject => ({
  kind,
  id: record.id,
  name: record.name ?? `${kind} ${record.id}`,
  record: record as Record<string, unknown>,
})
const project = async (given: Partial<Parameters<Fieldwork['make']['project']>[0]> = {}) =>
  subject('project', await app.make.project({ client_id: app.client.id, ...given }))
const team = async () => subject('team', await app.make.team({ client_id: app.client.id, users: [app.member.id] }))
const entries = async (given: Partial<Parameters<Fieldwork['make']['entry']>[0]> = {}) => {
  const { id } = await project()
  const made = [1, 2, 3].map(() => app.make.entry({ project_id: id, ...given }))
  return (await Promise.all(made)).map((entry) => subject('entry', { ...entry, name: entry.email }))
}
const note = async () => {
  const { id } = await project()
  const { body } = await app.as('admin').call('note.create', { project_id: id, note: 'As it was' })
  return subject('note', { ...body.data, name: 'note' } as never)
}
/** The desk's line of a project without an owner. */
async function deskLine() {
  const { id } = await project()
  return subject('desk', { id: deskIdOf('unowned', id), name: 'Project without an owner' })
}
/** A location group with two places, of the client that activities are made for. */
const groupWith = async (more: object = {}) => {
  const group = await app.make.group({ client_id: app.client.id })
  const places = await Promise.all(
    [1, 2].map(
      async () =>
        (await app.as('admin').call('location.create', { ...placeAt(++serial), group_ids: [group.id], ...more })).body.data,
    ),
  )
  return { group: subject('group', { ...group, client_id: app.client.id, client_name: '' } as never), places }
}
const placeAt = (nth: number) => ({ name: `Store ${nth}`, address: `${nth} Trial St`, city: 'Boston', state: 'MA', zip: '02108' })
const placesOf = (places: readonly { id: number; name: string }[], group?: Subject) =>
  places.map((one) =>
    group ? subject('groupLocation', { ...one, group_id: group.id, group_name: group.name } as never) : subject('location', one),
  )
const view = async (more: object = {}) => {
  const given = { screen: 'clients', name: `View ${++serial}`, query: 'sort=name' }
  const { body } = await app.as('admin').call('view.create', given)
  return subject('view', { ...body.data, ...more })
}
const mail = async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = await app.make.mail({ status: 'queued', subject: 'Subject', not_before: later })
  return subject('mail', { id, name: 'Subject' })
}
const webhook = async () => {
  const given = { name: `Webhook ${++serial}`, url: 'https://hooks.test/x', nouns: ['project'] }
  return subject('webhook', (await app.as('admin').call('webhook.create', given)).body.data)
}
const upload = (project_id?: number) => {
  const form = new FormData()
  if (project_id) form.append('project_id', String(project_id))
  form.append('asset_type', 'Survey Document')
  form.append('file', new File(['Some words'], 'words.txt', { type: 'text/plain' }))
  return form
}
const file = async (project_id?: number) => {
  const { data } = await apiOf(app.as('admin'), { steps: [] }).upload('file.upload', upload(project_id))
  return subject('file', data[0]!)
}
/** A project's client report as the active pane, for its commands. */
async function inReport(more: Partial<ReportController> = {}) {
  const { id, name } = await project()
  const { id: survey_id } = await app.make.survey({ project_id: id })
  await app.make.question({ survey_id })
  removeReport()
  const controller = { active: () => true, unsaved: 0, missing: [], templates: [], changes: () => [], ...more }
  removeReport = registerReport({ ...controller, project: { id, name, client_id: app.client.id } } as unknown as ReportController)
  return { id, survey_id }
}
let removeReport = () => {}
const brand = async () => subject('brand', await app.make.brand())
const service = async () => subject('service', { ...(await serviceOf(app)), users_count: 1 } as never)
/** A brand's visits as the active pane, for the commands of saved filters. */
async function inBrand(brand_id: number) {
  removeBrand()
  removeBrand = registerBrandInfo({
    active: () => true,
    filter: () => null,
    filters: () => [],
    kept: () => ({ brand_id, filter: { date: 'week' }, customFilterURL: 'date=week' }),
    openFilter: () => {},
  } as unknown as BrandInfoController)
}
let removeBrand = () => {}
/** A draft of a quota plan as the Quotas tab has it, and its first cell. */
async function quotas() {
  const { id } = await project({ ordered: 100 })
  await app.make.survey({ project_id: id })
  const cells = ['female', 'male'].map((gender) => ({ name: gender, conditions: { gender: [gender] }, target: 50 }))
  const dimensions = [{ name: 'Gender', fields: ['gender'], cells }]
  const { data: plan } = (await app.as('admin').call('quota.create', { id, dimensions } as never)).body
  const [cell, other] = plan.dimensions[0]!.cells
  return {
    plan: subject('quota', { ...plan, plan, name: 'Total' } as never),
    cell: subject('quotaCell', { ...cell!, plan, starving: false } as never),
    other: String(other!.id),
  }
}
/** A channel of a project without options. */
const channel = async (active: number) => {
  const { id: project_id } = await project()
  await app.make.audience({ project_id, facebook_active: active })
  return subject('audience', {
    ...{ project_id, field: 'facebook_active', active, lock_version: 1 },
    id: project_id,
    name: 'Facebook',
  })
}
/** A project on quote with an invited partner, who has answered if requested. */
async function onQuote({ answered = false } = {}): Promise<{ subjects: Subject[]; partner: number }> {
  const made = await project({ status: 'requirements', cost_cents: null })
  const { id: partner } = await app.make.partner()
  const { as } = app
  await as('admin').call('invitation.create', { id: made.id, partner_ids: [partner], mail: false })
  if (answered)
    await as('admin').call('proffer.create', {
      ...{ campaign_id: made.id, partner_id: partner, fill_requirements: 'Yes', on_behalf: 'By phone' },
      ...{ feasible_completes: 1000, cpi_cents: 200, field_days: 5 },
    })
  // The mail about the answer could be sent while a later trial is compared.
  await app.db.updateTable('mails').set({ status: 'outbox' }).where('status', '=', 'queued').execute()
  return { subjects: [made], partner }
}
const signed = (project_id: number, name: string) => {
  const form = new FormData()
  form.append('project_id', String(project_id))
  form.append('kind', 'docsign')
  form.append('file', new File(['Signed'], name, { type: 'text/plain' }))
  return apiOf(app.as('admin'), { steps: [] }).upload('file.uploadDocument', form)
}
/** An activity with its own target. */
const withTarget = async () => {
  const { id } = await project()
  const made = await app.make.activity({ project_id: id })
  await app.make.target({ activity_id: made.id, age: `${2 + (made.id % 4)}`, gender: 'female', targeted_locations: '501' })
  return made
}
let serial = 0
/** An activity of its own project. */
async function activity(given: object = {}): Promise<Subject> {
  const { id: project_id } = await project(given)
  return subject('activity', await app.make.activity({ project_id }))
}
const one = async (kind: Promise<Subject>, answers: Given['answers'] = {}): Promise<Given> => ({
  subjects: [await kind],
  answers,
})

const notification = async () => subject('notification', await app.make.notification())
/** A reward of its own project, as in its list. */
async function reward(): Promise<Subject> {
  const { id } = await app.make.reward({ project_id: (await project()).id, name: `Card ${++serial}` })
  return subject('reward', (await app.as('admin').call('reward.get', { id })).body.data)
}
/** An unread notification in the administrator's inbox. */
async function notice(): Promise<Subject> {
  const now = new Date().toISOString()
  const { id, name } = await app.make.notification({ sent_at: now, sent_by: app.admin.id, audience: 1 })
  const row = { notification_id: id, user_id: app.admin.id, read_at: null, created_at: now }
  await app.write((tx) => tx.insertInto('notices').values(row).execute())
  return subject('notice', { id, name, message_action: 'feed', url: '', status: 'unread' } as never)
}

const survey = async (given: object = {}) => {
  const { id: project_id } = await project({ status: 'approved' })
  return subject('survey', await app.make.survey({ project_id, survey_link: 'https://survey.test/1', ...given }))
}
/** The second of three questions. */
async function question(): Promise<Subject> {
  const { id: survey_id } = await survey()
  const made: { id: number }[] = []
  for (const order of [1, 2, 3]) made.push(await app.make.question({ survey_id, position: order }))
  const row = { ...made[1]!, survey_id, order: 2, question_type: 'survey' }
  return subject('question', row)
}

/** A photo from a participant. */
async function photo(given: { review?: 'open' | 'accepted' | 'rejected'; review_reason?: string } = {}): Promise<Subject> {
  const { id: project_id } = await project()
  const { id: activity_id } = await app.make.activity({ project_id })
  const file = await app.make.file({ project_id, activity_id, kind: 'media' })
  const sent = { project_id, activity_id, file_id: file.id, action: 'photo' as const, ...given }
  return subject('content', await app.make.content(sent))
}

/** A record and answers to try each command on. */
const TRIALS: Partial<Record<CommandId, () => Promise<Given>>> = {
  'project.clone': async () => {
    const cloned = await project()
    await file(cloned.id)
    await app.make.team({ client_id: app.client.id, projects: [cloned.id] })
    await app.make.survey({ project_id: cloned.id })
    return { subjects: [cloned] }
  },
  'project.invitePartners': async () =>
    one(project({ status: 'requirements', cost_cents: null }), { partners: [(await app.make.partner()).id] }),
  'project.remind': () => onQuote(),
  'project.takeOffers': () => onQuote({ answered: true }),
  'project.reprice': () => one(project({ status: 'approved' }), { cost: 45_600, reason: 'Fewer completes' }),
  'invitation.edit': async () => ({ ...(await onQuote()), answers: { requirements: 'Half of them women' } }),
  'invitation.revoke': async () => {
    const { subjects, partner } = await onQuote()
    return { subjects, answers: { partner, reason: 'Another partner does it' } }
  },
  'docsign.add': () =>
    one(project({ status: 'approved' }), { files: [new File(['Signed'], 'signed.txt', { type: 'text/plain' })] }),
  'docsign.remove': async () => {
    const { id } = await project({ status: 'approved' })
    await signed(id, 'first.txt')
    const { data } = await signed(id, 'second.txt')
    return { subjects: [subject('file', data[0]!)] }
  },
  'project.setEnd': () => one(project({ end_dt: '2026-12-10' }), { end_dt: '2026-12-24' }),
  'project.editField': async () => ({
    subjects: [await project(), await project()],
    answers: { field: 'goal', goal: 321 },
  }),
  'activity.editField': () => one(activity(), { field: 'about', about: 'Photograph the shelf.' }),
  'survey.editField': () => one(survey(), { field: 'survey_link', survey_link: 'https://survey.test/all' }),
  'question.editField': () => one(question(), { field: 'answer_type', answer_type: 'open' }),
  'reward.editField': () => one(reward(), { field: 'amount', amount: 2500 }),
  'user.editField': async () =>
    one(
      app.make.user().then(({ id, email }) => subject('user', { id, name: email })),
      { field: 'company', company: 'Reed & Co' },
    ),
  'partner.editField': () => severalOf('partner', { field: 'notes', notes: 'Fast' }),
  'location.editField': () => severalOf('location', { field: 'city', city: 'Salem' }),
  'brand.editField': () => severalOf('brand', { field: 'end_dt', end_dt: '2031-01-05' }),
  'service.editField': () => one(service(), { field: 'ordered', ordered: 77 }),
  'notification.editField': () => severalOf('notification', { field: 'message', message: 'We open late' }),
  'project.setGoal': () => one(project(), { goal: 321 }),
  'project.setOwner': async () => one(project(), { owner: (await app.make.user({ role: 'admin' })).id }),
  'project.follow': () => one(project()),
  'project.unfollow': () => one(project({ owner_id: app.admin.id })),
  'project.setParent': async () => one(project(), { parent: (await project()).id }),
  'project.setCost': () => one(project({ status: 'pricing', cost_cents: null }), { cost: 12_300 }),
  'project.askQuote': () =>
    one(
      expired(app).then((id) => subject('project', { id })),
      { message: 'As before, please' },
    ),
  'activity.copyTarget': async () => {
    const { id } = await withTarget()
    return { subjects: [subject('activity', { id })], answers: { to: [(await withTarget()).id] } }
  },
  'target.restore': async () => {
    const { id } = await withTarget()
    await app.as('admin').call('target.edit', { activity_id: id, version: 1, age: ['7'] })
    return { subjects: [subject('activity', { id })], answers: { version: '1' } }
  },
  'project.remove': () => one(project({ status: 'requirements' })),
  'project.reject': () => one(project({ status: 'pricing' }), { reason: 'No budget' }),
  'project.reopen': () => one(project({ status: 'rejected' })),
  'project.pause': async () => ({ subjects: [await project(), await project()], answers: { reason: 'Wait' } }),
  'project.resume': () => one(project({ status: 'paused' }), { reason: 'Go on' }),
  'project.complete': () => one(project()),
  'project.setStatus': () => one(project(), { status: 'completed', reason: 'Enough' }),
  'project.removeTeam': async () => {
    const with_team = await project()
    await app.make.team({ client_id: app.client.id, users: [app.member.id], projects: [with_team.id] })
    return { subjects: [with_team] }
  },
  'project.addTeams': async () => {
    const { id } = await app.make.team({ client_id: app.client.id, users: [app.member.id] })
    return { subjects: [await project()], answers: { teams: [id] } }
  },
  'team.create': async () => ({
    answers: {
      client_id: app.client.id,
      name: `Crew ${++serial}`,
      user_ids: [app.member.id],
      project_ids: [(await project()).id],
    },
  }),
  'team.rename': async () => ({ subjects: [await team()], answers: { name: `Crew ${++serial}` } }),
  'team.addUsers': async () => ({ subjects: [await team()], answers: { users: [(await app.make.user()).id] } }),
  'team.addProjects': async () => ({ subjects: [await team()], answers: { projects: [(await project()).id] } }),
  'team.removeUsers': async () => {
    const row = { id: app.member.id, name: 'Member', team_id: (await team()).id }
    return { subjects: [subject('member', row)] }
  },
  'team.removeProjects': async () => {
    const { id } = await project()
    const { id: team_id } = await app.make.team({ client_id: app.client.id, projects: [id] })
    const row = { id, name: 'Wave', team_id }
    return { subjects: [subject('teamProject', row)] }
  },
  'team.copy': async () => ({ subjects: [await team()], answers: { name: `Crew ${++serial}` } }),
  'team.remove': async () => ({ subjects: [await team()] }),
  'project.addAsset': () =>
    one(project(), { asset_type: 'Survey Document', files: [new File(['Words'], 'words.txt', { type: 'text/plain' })] }),
  'file.rotate': async () => {
    const { id: project_id } = await project()
    const picture = await app.make.file({ project_id, original_name: 'front.jpg', mime: 'image/jpeg' })
    return { subjects: [subject('file', { name: 'front.jpg', ...picture })] }
  },
  'file.remove': async () => ({ subjects: [await file((await project()).id)] }),
  'report.applyTemplate': async () => {
    await inReport({ changes: () => [{ column_key: 'age', should_include: true, order: 1 }] })
    return { answers: { template: '1' } }
  },
  'report.saveTemplate': async () => {
    await inReport()
    return { answers: { name: `Template ${++serial}`, who: 'client' } }
  },
  'report.removeTemplate': async () => {
    const { id: project_id } = await inReport()
    const { body } = await app.as('admin').call('report.createTemplate', { project_id, name: `Template ${++serial}` })
    return { answers: { template: String(body.data.id) } }
  },
  'report.refresh': async () => {
    const { id: project_id, survey_id } = await inReport()
    await app.as('admin').call('report.save', { project_id, questions: [{ column_key: 'age', should_include: 1 }] })
    const { id } = await app.make.question({ survey_id })
    removeReport()
    removeReport = registerReport({
      active: () => true,
      missing: [id],
      project: { id: project_id },
    } as unknown as ReportController)
    return {}
  },
  'audience.enable': () => one(channel(0)),
  'audience.disable': () => one(channel(1)),
  'audience.switch': () => one(channel(1)),
  'note.create': () => one(project(), { note: 'New' }),
  'project.ask': () => one(project(), { note: 'Are teens included?' }),
  'project.writeClient': () => one(project(), { text: 'It starts on Monday' }),
  'project.writePartner': async () => {
    const { subjects, partner } = await onQuote()
    return { subjects, answers: { partner, text: 'It starts on Monday' } }
  },
  'quota.fill': async () => {
    const { id, name } = await project({ ordered: 100 })
    await app.make.survey({ project_id: id })
    const table = 'Gender\tTarget\nFemale\t50\nMale\t50'
    return { subjects: [subject('project', { id, name })], answers: { from: 'table', table } }
  },
  'quota.edit': async () => ({ subjects: [(await quotas()).plan], answers: { note: 'Weekly' } }),
  'quota.setTarget': async () => ({ subjects: [(await quotas()).cell], answers: { target: 45 } }),
  'quota.move': async () => {
    const { cell, other } = await quotas()
    return { subjects: [cell], answers: { to: other, places: 5 } }
  },
  'quota.close': async () => ({ subjects: [(await quotas()).cell] }),
  'organization.edit': async () => ({ answers: { setting: 'usual_margin', number: '41' } }),
  'category.check': async () => {
    const { id } = await project()
    const row = { id: 1, project_id: id, selected: false }
    return { subjects: [subject('category', row)] }
  },
  'category.set': () => one(project(), { category_ids: [1, 2] }),
  'note.edit': () => one(note(), { note: 'Changed' }),
  'note.remove': () => one(note()),
  'entry.redeem': async () => ({ subjects: await entries() }),
  'entry.reject': async () => ({ subjects: await entries({ second_chances: 1 }), answers: { reason: 'Amount looks forged' } }),
  'entry.secondChance': async () => ({ subjects: await entries({ status: 'rejected', reason: 'Reason A', second_chances: 2 }) }),
  'entry.clear': async () => {
    const [first] = await entries()
    return { subjects: [subject('project', { id: Number(idAbove(first, 'project')) })] }
  },
  'activity.create': async () => ({
    answers: {
      ...{ project: (await project()).id, name: 'Shelf photos', activity_type: 'photo', action_type: 'photo' },
      about: 'Photograph the shelf.',
    },
  }),
  'content.rotate': () => one(photo()),
  'content.reject': () => one(photo(), { reason: 'Blurred' }),
  'content.accept': async () => ({ subjects: [await photo(), await photo()] }),
  'content.restore': () => one(photo({ review: 'rejected', review_reason: 'Duplicate' })),
  'content.add': async () => {
    const { id: project_id } = await project()
    const { id } = await app.make.activity({ project_id, activity_type: 'photo' })
    const csv = new File(['Email,Comment\nkim@example.com,Nice shelf'], 'comments.csv', { type: 'text/csv' })
    return { answers: { activity: String(id), files: [csv] } }
  },
  'survey.create': async () => {
    const { id: project_id } = await project()
    const { id: activity_id } = await app.make.activity({ project_id })
    const link = 'https://survey.test/2'
    return { answers: { project_id, activity_id, name: 'Wave 2', survey_link: link, questions_count: 12 } }
  },
  'import.map': async () => {
    const id = await locationFile(app)
    const { data } = (await app.as('admin').call('import.get', { id })).body
    const columns = data.preview!.columns.map((field, at) => ({ field, heading: data.preview!.headings[at]! }))
    return {
      subjects: [{ kind: 'import', id, name: data.name, record: { ...data, columns } }],
      answers: { column: '2', field: 'none' },
    }
  },
  'import.correct': async () => {
    const { id: import_id, row_id } = await refusedLine(app)
    const row = { import_id, kind: 'error', value: '0210' }
    return { subjects: [{ kind: 'fileLine', id: row_id, name: 'line 3', record: row }], answers: { value: '02110' } }
  },
  'survey.link': async () => {
    const to = await activity({ status: 'approved' })
    const project_id = Number(idAbove(to, 'project'))
    return { subjects: [await survey({ project_id })], answers: { activity_id: to.id } }
  },
  'survey.attachSource': () => one(survey(), { source: 'url', survey_link: 'https://survey.test/3' }),
  'survey.applyComparison': async () => {
    const { input } = await WRITE_EXAMPLES['survey.applyComparison']!(app)
    const row = { id: Number(input.id), digest: input.digest }
    return { subjects: [subject('survey', row)] }
  },
  'survey.cloneProject': () => one(survey()),
  'survey.remove': () => one(survey()),
  'question.moveUp': () => one(question()),
  'question.moveDown': () => one(question()),
  'question.moveTo': () => one(question(), { place: 3 }),
  'question.remove': () => one(question()),
  'activity.linkSurvey': async () => {
    const [to, from] = [await activity({ status: 'approved' }), await activity({ status: 'approved' })]
    await app.make.survey({ project_id: Number(idAbove(to, 'project')), activity_id: to.id })
    const survey = await app.make.survey({ project_id: Number(idAbove(from, 'project')), activity_id: from.id })
    return { subjects: [to], answers: { survey: survey.id } }
  },
  'activity.unlinkSurvey': async () => {
    const linked = await activity({ status: 'approved' })
    await app.make.survey({ project_id: Number(idAbove(linked, 'project')), activity_id: linked.id })
    return { subjects: [linked] }
  },
  'activity.addAsset': () =>
    one(activity(), { asset_type: 'Survey Document', files: [new File(['Words'], 'words.txt', { type: 'text/plain' })] }),
  'activity.convert': () => one(activity(), { activity_type: 'photo', action_type: 'comment' }),
  'activity.duplicate': async () => {
    const copied = await activity()
    await app.make.target({ activity_id: copied.id, age: '2' })
    return { subjects: [copied] }
  },
  'activity.remove': async () => {
    const gone = await activity()
    const project_id = Number(idAbove(gone, 'project'))
    const group = await app.make.group({ client_id: app.client.id })
    await app.make.survey({ project_id, activity_id: gone.id })
    await app.make.target({ activity_id: gone.id, age: '2' })
    const photo = await app.make.file({ project_id, activity_id: gone.id, kind: 'media' })
    await app.make.content({ project_id, activity_id: gone.id, file_id: photo.id, action: 'photo' })
    await app.make.file({ project_id, activity_id: gone.id, kind: 'asset' })
    await app.write((tx) =>
      tx.insertInto('activity_location_groups').values({ activity_id: gone.id, group_id: group.id }).execute(),
    )
    return { subjects: [gone] }
  },
  'client.edit': async () =>
    one(
      app.make.client().then((made) => subject('client', made)),
      { name: 'Another name' },
    ),
  'partner.edit': () =>
    one(
      app.make.partner().then((made) => subject('partner', made)),
      { name: 'Panel Prime', contact: 'Ada', email: 'ada@prime.test', phone: '2125550177', notes: 'Fast' },
    ),
  'partner.merge': async () => {
    const [gone, stays] = [await app.make.partner({ phone: '2125550100' }), await app.make.partner({ phone: '' })]
    const { id } = await project({ status: 'pricing' })
    await app.make.assign(id, gone.id)
    await app.make.proffer({ project_id: id, partner_id: gone.id, round: 1, state: 'draft' })
    return { subjects: [subject('partner', gone)], answers: { into: stays.id } }
  },
  'partner.invite': async () => ({
    subjects: [subject('partner', await app.make.partner({ email: '' }))],
    answers: { projects: [(await project({ status: 'requirements' })).id, (await project({ status: 'pricing' })).id] },
  }),
  'client.setApprovers': () => one(Promise.resolve(subject('client', app.client as never)), { users: [app.member.id] }),
  'request.correct': () =>
    one(project({ status: 'requirements', cost_cents: null, requested_by: app.admin.id }), {
      ...{ name: 'Another name', goal: 250, start_dt: '2030-12-01', end_dt: '2030-12-20', requirements: 'Half of them women' },
    }),
  'request.setPo': () => one(project({ status: 'approved' }), { po_number: 'PO-4711' }),
  'client.addUser': async () =>
    one(
      app.make.client().then((made) => subject('client', made)),
      { user: [app.member.id] },
    ),
  'location.create': async () => ({ subjects: [], answers: { name: 'Store 1', address: '1 New St, Boston, MA 02108' } }),
  'location.edit': async () => ({
    subjects: placesOf((await groupWith()).places.slice(0, 1)),
    answers: { name: 'Other', address: '5 Other Ave', city: 'Miami', state: 'FL', zip: '33101', coordinates: '25.7, -80.2' },
  }),
  'location.addToGroups': async () => ({
    subjects: placesOf((await groupWith()).places),
    answers: { groups: [(await groupWith()).group.id] },
  }),
  'location.removeFromGroup': async () => {
    const { group, places } = await groupWith()
    return { subjects: placesOf(places), workspace: { list: () => ({ exportable: { filter: { group_id: group.id } } }) } }
  },
  'location.merge': async () => {
    const at = placeAt(++serial)
    const { places } = await groupWith(at)
    return { subjects: placesOf(places) }
  },
  'location.remove': async () => ({ subjects: placesOf((await groupWith()).places) }),
  'group.create': async () => ({ subjects: [], answers: { client_id: app.client.id, name: `Group ${++serial}` } }),
  'group.addLocations': async () => ({
    subjects: [(await groupWith()).group],
    answers: { locations: (await groupWith()).places.map(({ id }) => id) },
  }),
  'group.removeLocations': async () => {
    const { group, places } = await groupWith()
    return { subjects: placesOf(places, group) }
  },
  'group.moveLocations': async () => {
    const { group, places } = await groupWith()
    return { subjects: placesOf(places, group), answers: { to: (await groupWith()).group.id } }
  },
  'group.linkActivities': async () => ({
    subjects: [(await groupWith()).group],
    answers: { activities: [(await activity()).id] },
  }),
  'group.merge': async () => ({
    subjects: [(await groupWith()).group, (await groupWith()).group],
    answers: { into: (await groupWith()).group.id },
    workspace: { subjects: () => ({ focused: null }) },
  }),
  'group.copy': async () => ({
    subjects: [(await groupWith()).group],
    answers: { client: app.client.id, name: `Copy ${++serial}` },
  }),
  'group.remove': async () => ({ subjects: [(await groupWith()).group] }),
  'activity.linkGroups': async () => ({ subjects: [await activity()], answers: { groups: [(await groupWith()).group.id] } }),
  'activity.unlinkGroup': async () => {
    const { group } = await groupWith()
    const { id } = await activity()
    await app.as('admin').call('activity.linkGroups', { activity_id: id, location_group_id: group.id })
    return { subjects: [subject('activityGroup', { id: group.id, name: group.name, activity_id: id } as never)] }
  },
  'group.rename': async () => {
    const group = await app.make.group({ client_id: app.client.id })
    return { subjects: [subject('group', group)], answers: { name: `Shops ${group.id}` } }
  },
  'client.removeUser': async () => {
    const made = await app.make.client()
    const user = await app.make.user({ clients: [made.id, app.client.id] })
    await app.make.team({ client_id: made.id, users: [user.id] })
    return { subjects: [subject('user', { ...user, name: user.email })], answers: { client: made.id } }
  },
  'user.teams': async () => {
    const user = await app.make.user({ clients: [app.client.id] })
    const { id } = await app.make.team({ client_id: app.client.id, users: [user.id] })
    const onto = await app.make.team({ client_id: app.client.id })
    const record = { ...user, name: user.email, clients: [{ id: app.client.id, name: 'A' }], teams: [{ id, name: 'B' }] }
    return { subjects: [subject('user', record)], answers: { teams: [onto.id] } }
  },
  'user.addToClients': async () => {
    const [a, b] = [await app.make.client(), await app.make.client()]
    const users = [await app.make.user(), await app.make.user({ clients: [a.id] })]
    return {
      subjects: users.map((user) => subject('user', { ...user, name: user.email })),
      answers: { clients: [a.id, b.id] },
    }
  },
  'client.remove': async () => {
    const made = await app.make.client()
    const user = await app.make.user({ clients: [made.id] })
    await app.make.team({ client_id: made.id, users: [user.id] })
    return { subjects: [subject('client', made)] }
  },
  'user.edit': async () => {
    // Invited, and still without a name (H7).
    const user = await app.make.user({ status: 'invited', first_name: '', last_name: '', phone: '' })
    return {
      subjects: [subject('user', { ...user, name: user.email })],
      answers: { first_name: 'Ana', last_name: 'Diaz', phone: '2125550188' },
    }
  },
  'user.cancelEmail': async () => {
    const user = await app.make.user({ clients: [app.client.id], pending_email: `trial${++serial}@mail.test` })
    return { subjects: [subject('user', { ...user, name: user.email })] }
  },
  'account.cancelEmail': async () => {
    const pending_email = `trial${++serial}@mail.test`
    await app.db.updateTable('users').set({ pending_email }).where('id', '=', app.admin.id).execute()
    return {}
  },
  'user.remove': async () => {
    const user = await app.make.user({ clients: [app.client.id], invitation_hash: 'as it was' })
    await app.make.team({ client_id: app.client.id, users: [user.id] })
    return { subjects: [subject('user', { ...user, name: user.email })] }
  },
  'notification.create': async () => ({ answers: { name: 'Holiday hours', message: 'Closed', message_action: 'feed' } }),
  'notification.send': () => one(notification()),
  'notification.copy': () => one(notification()),
  'notice.open': () => one(notice()),
  'desk.acknowledge': () => one(deskLine()),
  'desk.snooze': () => one(deskLine(), { until: 'hour' }),
  'desk.reopen': async () => {
    const line = await deskLine()
    await app.as('admin').call('desk.acknowledge', { ids: [line.id] })
    return one(Promise.resolve(line))
  },
  'desk.handOver': async () => one(deskLine(), { owner: (await app.make.user({ role: 'admin' })).id }),
  'notice.read': () => one(notice()),
  'notice.toggleRead': async () => ({ subjects: [await notice(), await notice()] }),
  'notice.readAll': async () => {
    await notice()
    return {}
  },
  'reward.create': async () => ({
    answers: { project_id: (await project()).id, name: `Card ${++serial}`, amount: 1000, partner_id: '600' },
  }),
  'reward.edit': () => one(reward(), { name: `Card ${++serial}`, amount: 2500, partner_id: '1', provider_code: 'AMZ-25' }),
  'reward.copyTo': async () => ({
    subjects: [await reward(), await reward()],
    answers: { project_ids: [(await project()).id, (await project()).id] },
  }),
  'reward.copyFrom': async () => ({
    subjects: [await project()],
    answers: { from: Number(idAbove(await reward(), 'project')) },
  }),
  'brand.setActive': async () => ({ subjects: [await brand(), await brand()], answers: { status: 'inactive' } }),
  'brand.giveAll': async () => {
    const { id } = await brand()
    await app.make.service({ brand_id: id })
    const { data } = (await app.as('admin').call('brand.get', { id })).body
    return { subjects: [subject('brand', data)], answers: { users: [(await app.make.user()).id] } }
  },
  'brand.remove': () => one(brand()),
  'service.edit': async () =>
    one(service(), { name: `Service ${++serial}`, ordered: 12, start_dt: '2026-01-05', end_dt: '2031-01-05' }),
  'service.setActive': async () => ({ subjects: [await service(), await service()], answers: { status: 'inactive' } }),
  'service.users': () => one(service(), { users: [app.member.id] }),
  'service.takeUsers': () =>
    one(
      givenService(app).then((made) => subject('service', made)),
      { users: [app.member.id] },
    ),
  'service.remove': () => one(service()),
  'filter.save': async () => {
    await inBrand((await brand()).id)
    return { answers: { as: 'new', filter_name: `Filter ${++serial}` } }
  },
  'filter.remove': async () => {
    const { id: brand_id } = await brand()
    await inBrand(brand_id)
    const filter = { brand_id, filter_name: `Filter ${++serial}`, filter: {} }
    const { body } = await app.as('admin').call('filter.save', filter)
    return { answers: { filter: String(body.data.filter_id) } }
  },
  'vip.create': () => one(project(), { name: 'Stadium tour' }),
  'vip.award': async () => {
    const made = await vipOf(app)
    return { subjects: [subject('vip', made)], answers: { experience: made.id, emails: 'kim@mail.test, lee@mail.test' } }
  },
  'vip.rename': async () =>
    one(
      vipOf(app).then((made) => subject('vip', made)),
      { name: 'Backstage pass' },
    ),
  'vip.remove': () => one(vipOf(app).then((made) => subject('vip', made))),
  'vip.withdraw': () =>
    one(
      awardOf(app).then((made) => subject('award', made)),
      { reason: 'Twice' },
    ),
  'key.create': async () => ({ answers: { name: 'Importer', expires: 'never' } }),
  'token.create': async () => ({ answers: { name: 'Launch script', opens: '*:read', limit: 'none', expires: '90' } }),
  'token.createService': async () => ({
    answers: { name: 'Launch bot', opens: 'some', scopes: ['note:write'], limit: 'none', expires: 'never' },
  }),
  'token.revoke': async () => {
    const { body } = await app.as('admin').call('token.create', { name: 'Old script', scopes: ['project:read'] })
    return { subjects: [subject('token', body.data)] }
  },
  'webhook.create': async () => ({
    answers: { name: 'Board', url: 'https://hooks.test/x', nouns: ['project'], limit: 'none' },
  }),
  'webhook.edit': async () => ({
    subjects: [await webhook()],
    answers: { name: 'Other board', url: 'https://hooks.test/y', nouns: ['client'], limit: 'none' },
  }),
  'webhook.pause': () => one(webhook()),
  'webhook.resume': async () => {
    const made = await webhook()
    await app.as('admin').call('webhook.pause', { id: made.id })
    return { subjects: [made] }
  },
  'webhook.remove': () => one(webhook()),
  'outbox.withdraw': () => one(mail()),
  'view.save': async () => ({
    answers: { name: 'My view' },
    workspace: { list: () => ({ views: { screen: 'clients', state: 'sort=name', show: () => {}, all: [] } }) },
  }),
  'view.update': () => one(view({ now: 'sort=-name' })),
  'view.pin': () => one(project()),
  'view.moveFavourite': async () => ({ answers: { favourite: 'project:1', place: '1' } }),
  'view.dropMissing': async () => ({}),
  'view.rename': async () => one(view(), { name: `Renamed ${++serial}` }),
  'view.share': () => one(view(), { shared: 'everyone' }),
  'view.remove': () => one(view()),
}

/** A noun's plain command (`create`, `edit`, `remove`) with answers, on a record created by its own call. */
async function plainTrial(id: CommandId): Promise<Given> {
  const { asks = {}, on } = commandOf(id)
  const answers = Object.entries(asks).map(([name, ask]) => [name, ask.type === 'text' ? `Answer ${++serial}` : ++serial])
  const [noun = ''] = id.split('.')
  const made = on === noun ? await madeOf(app, noun) : undefined
  return { subjects: made ? [subject(noun as Subject['kind'], made)] : [], answers: Object.fromEntries(answers) }
}
/** Two records made by their noun's own call, of which only the id is known, as of all that match. */
async function severalOf(noun: Subject['kind'], answers: Record<string, unknown>): Promise<Given> {
  const made = [await madeOf(app, noun), await madeOf(app, noun)]
  return { subjects: made.map((one) => ({ kind: noun, id: one!.id, name: `${noun} ${one!.id}` })), answers }
}
/** The restore of a record that was deleted. */
async function restoreTrial(id: CommandId): Promise<Given> {
  const { input } = await WRITE_EXAMPLES[id as CallId]!(app)
  return { subjects: [{ ...subject(id.split('.')[0] as Subject['kind'], { id: Number(input.id) }), deleted: true }] }
}
const PLAIN = /\.(create|edit|remove)$/
const trialOf = (id: CommandId) =>
  TRIALS[id] ?? (PLAIN.test(id) ? () => plainTrial(id) : commandOf(id).revives ? () => restoreTrial(id) : undefined)

/** These start at once and can't be undone, so here they are delayed. */
const WAITING: Partial<Record<CallId, object>> = {
  'entry.redeem': { delay_seconds: 8 },
  'user.invite': { delay_seconds: 30 },
  'user.inviteOlder': { delay_seconds: 30 },
  'invitation.create': { delay_seconds: 30 },
  'invitation.remind': { delay_seconds: 30 },
}

/** Commands that administrators don't need. */
const BY_CLIENT: readonly CommandId[] = ['project.ask']

/** A few of each kind, where the others are tried on SQLite alone: links, families, JSON, files, answers, money. */
const TEN: readonly CommandId[] = [
  ...(['project.clone', 'project.setParent', 'team.remove', 'client.remove', 'activity.remove'] as const),
  ...(['location.merge', 'entry.redeem', 'organization.edit', 'survey.applyComparison', 'service.setActive'] as const),
]
const restoring = commandIds().filter((id) => commandOf(id).undo === 'restores')
const undoable = (Object.entries(calls) as [CallId, Call][]).flatMap(([id, row]) => (row.undo ? [id] : []))

/** Runs, undoes, redoes and undoes something, comparing the whole database each time. */
async function thereAndBack(work: () => Promise<number[]>, by = app.as('admin')): Promise<void> {
  const before = await wholeOf(app)
  const steps = await work()
  const after = await wholeOf(app)
  expect(after).not.toEqual(before)
  await undoes(by, steps)
  expect(await wholeOf(app)).toEqual(before)
  await undoes(by, steps, 'undo.redo')
  expect(await wholeOf(app)).toEqual(after)
  await undoes(by, steps)
  expect(await wholeOf(app)).toEqual(before)
}

describe('undo restores the database, and redo repeats the change', () => {
  test('has a trial here for every undoable command', () => {
    // For a new command that can be undone, add a trial above.
    expect(restoring.filter((id) => !trialOf(id))).toEqual([])
  })

  testAll('after every undoable command', everywhere ? restoring : TEN, async (id) => {
    const given = await trialOf(id)!()
    const by = app.as(BY_CLIENT.includes(id) ? 'client' : 'admin')
    await thereAndBack(() => does(by, id, given), by)
  })

  testAll(
    'after every undoable call by itself',
    undoable.filter((id) => everywhere || TEN.includes(id as CommandId)),
    async (id) => {
      const example = await WRITE_EXAMPLES[id]!(app)
      const given = { ...example, input: { ...example.input, ...WAITING[id] } }
      await thereAndBack(async () => {
        const { status, headers, text } = await sendExample(id, given)
        expect(status, text).toBe(200)
        return [Number(headers['x-undo'])]
      }, example.as)
    },
  )
})
